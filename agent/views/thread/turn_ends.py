"""What stands at the end of a turn on a page: what it has changed, and how it ended or goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from agent.models import Message, ToolCall, Turn
from agent.toolkit.turn_changes import describe_turn_changes
from agent.turns.outcome_text import TurnOutcome, describe_turn_outcome
from agent.turns.turn_views import AWAY, HALTED
from agent.views.thread.thread_items import ChangesNote, Item, Live, Note

WORKING = (Turn.Status.QUEUED, Turn.Status.RUNNING)


def build_changes(turn: Turn, calls: Iterable[ToolCall]) -> Iterator[Item]:
    if changes := describe_turn_changes(call for call in calls if call.turn_id == turn.pk):
        version = sha256(changes.sentence.encode()).hexdigest()[:12]
        yield ChangesNote(f"changes-{turn.pk}", changes, version)


def build_end(turn: Turn, messages: list[Message], *, is_away: bool) -> Iterator[Item]:
    if turn.status == Turn.Status.QUEUED and turn.thread.organization.agent_stopped:
        yield Note(f"note-{turn.pk}", turn, TurnOutcome("wait", HALTED), version="halted")
        return
    if is_away:
        yield Note(f"away-{turn.pk}", turn, TurnOutcome("wait", AWAY), version="away")
    if turn.status in WORKING:
        # The element is there before the first word of the round; the socket names rounds from 1.
        key = f"live-{turn.pk}-{turn.round + 1}"
        version = f"{turn.status}-{len(turn.partial_text)}-{len(turn.partial_thinking)}-{is_away}"
        yield Live(key=key, turn=turn, version=version, is_away=is_away)
        return
    outcome = describe_turn_outcome(turn, messages)
    if outcome.sentence:
        yield Note(f"note-{turn.pk}", turn, outcome, version=f"{turn.status}-{turn.pause_reason}-{turn.round}")
