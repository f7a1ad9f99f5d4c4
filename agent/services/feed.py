"""The durable feed of a thread. Pages replay it after a reconnect; it names ids and statuses, never contents."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from agent.models import Event, Thread, ToolCall, Turn
from docrouter.kit import events


def append(thread_id: str, kind: str, **payload: object) -> None:
    """Call it last in the transaction: the number is allotted under the thread's row lock, so none is ever skipped."""
    _write(thread_id, [Event(kind=kind, payload=payload)])


def turn_changed(turn: Turn) -> None:
    _write(turn.thread_id, [_of_turn(turn)])


def call_changed(call: ToolCall) -> None:
    _write(call.thread_id, [_of_call(call)])


def round_added(turn: Turn, message_id: str, calls: list[ToolCall]) -> None:
    """What a round of the model brought, in one go: its message, its calls, and what became of the turn."""
    message = Event(kind="message.added", payload={"message_id": message_id, "turn_id": turn.pk})
    _write(turn.thread_id, [message, *map(_of_call, calls), _of_turn(turn)])


def state_changed(thread: Thread) -> None:
    append(thread.pk, "state.changed", working_state=thread.working_state)


def _of_turn(turn: Turn) -> Event:
    payload = {"turn_id": turn.pk, "status": turn.status, "pause_reason": turn.pause_reason}
    return Event(kind="turn.changed", payload=payload)


def _of_call(call: ToolCall) -> Event:
    return Event(kind="call.changed", payload={"call_id": call.pk, "turn_id": call.turn_id, "status": call.status})


def _write(thread_id: str, rows: list[Event]) -> None:
    Thread.objects.filter(pk=thread_id).update(last_seq=F("last_seq") + len(rows))
    last: int = Thread.objects.values_list("last_seq", flat=True).get(pk=thread_id)
    for seq, row in enumerate(rows, start=last - len(rows) + 1):
        row.thread_id, row.seq = thread_id, seq
    Event.objects.bulk_create(rows)
    for row in rows:
        payload: dict[str, Any] = row.payload
        events.publish(events.thread_group(thread_id), row.kind, seq=row.seq, **payload)
