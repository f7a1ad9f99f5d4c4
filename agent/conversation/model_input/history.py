"""The message list for a model, derived from rows before each call, so that it is whole whatever happened."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from django.db.models import QuerySet, prefetch_related_objects

from agent.calls.outcomes import MAX_CHARACTERS, join_reasons, result_text
from agent.conversation.messages import Block
from agent.conversation.model_input import pictures
from agent.models import Message, Thread, ToolCall
from agent.policy.deleted_documents import DeletedDocuments
from agent.toolkit.signatures import parse_arguments
from documents.reading.page_text import neutralize, neutralize_json
from kit.errors import Invalid
from kit.rows.fixed_select import FixedSelect
from llm.client import ChatMessage, MessageCall
from llm.client.providers import get_maker, takes_user_after_result

EMPTY = "(no text)"
MAX_REASONS = 8_000
"""Characters of why the calls of one answer were rejected. `read_result` gives the rest."""
STOPPED = "[The user stopped the answer here.]"
BROKEN_OFF = "[The connection was lost here.]"
GO_ON = "[Your answer broke off before its end. Answer again, and whole.]"
BY_CONNECTION: Block = {"type": "broken_off", "by": "connection"}
"""The block that marks a partial message which no person stopped."""
CLOSE = (
    "[You can call no more tools. {why} Answer the person now from what you have read, with its places, and say that "
    "you stopped early and what you did not look at.]"
)
PLAN_DECIDED = (
    "[The person has decided the plan. The results of its steps say what ran and what was refused or failed. "
    "Look at the values that came of it, and say in a few words what is done, unsure, empty or left. Plan anew only "
    "what is still wanted.]"
)


class BrokenHistory(Exception):
    """A tool call without its one result, or a result without a call: a fault of ours that no provider would take."""


@dataclass(frozen=True)
class Piece:
    """One message of the thread with the calls it asked for: what is kept, or summarized, as a whole."""

    message: Message
    calls: list[ToolCall] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.message.number

    @property
    def weight(self) -> int:
        """How many messages a provider gets for it."""
        return 1 + len(self.calls) + len(pictures.build_messages(self.calls)) + bool(self.reasons) + self.is_draft

    @property
    def is_draft(self) -> bool:
        """An answer that the model was asked to repair."""
        return any(block["type"] == "repair" for block in self.message.blocks)

    @property
    def reasons(self) -> str:
        return join_reasons(self.calls)

    @property
    def is_open(self) -> bool:
        return any(call.status not in ToolCall.TERMINAL for call in self.calls)

    def _shorten_reasons(self) -> str:
        if len(self.reasons) <= MAX_REASONS:
            return self.reasons
        return f"{self.reasons[:MAX_REASONS]}… [shortened: read_result(message={self.number}) gives all of it.]"

    def wire(self, model: str = "", max_result: int = MAX_CHARACTERS) -> list[ChatMessage]:
        """The messages for `model`. What a provider gave along goes back to the same one, verbatim, and to no other."""
        message, text = self.message, self.message.join_text()
        if message.role == Message.Role.USER:
            return [{"role": "user", "content": text}]
        text = neutralize(text)  # a document may have made the model write what a chat template takes for its own
        if not message.complete:
            mark = BROKEN_OFF if BY_CONNECTION in message.blocks else STOPPED
            return [{"role": "assistant", "content": f"{text} {mark}".strip()}]
        extras = message.provider_extras if get_maker(message.model) == get_maker(model) else {}
        repair = message.join_text("repair")
        answer = cast(ChatMessage, {"role": "assistant", "content": text or (None if self.calls else EMPTY), **extras})
        if self.calls:
            answer["tool_calls"] = [_wire_call(call) for call in self.calls]
        results = [_wire_result(call, max_result) for call in self.calls]
        spoken: list[ChatMessage] = [{"role": "user", "content": self._shorten_reasons()}] if self.reasons else []
        asked: list[ChatMessage] = [{"role": "user", "content": repair}] if repair else []
        return [answer, *results, *pictures.build_messages(self.calls), *spoken, *asked]


@FixedSelect
def _select_later_messages(thread: str, after: int) -> QuerySet[Message]:
    return Message.objects.filter(thread=thread, number__gt=after, dropped_at=None, turn__refused="").order_by("number")


@FixedSelect
def _select_later_calls(thread: str, after: int) -> QuerySet[ToolCall]:
    """Without what undoes a call: no model asked for that."""
    calls = ToolCall.objects.filter(thread=thread, undoes=None, message__number__gt=after, message__dropped_at=None)
    calls = calls.filter(turn__refused="")
    return calls.select_related("undone_by").order_by("version")


def list_pieces(thread: Thread, *, after: int = 0) -> list[Piece]:
    """The messages with later numbers that nobody went back before, oldest first, without what they tell of documents
    that were deleted since. Six queries at most."""
    pieces_by_id = {message.pk: Piece(message) for message in _select_later_messages.list(thread.pk, after)}
    newest: dict[tuple[str, int], ToolCall] = {}
    if all(piece.message.role == Message.Role.USER for piece in pieces_by_id.values()):
        return list(pieces_by_id.values())
    calls = _select_later_calls.list(thread.pk, after)
    prefetch_related_objects(calls, "undone_by__decisions__user")
    for call in calls:
        # A card that was made anew counts with the outcome of its last revision.
        newest[call.message_id, call.position] = call
    deleted = DeletedDocuments.find_read_by(thread, newest.values())
    for (message_id, _), call in sorted(newest.items(), key=lambda item: item[0][1]):
        pieces_by_id[message_id].calls.append(deleted.hide_in_call(call))
    pieces = [replace(piece, message=deleted.hide_in_message(piece.message)) for piece in pieces_by_id.values()]
    return list(_drop_repaired(pieces))


def _drop_repaired(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Without the answers of earlier turns that others stand in place of, as on the page."""
    last = {piece.message.turn_id: piece.number for piece in pieces}
    newest = pieces[-1].message.turn_id
    for piece in pieces:
        turn_id = piece.message.turn_id
        if not piece.is_draft or turn_id == newest or last[turn_id] == piece.number:
            yield piece


