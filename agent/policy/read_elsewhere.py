"""Whose words a thread holds besides those of its own document: an order may stand in any of them."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from agent.models import Thread, ToolCall, Turn
from agent.toolkit.named_documents import GROUPS_ABOUT_DOCUMENTS, NAMING
from agent.toolkit.previews import quote_names
from agent.toolkit.registry import Tool, registry
from agent.toolkit.signatures import Arguments
from documents.models import Document

MAX_CALLS = 50
ANY_DOCUMENT = "a list of documents"


def describe_read_elsewhere(thread: Thread, tool: Tool, turn: Turn, call: ToolCall | None) -> str:
    """What the model had read of other documents when it asked for this change of the thread's own; empty for none.

    A change of another document reaches further anyway.
    """
    if thread.document_id is None or tool.is_read or tool.group not in GROUPS_ABOUT_DOCUMENTS:
        return ""
    done = thread.calls.filter(status=ToolCall.Status.SUCCEEDED, message__dropped_at=None)
    if call is not None:  # The results of its own round it had not seen.
        done = done.exclude(turn=turn, round__gte=call.round)
    names_other = Q(effective__has_key="document") | Q(effective__has_key="documents")
    names_other |= Q(effective__has_key="document_id") & ~Q(effective__document_id=thread.document_id)
    shows_any = [each.name for each in registry if each.shows_any]
    about_documents = [each.name for each in registry if each.group in GROUPS_ABOUT_DOCUMENTS]
    rows = done.filter(names_other, tool__in=about_documents) | done.filter(tool__in=shows_any)
    return _describe(thread, rows.order_by("-pk").values_list("effective", flat=True)[:MAX_CALLS])


def _describe(thread: Thread, calls: Iterable[Arguments | None]) -> str:
    named: set[str] = set()
    is_any = False
    for arguments in calls:
        values = [value for name in NAMING if (value := (arguments or {}).get(name))]
        named |= {each for value in values for each in (value if isinstance(value, list) else [value])}
        is_any = is_any or not values
    names = Document.objects.for_org(thread.organization).filter(pk__in=named).order_by("name_folded")
    listed = quote_names(names.values_list("name", flat=True), 3)
    return listed or (ANY_DOCUMENT if named or is_any else "")
