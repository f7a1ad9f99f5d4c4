"""Which documents a call is about: those that its checked arguments name, else the thread's own."""

from __future__ import annotations

from collections.abc import Sequence

from agent.models import Thread
from agent.toolkit.signatures import Arguments
from agent.toolkit.tool_kinds import ABOUT_DOCUMENTS, Category

# A list of ids or one; the checked arguments hold ids, whatever the model wrote.
NAMING = ("documents", "document", "document_id")


def list_document_ids(thread: Thread, category: Category, arguments: Arguments) -> list[str]:
    """In the one order in which they are locked; none for a call about no document."""
    named = arguments if category in ABOUT_DOCUMENTS else {}
    value = next((named[name] for name in NAMING if named.get(name)), thread.document_id)
    ids: Sequence[str] = value if isinstance(value, list) else [value] if value else []
    return sorted(set(ids))
