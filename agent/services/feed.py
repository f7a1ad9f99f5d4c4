"""The durable feed of a thread. Pages replay it after a reconnect; it names ids and statuses, never contents."""

from __future__ import annotations

from django.db.models import F

from agent.models import Event, Thread, ToolCall, Turn
from docrouter.kit import events


def append(thread_id: str, kind: str, **payload: object) -> Event:
    """Call it last in the transaction: the number is allotted under the thread's row lock, so none is ever skipped."""
    Thread.objects.filter(pk=thread_id).update(last_seq=F("last_seq") + 1)
    seq = Thread.objects.values_list("last_seq", flat=True).get(pk=thread_id)
    event = Event.objects.create(thread_id=thread_id, seq=seq, kind=kind, payload=payload)
    events.publish(events.thread_group(thread_id), kind, seq=seq, **payload)
    return event


def turn_changed(turn: Turn) -> None:
    append(turn.thread_id, "turn.changed", turn_id=turn.pk, status=turn.status, pause_reason=turn.pause_reason)


def call_changed(call: ToolCall) -> None:
    append(call.thread_id, "call.changed", call_id=call.pk, turn_id=call.turn_id, status=call.status)


def state_changed(thread: Thread) -> None:
    append(thread.pk, "state.changed", working_state=thread.working_state)