def to_wire(pieces: Iterable[tuple[Piece, int]], *, model: str) -> list[ChatMessage]:
    """The messages for these pieces, each with the most characters that one of its results may have."""
    messages = pictures.keep_newest([message for piece, maximum in pieces for message in piece.wire(model, maximum)])
    check_pairing(messages)
    return answer_results(messages, model)


def answer_results(messages: list[ChatMessage], model: str) -> list[ChatMessage]:
    """With words of the assistant before those of a user that follow results, for models that want them."""
    return messages if takes_user_after_result(model) else list(_answer_results(messages))


def _answer_results(messages: Iterable[ChatMessage]) -> Iterator[ChatMessage]:
    """With an answer between results and what a person says after them."""
    before = ""
    for message in messages:
        if before == "tool" and message["role"] == "user":
            yield {"role": "assistant", "content": EMPTY}
        yield message
        before = message["role"]


def check_pairing(messages: Iterable[ChatMessage]) -> None:
    """Raises BrokenHistory unless results follow their calls, one for one, before anything else is said."""
    open_ids: Counter[str] = Counter()
    seen: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if not open_ids[message["tool_call_id"]]:
                raise BrokenHistory(f"A result has no call: {message['tool_call_id']}.")
            open_ids -= Counter([message["tool_call_id"]])
            continue
        if open_ids:
            raise BrokenHistory(f"Calls have no result: {', '.join(open_ids)}.")
        call_ids = [call["id"] for call in message.get("tool_calls") or ()]
        if len(set(call_ids)) < len(call_ids) or seen & set(call_ids):
            raise BrokenHistory("Two calls share one id.")
        seen.update(call_ids)
        open_ids = Counter(call_ids)
    if open_ids:
        raise BrokenHistory(f"Calls have no result: {', '.join(open_ids)}.")


def build_closing_messages(piece: Piece) -> list[ChatMessage]:
    """What is said after a thread that ends with the assistant's own words.

    Anthropic takes such a last message as the beginning of the answer, and others refuse it.
    """
    if piece.message.role == Message.Role.USER or piece.calls or piece.is_draft:
        return []
    if not piece.message.complete:
        return [{"role": "user", "content": GO_ON}]
    # Nobody has said anything since: the turn goes on because the steps of its plan have been decided.
    return [{"role": "user", "content": PLAN_DECIDED}]


def _wire_call(call: ToolCall) -> MessageCall:
    """The call as the model asked for it. Providers refuse arguments that are no object; the result quotes those."""
    try:
        arguments = neutralize_json(json.dumps(parse_arguments(call.proposed_text), ensure_ascii=False))
    except Invalid:
        arguments = "{}"
    return {
        "id": call.wire_id,
        "type": "function",
        "function": {"name": call.tool or "unknown", "arguments": arguments},
    }


def _wire_result(call: ToolCall, maximum: int) -> ChatMessage:
    return {"role": "tool", "tool_call_id": call.wire_id, "content": result_text(call, maximum, reason_follows=True)}
