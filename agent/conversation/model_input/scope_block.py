"""What the model reads of the documents that a message is about."""

from __future__ import annotations

from collections.abc import Collection

from agent.toolkit.previews import format_count
from documents.find.scopes import ScopeView
from documents.reading.page_text import make_data_block

MAX_LETTERS = 120
HOW_TO_FIND = "list_documents shows them, and “scope” where documents are named means all of them"


def build_block(view: ScopeView, hidden: Collection[str] = ()) -> str:
    """With names and ids, as a data block. Documents with `hidden` ids are not named."""
    how = f"all that match {', '.join(view.terms)}" if view.terms else "chosen one by one"
    count = format_count(view.total, "document")
    lines = [f"The person asks about {count}, {how}:" if view.total else view.problem]
    lines += [
        f"{document.name[:MAX_LETTERS]} ({document.pk})" for document in view.documents if document.pk not in hidden
    ]
    if view.more:
        lines.append(f"and {view.more} more: {HOW_TO_FIND}")
    if view.missing:
        lines.append(f"{view.missing} of those that were chosen are not there any more")
    return make_data_block("scope", "\n".join(line for line in lines if line) or "None of the documents are left.")
