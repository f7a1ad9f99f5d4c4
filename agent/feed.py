"""The durable feed of a thread. Pages replay it after a reconnect; it names ids and statuses, never contents."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction

from agent.models import Event, Thread, ToolCall, Turn
from agent.toolkit.registry import Effect
from kit import events
from kit.rows.fixed_update import update_row

# A turn that stands still, or whose end takes its cards with it.
WAITING_OR_ENDED = (Turn.Status.PAUSED, Turn.Status.CANCELLED, Turn.Status.EXPIRED)


@dataclass
class _Pending:
    """The events of one transaction so far, and how deep in savepoints it began."""

    depth: int
    rows: list[Event] = field(default_factory=list)
    waits: bool = False


class _Open(threading.local):
    def __init__(self) -> None:
        self.blocks: list[_Pending] = []


_open = _Open()


@contextmanager
def one_transaction() -> Iterator[None]:
    """A transaction at whose end the thread's events are numbered, written and sent together."""
    with transaction.atomic():
        pending = _Pending(len(connection.savepoint_ids))
        _open.blocks.append(pending)
        try:
            yield
        finally:
            _open.blocks.pop()
        for thread_id in dict.fromkeys(row.thread_id for row in pending.rows):
            _write_now(thread_id, [row for row in pending.rows if row.thread_id == thread_id], waits=pending.waits)


def append(thread_id: str, kind: str, **payload: object) -> None:
    """Call it last in the transaction: the number is allotted under the thread's row lock, so none is ever skipped."""
    _write(thread_id, [Event(kind=kind, payload=payload)], waits="trashed" in payload)


def report_turn(turn: Turn) -> None:
    _write(turn.thread_id, [_of_turn(turn)], waits=turn.status in WAITING_OR_ENDED)


def report_call(call: ToolCall) -> None:
    _write(call.thread_id, [_of_call(call)], waits=_is_for_people(call))


def report_round(turn: Turn, message_id: str, calls: list[ToolCall]) -> None:
    """What a round of the model brought, in one go: its message, its calls, and the state of the turn."""
    message = Event(kind="message.added", payload={"message_id": message_id, "turn_id": turn.pk})
    waits = turn.status in WAITING_OR_ENDED or any(map(_is_for_people, calls))
    _write(turn.thread_id, [message, *map(_of_call, calls), _of_turn(turn)], waits=waits)


def report_inbox(organization_id: str) -> None:
    """Something has begun or ceased to wait for a person: open pages count again, and open inboxes fetch theirs."""
    events.publish(events.organization_group(organization_id), "inbox.changed")


def report_threads(thread: Thread) -> None:
    """For the lists of its owner's threads: there is a new one, or its title or what goes on in it has changed."""
    events.publish(events.member_group(thread.organization_id, thread.owner_id), "threads.changed")


def report_state(thread: Thread) -> None:
    append(thread.pk, "state.changed", working_state=thread.working_state)


def _of_turn(turn: Turn) -> Event:
    payload = {"turn_id": turn.pk, "status": turn.status, "pause_reason": turn.pause_reason}
    return Event(kind="turn.changed", payload=payload)


def _of_call(call: ToolCall) -> Event:
    return Event(kind="call.changed", payload={"call_id": call.pk, "turn_id": call.turn_id, "status": call.status})


def _is_for_people(call: ToolCall) -> bool:
    """It is or was a card, or a person has to report its outcome."""
    return call.expires_at is not None or call.effect == Effect.EXTERNAL


def _write(thread_id: str, rows: list[Event], *, waits: bool) -> None:
    """`waits`: it may change what waits for a person in the organization."""
    for row in rows:
        row.thread_id = thread_id
    pending = _open.blocks[-1] if _open.blocks else None
    # What is written inside a savepoint goes with it when that rolls back.
    if pending is None or pending.depth != len(connection.savepoint_ids):
        return _write_now(thread_id, rows, waits=waits)
    pending.rows += rows
    pending.waits = pending.waits or waits
    return None


def _write_now(thread_id: str, rows: list[Event], *, waits: bool) -> None:
    """The number is allotted by the one statement that locks the thread's row."""
    stored = update_row(
        Thread, {"last_seq__add": len(rows)}, where={"pk": thread_id}, read=("last_seq", "organization", "owner")
    )
    if stored is None:
        raise Thread.DoesNotExist
    last, organization_id, owner_id = stored
    for seq, row in enumerate(rows, start=last - len(rows) + 1):
        row.seq = seq
    Event.objects.bulk_create(rows)
    group = events.thread_group(thread_id)
    messages = [(group, {"kind": row.kind, "seq": row.seq, **row.payload}) for row in rows]
    messages.append((events.member_group(organization_id, owner_id), {"kind": "threads.changed"}))
    if waits:
        messages.append((events.organization_group(organization_id), {"kind": "inbox.changed"}))
    events.publish_all(messages)
