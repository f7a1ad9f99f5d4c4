"""Whose words a thread holds besides those of its own document: an order may stand in any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from django.db.models import QuerySet

from agent.models import Thread, ToolCall, Turn
from agent.outside.calling import OUTSIDE_STATE
from agent.outside.catalog import is_outside
from agent.toolkit.named_documents import NAMING
from agent.toolkit.previews import quote_names
from agent.toolkit.registry import Tool, registry
from agent.toolkit.signatures import Arguments
from agent.toolkit.tool_kinds import ABOUT_DOCUMENTS, Access
from documents.models import Document, ProposalSibling

MAX_CALLS = 50
OUTSIDE = "what an outside server says"
ANY_DOCUMENT = "a list of documents"
# Before the first round.
BEFORE_ALL = -1


@dataclass(frozen=True)
class Reader:
    """A call whose answer holds words of other documents, or a message that names some: when, and which."""

    turn_id: str
    round: int
    arguments: Arguments


class ReadElsewhere:
    """What a thread's model had read of other documents, looked up once, and only for a change of a document."""

    def __init__(self, thread: Thread) -> None:
        self.thread = thread

    def describe(self, tool: Tool, turn: Turn, call: ToolCall | None) -> str:
        """What it had read when it asked for this change of the thread's own document; empty for nothing.

        A change of another document reaches further anyway, and the answers of its own round it had not seen.
        """
        if self.has_outside_words and not tool.is_read and tool.access is not Access.EXTERNAL:
            return OUTSIDE
        if tool.is_read or tool.category not in ABOUT_DOCUMENTS or self.thread.document_id is None:
            return ""
        seen = [each for each in self._readers if call is None or each.turn_id != turn.pk or each.round < call.round]
        return _name_documents(self.thread, seen) if seen else ""

    @cached_property
    def has_outside_words(self) -> bool:
        """Whether an outside server's words are before the model: of a tool that it may ask for, or of an answer."""
        state = self.thread.working_state
        return OUTSIDE_STATE in state or any(map(is_outside, str(state.get("tools", "")).split()))

    @cached_property
    def _readers(self) -> list[Reader]:
        shows_any = {each.name for each in registry if each.shows_any}
        rows = _list_about_documents(self.thread).order_by("-pk").values_list("turn", "round", "tool", "effective")
        readers = (
            Reader(turn, number, arguments or {})
            for turn, number, tool, arguments in rows.iterator(chunk_size=MAX_CALLS)
            if tool in shows_any or self._names_other(arguments or {})
        )
        calls = islice(readers, MAX_CALLS)
        return [*calls, *_list_naming(self.thread), *_list_scopes(self.thread), *_list_siblings(self.thread)]

    def _names_other(self, arguments: Arguments) -> bool:
        own = self.thread.document_id
        return bool(arguments.keys() & {"document", "documents"}) or arguments.get("document_id", own) != own


def _list_naming(thread: Thread) -> list[Reader]:
    """The messages that name other documents with @: what stands in these is before the model from the beginning."""
    rows = thread.messages.filter(dropped_at=None).exclude(mentions=[]).order_by("-number")
    named = (
        (turn, [each["id"] for each in mentions if each["type"] == "document" and each["id"] != thread.document_id])
        for turn, mentions in rows.values_list("turn", "mentions")[:MAX_CALLS]
    )
    return [Reader(turn, BEFORE_ALL, {"documents": ids}) for turn, ids in named if ids]


def _list_scopes(thread: Thread) -> list[Reader]:
    """The turns that were asked about other documents: their names are before the model."""
    rows = thread.turns.exclude(scope={}).order_by("-number").values_list("pk", "scope")[:MAX_CALLS]
    named = ((turn, scope.get("document_ids", [])) for turn, scope in rows)
    return [Reader(turn, BEFORE_ALL, {"documents": ids}) for turn, ids in named if ids != [thread.document_id]]


def _list_siblings(thread: Thread) -> list[Reader]:
    """What an automatic setup in this thread was shown of documents like its own."""
    ids = list(ProposalSibling.objects.filter(thread_id=thread.pk).values_list("document", flat=True))
    return [Reader("", BEFORE_ALL, {"documents": ids})] if ids else []


def has_read_documents(thread: Thread) -> bool:
    """Whether results in the conversation hold text of documents, if only their names."""
    return _list_about_documents(thread).exists()


def _list_about_documents(thread: Thread) -> QuerySet[ToolCall]:
    done = thread.calls.filter(status=ToolCall.Status.SUCCEEDED, message__dropped_at=None)
    return done.filter(tool__in=[tool.name for tool in registry if tool.category in ABOUT_DOCUMENTS])


def _name_documents(thread: Thread, readers: Sequence[Reader]) -> str:
    values = [value for each in readers for name in NAMING if (value := each.arguments.get(name))]
    ids = {row_id for value in values for row_id in (value if isinstance(value, list) else [value])}
    names = Document.objects.for_org(thread.organization).filter(pk__in=ids).order_by("name_folded")
    return quote_names(names.values_list("name", flat=True), 3) or ANY_DOCUMENT
