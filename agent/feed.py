"""The durable feed of a thread. Pages replay it after a reconnect; it names ids and statuses, never contents."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.utils import timezone

from agent.models import Event, Message, Thread, ToolCall, Turn
from agent.toolkit.tool_kinds import Effect
from kit import events
from kit.rows.fixed_update import update_row

# A turn that stands still, or whose end takes its cards with it.
WAITING_OR_ENDED = (Turn.Status.PAUSED, Turn.Status.CANCELLED, Turn.Status.EXPIRED)


@dataclass
class _ThreadChange:
    """What one UPDATE of a thread's row brings: numbers for events and messages, and other `columns`.

    `waits`: it may change what waits for a person in the organization.
    """

    rows: list[Event] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    columns: dict[str, object] = field(default_factory=dict)
    waits: bool = False

    def merge(self, other: _ThreadChange) -> None:
        self.rows += other.rows
        self.messages += other.messages
        self.columns |= other.columns
        self.waits = self.waits or other.waits


@dataclass
class _Pending:
    """What of one transaction is written at its end, by thread, and how deep in savepoints it began."""

    depth: int
    threads: dict[str, _ThreadChange] = field(default_factory=dict)


class _Open(threading.local):
    def __init__(self) -> None:
        self.blocks: list[_Pending] = []


_open = _Open()


@contextmanager
def one_transaction() -> Iterator[None]:
    """A transaction at whose end the thread's messages and events are numbered, written and sent together."""
    with transaction.atomic():
        pending = _Pending(len(connection.savepoint_ids))
        _open.blocks.append(pending)
        try:
            yield
        finally:
            _open.blocks.pop()
        for thread_id, change in pending.threads.items():
            _write_now(thread_id, change)


def append(thread_id: str, kind: str, **payload: object) -> None:
    """Call it last in the transaction: the number is allotted under the thread's row lock, so none is ever skipped."""
    _write(thread_id, [Event(kind=kind, payload=payload)], waits="trashed" in payload)


def add_message(message: Message, **columns: object) -> None:
    """Numbers the message and writes it: at once, or at the end of `one_transaction`. `columns` are the thread's."""
    columns["updated_at"] = timezone.now()
    _change(message.thread_id, _ThreadChange(messages=[message], columns=columns))


def change_thread(thread_id: str, **columns: object) -> None:
    """Writes columns of the thread's row together with its events."""
    _change(thread_id, _ThreadChange(columns={**columns, "updated_at": timezone.now()}))


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
    _change(thread_id, _ThreadChange(rows=rows, waits=waits))


def _change(thread_id: str, change: _ThreadChange) -> None:
    pending = _open.blocks[-1] if _open.blocks else None
    # What is written inside a savepoint goes with it when that rolls back.
    if pending is None or pending.depth != len(connection.savepoint_ids):
        return _write_now(thread_id, change)
    return pending.threads.setdefault(thread_id, _ThreadChange()).merge(change)


def _write_now(thread_id: str, change: _ThreadChange) -> None:
    """Numbers are allotted by the one statement that locks the thread's row."""
    rows, messages = change.rows, change.messages
    numbers = {"last_seq__add": len(rows), "last_message__add": len(messages)}
    read = ("last_seq", "last_message", "organization", "owner")
    stored = update_row(Thread, {**numbers, **change.columns}, where={"pk": thread_id}, read=read)
    if stored is None:
        raise Thread.DoesNotExist
    last_seq, last_message, organization_id, owner_id = stored
    for number, message in enumerate(messages, start=last_message - len(messages) + 1):
        message.number = number
        message.save(force_insert=True)
    for seq, row in enumerate(rows, start=last_seq - len(rows) + 1):
        row.thread_id, row.seq = thread_id, seq
    if rows:
        Event.objects.bulk_create(rows)
        _publish(rows, organization_id, owner_id, waits=change.waits)


def _publish(rows: list[Event], organization_id: str, owner_id: str, *, waits: bool) -> None:
    group = events.thread_group(rows[0].thread_id)
    messages = [(group, {"kind": row.kind, "seq": row.seq, **row.payload}) for row in rows]
    messages.append((events.member_group(organization_id, owner_id), {"kind": "threads.changed"}))
    if waits:
        messages.append((events.organization_group(organization_id), {"kind": "inbox.changed"}))
    events.publish_all(messages)
