"""The events of a turn, derived from its rows and from a cursor that says what a client has got already.

Nothing is kept for a stream: the id of each event is the whole cursor, so any process can go on from it.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any, Literal, Self, TypeAlias

from agent.api.line_answers import (
    ChunkEvent,
    CitationEvent,
    DoneEvent,
    ErrorEvent,
    RoundExecutedEvent,
    RoundRestartedEvent,
    TextDoneEvent,
    ThinkingDoneEvent,
    ToolCallsEvent,
    ToolProgressEvent,
    ToolResultEvent,
    TurnEvent,
)
from agent.api.results import build_result, describe_round, flatten_call
from agent.calls.outcomes import whole_text
from agent.cards.steps import describe_start, describe_step
from agent.citations.checked_answers import has_doubts
from agent.conversation.cited_messages import read_message
from agent.models import ToolCall, Turn
from agent.turns.turn_views import RoundView, TurnView
from kit.ids import is_id
from kit.timestamps import format_timestamp

Step: TypeAlias = "tuple[Cursor, TurnEvent]"
HAS_RESULT = frozenset(ToolCall.TERMINAL) - {ToolCall.Status.STALE}
CALLS_SENT, THINKING_DONE, TEXT_DONE, PAUSE_SENT, CITATION_SENT = 1, 2, 4, 8, 16
MAX_RESULT, PREVIEW = 24_000, 500
CHUNKS: Mapping[str, Literal["thinking_chunk", "assistant_text_chunk"]] = {
    "thinking": "thinking_chunk",
    "text": "assistant_text_chunk",
}
_NUMBERS = re.compile(r"[0-9a-f]{1,400}(\.[0-9a-f]{1,400}){7,8}")


@dataclass(frozen=True)
class Cursor:
    """What was sent: whole rounds before `round`, and of that one so many characters, whose checksum is `sum`.

    `flags` say what of the round, with a bit for each citation; `results` has a bit for each call of the turn, in the
    model's order; `pending`, `end` and `progress` are checksums of the pending calls, of the turn state and of how far
    a call is, as they were sent last.
    """

    turn_id: str
    round: int = 0
    thinking: int = 0
    text: int = 0
    sum: int = 0
    flags: int = 0
    results: int = 0
    pending: int = 0
    end: int = 0
    progress: int = 0

    @property
    def id(self) -> str:
        turn_id, *numbers = astuple(self)
        return f"{turn_id}:{'.'.join(f'{number:x}' for number in numbers)}"

    @classmethod
    def parse(cls, sent: str) -> Self | None:
        """The cursor of a Last-Event-ID; None for one that is not ours."""
        turn_id, _, rest = sent.strip().partition(":")
        if not is_id(turn_id) or not _NUMBERS.fullmatch(rest):
            return None
        return cls(turn_id, *(int(number, 16) for number in rest.split(".")))

    @classmethod
    def at(cls, view: TurnView) -> Self:
        """As if all that is there had been sent, but for how the turn stands: where an approval goes on from."""
        done = sum(1 << at for at, call in enumerate(view.calls) if call.status in HAS_RESULT)
        last = view.rounds[-1] if view.rounds else None
        if last is None or (last.is_over and view.turn.status in Turn.LIVE):
            return cls(view.turn.pk, round=len(view.rounds), results=done)
        sizes = {"thinking": len(last.thinking), "text": len(last.text), "sum": checksum(last.thinking, last.text)}
        return cls(view.turn.pk, round=last.index, flags=CALLS_SENT | THINKING_DONE | TEXT_DONE, results=done, **sizes)


def checksum(*texts: str) -> int:
    return zlib.crc32("\0".join(texts).encode("utf-8", "surrogatepass"))


def frame_event(cursor: Cursor, event: TurnEvent) -> bytes:
    """One event of the stream, with the id that it can be resumed from."""
    return f"id: {cursor.id}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def list_due(view: TurnView, cursor: Cursor, live: tuple[str, str] = ("", "")) -> list[Step]:
    """The events after the cursor, in order, each with the cursor behind it.

    `live` is (thinking, text) of the round that is being written, as far as it is known.
    """
    builder = _EventBuilder(view, cursor)
    builder.rounds()
    builder.results()
    builder.live(live)
    builder.progress()
    if view.stands_still:
        builder.end()
    return builder.steps


def list_due_words(view: TurnView, cursor: Cursor, live: tuple[str, str]) -> list[Step]:
    """Only what is new of the round that is being written. Looks at no row."""
    builder = _EventBuilder(view, cursor)
    builder.live(live)
    return builder.steps


class _EventBuilder:
    def __init__(self, view: TurnView, cursor: Cursor) -> None:
        self.view, self.cursor = view, cursor
        self.steps: list[Step] = []

    def tell(self, event: TurnEvent, **changes: Any) -> None:
        self.cursor = replace(self.cursor, **changes)
        self.steps.append((self.cursor, event))

    def once(self, flag: int, event: TurnEvent) -> None:
        """Once a round."""
        if not self.cursor.flags & flag:
            self.tell(event, flags=self.cursor.flags | flag)

    def rounds(self) -> None:
        for each in self.view.rounds[self.cursor.round :]:
            self.words(each.thinking, each.text, whole=True)
            if not each.calls and not each.is_draft:
                return self.answer(each)
            if each.calls:
                self.calls(each)
            self.results()
            if not each.is_over:
                return None
            fresh = {"thinking": 0, "text": 0, "sum": 0, "flags": 0, "end": 0}
            ended: RoundExecutedEvent = {"type": "round_executed", "round_index": each.index, **describe_round(each)}
            self.tell(ended, round=each.index + 1, **fresh)
        return None

    def live(self, words: tuple[str, str]) -> None:
        view = self.view
        if self.cursor.round == len(view.rounds) == view.turn.round and not view.stands_still:
            self.words(*words, whole=False)

    def words(self, thinking: str, text: str, *, whole: bool) -> None:
        """What is new. A worker that took the round over may have said something else: then all of it is."""
        at = self.cursor
        is_shorter = len(thinking) < at.thinking or len(text) < at.text
        if is_shorter and not whole:
            return
        began = at.thinking or at.text
        if began and (is_shorter or checksum(thinking[: at.thinking], text[: at.text]) != at.sum):
            self.tell(RoundRestartedEvent(type="round_restarted", round_index=at.round), thinking=0, text=0, sum=0)
        for name, written in (("thinking", thinking), ("text", text)):
            if chunk := written[getattr(self.cursor, name) :]:
                shown = {"thinking": self.cursor.thinking, "text": self.cursor.text, name: len(written)}
                sum = checksum(thinking[: shown["thinking"]], text[: shown["text"]])
                self.tell(ChunkEvent(type=CHUNKS[name], chunk=chunk, round_index=at.round), **shown, sum=sum)

    def answer(self, each: RoundView) -> None:
        """The end of a round without calls."""
        if each.thinking:
            thought = ThinkingDoneEvent(type="thinking_done", thinking=each.thinking, round_index=each.index)
            self.once(THINKING_DONE, thought)
        if not self.cursor.flags & TEXT_DONE:
            text = _read_answer(each)
            self.once(TEXT_DONE, TextDoneEvent(type="assistant_text_done", full_text=text, round_index=each.index))

    def calls(self, each: RoundView) -> None:
        if self.cursor.flags & CALLS_SENT:
            return
        before = sum(len(earlier.calls) for earlier in self.view.rounds[: each.index])
        numbered = [
            (number, call)
            for number, call in enumerate(each.calls, before + 1)
            if call.status != ToolCall.Status.PENDING
        ]
        if numbered:
            ran = [flatten_call(call) for _, call in numbered]
            steps = [describe_start(call, number) for number, call in numbered]
            event = ToolCallsEvent(
                type="tool_calls", round_index=each.index, tool_calls=ran, pending=False, steps=steps
            )
            self.once(CALLS_SENT, event)

    def results(self) -> None:
        """Calls that ended since, in the order in which they did; also those of earlier rounds: the steps of a plan run
        after it."""
        rounds = self.view.rounds[: self.cursor.round + 1]
        numbered = list(enumerate((each.index, call) for each in rounds for call in each.calls))
        for at, (index, call) in sorted(numbered, key=lambda each: (each[1][0], _get_end(each[1][1]), each[0])):
            if call.status in HAS_RESULT and not self.cursor.results >> at & 1:
                self.tell(_build_result_event(index, call, at + 1), results=self.cursor.results | 1 << at)

    def progress(self) -> None:
        """As it is now, of all calls once one of them is further; what was between is not told."""
        rounds = self.view.rounds[: self.cursor.round + 1]
        events = [event for each in rounds for call in each.calls if (event := _build_progress_event(each.index, call))]
        state = checksum(*(f"{event['call_id']} {event['done']}" for event in events)) if events else 0
        if state not in (0, self.cursor.progress):
            for event in events[:-1]:
                self.tell(event)
            self.tell(events[-1], progress=state)

    def end(self) -> None:
        """The state of the turn now, once: a client that has heard it hears nothing."""
        turn, pending = self.view.turn, self.view.pending
        pending_sum = checksum(*(call.pk for call in pending)) if pending else 0
        end = checksum(turn.status, turn.pause_reason, str(turn.round), str(turn.max_rounds), str(pending_sum))
        if self.cursor.end == end:
            return
        if turn.status == Turn.Status.PAUSED and turn.pause_reason == Turn.Pause.MAX_ROUNDS:
            text = TextDoneEvent(type="assistant_text_done", full_text=self.view.text, round_index=self.cursor.round)
            self.once(PAUSE_SENT, text)
        if pending and self.cursor.pending != pending_sum:
            listed = [flatten_call(call) for call in pending]
            index = max(0, turn.round - 1)
            event = ToolCallsEvent(type="tool_calls", round_index=index, tool_calls=listed, pending=True, steps=[])
            self.tell(event, pending=pending_sum)
        if self.view.failure:
            self.tell(ErrorEvent(type="error", error=self.view.failure), end=end)
        else:
            result = build_result(self.view)
            for citation in result["citations"]:
                self.once(CITATION_SENT << citation["number"], CitationEvent(type="citation", **citation))
            self.tell(DoneEvent(type="done", result=result), end=end)


def _read_answer(each: RoundView) -> str:
    """With the numbers of its citations, which follow, where it was checked, and the mark of what is not proven."""
    message = each.message
    return read_message(message).numbered if message and has_doubts(message) else each.text


def _get_end(call: ToolCall) -> str:
    return format_timestamp(call.finished_at or call.created_at)


def _build_progress_event(index: int, call: ToolCall) -> ToolProgressEvent | None:
    known = (call.result or {}).get("progress")
    if call.status != ToolCall.Status.EXECUTING or known is None:
        return None
    return {
        "type": "tool_progress",
        "round_index": index,
        "call_id": call.pk,
        "name": call.tool,
        "done": known["visited"],
        "total": known["documents"],
    }


def _build_result_event(index: int, call: ToolCall, number: int) -> ToolResultEvent:
    read = whole_text(call)
    is_short = len(read) <= MAX_RESULT
    error = json.loads(read).get("error") if is_short else None
    is_success = call.status == ToolCall.Status.SUCCEEDED and not error
    event: ToolResultEvent = {
        "type": "tool_result",
        "round_index": index,
        "call_id": call.pk,
        "name": call.tool,
        "success": is_success,
        "step": describe_step(call, number, read),
    }
    if not is_success:
        event["error"] = str(error or read[:PREVIEW])
        return event
    if is_short:
        event["result"] = call.result or {}
    event["preview"] = read[:PREVIEW]
    return event
