"""A thread as a turn with a scope reads it: without documents that are foreign to it, whenever they came into it.

Results are screened before they are kept. This hides what was said and read before the profile was in force, under
another token, or before the type of a document was known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from agent import focus
from agent.calls.screening.named_rows import NamedRows, find_named
from agent.calls.screening.results import ONE_DOCUMENT
from agent.calls.screening.stripping import Dropped, Stripper
from agent.conversation.mentions import list_document_ids
from agent.conversation.model_input.history import Piece
from agent.models import Message, ToolCall, Turn
from agent.outside.catalog import find_tool_of, is_outside
from agent.scope_profiles.applied.foreign_documents import ForeignDocument, find_foreign
from agent.scope_profiles.applied.in_force import Scope
from agent.toolkit import named_documents
from kit.errors import NotFound

LEFT_OUT = "[Left out: it is not what this assistant is for.]"


@dataclass(frozen=True)
class ForeignItems:
    """`documents` by their ids, of all that the thread names."""

    scope: Scope | None = None
    named: NamedRows = field(default_factory=lambda: NamedRows({}, {}))
    documents: Mapping[str, ForeignDocument] = field(default_factory=dict)

    @classmethod
    def find(cls, turn: Turn, scope: Scope | None, pieces: Sequence[Piece]) -> ForeignItems:
        if scope is None:
            return cls()
        words = [[piece.message.join_text(), *_list_results(piece)] for piece in pieces]
        named = find_named(turn.thread, words)
        given = {each for piece in pieces for each in list_document_ids(piece.message.mentions)}
        given |= {*turn.scope.get("document_ids", []), turn.thread.document_id or ""}
        given |= {item.document_id or "" for item in focus.list_items(turn.thread)}
        return cls(scope, named, find_foreign(scope, {*named.document_ids, *given}, named.documents))

    def find_foreign(self, ids: Iterable[str]) -> Collection[str]:
        """Judge further documents, which the messages of the summary named."""
        return find_foreign(self.scope, set(ids)) if self.scope else ()

    def hide(self, turn: Turn, pieces: Sequence[Piece]) -> list[Piece]:
        """An answer of a turn that has read something foreign is left out whole: it may say it in other words."""
        if self.scope is None:
            return list(pieces)
        screened = [replace(piece, calls=[self._hide_in_call(call) for call in piece.calls]) for piece in pieces]
        touched = {
            before.message.turn_id
            for before, after in zip(pieces, screened, strict=True)
            if any(one.result != other.result for one, other in zip(before.calls, after.calls, strict=True))
        }
        if turn.thread.document_id in self.documents:
            touched |= {piece.message.turn_id for piece in pieces} - {turn.pk}
        return [replace(piece, message=self._hide_in_message(piece.message, touched)) for piece in screened]

    def _hide_in_call(self, call: ToolCall) -> ToolCall:
        if call.status != ToolCall.Status.SUCCEEDED or not call.result:
            return call
        stripper = Stripper(self.named, frozenset(self.documents), self._has_never)
        kept = stripper.strip(call.result, is_row=True)
        if kept == call.result and not self._is_about_foreign(call):
            return call
        hidden = copy(call)
        hidden.result = {"error": LEFT_OUT} if isinstance(kept, Dropped) or self._is_about_foreign(call) else kept
        hidden.proposed_text = "{}"
        return hidden

    def _is_about_foreign(self, call: ToolCall) -> bool:
        try:
            category = None if is_outside(call.tool) else find_tool_of(call).category
        except NotFound:  # an earlier version of DocRouter had it
            category = None
        if category not in ONE_DOCUMENT:
            return False
        about = named_documents.list_document_ids(call.thread, category, call.effective or {})
        return bool(set(about) & set(self.documents))

    def _has_never(self, text: str) -> bool:
        return self.scope is not None and bool(self.scope.find_never(text))

    def _hide_in_message(self, message: Message, touched: set[str]) -> Message:
        text = message.join_text()
        if message.role == Message.Role.USER or not text:
            return message
        names = self.named.list_named(text) & set(self.documents)
        if message.turn_id not in touched and not names and not self._has_never(text):
            return message
        hidden = copy(message)
        hidden.blocks = [{"type": "text", "text": LEFT_OUT}]
        hidden.provider_extras = {}
        return hidden


def _list_results(piece: Piece) -> list[object]:
    return [part for call in piece.calls for part in (call.result, call.effective)]
