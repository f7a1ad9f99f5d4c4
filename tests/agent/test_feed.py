"""The events of a transaction: numbered at its end, together, and gone with what rolls back."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from agent import feed
from agent.conversation import messages
from agent.models import Event, Message, Thread, Turn
from agent.turns import turns
from kit.errors import Invalid

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def turn(actor: Actor, thread: Thread) -> Turn:
    return turns.start(actor, thread=thread, text="Hello")


def list_events(thread: Thread) -> list[tuple[int, object]]:
    return list(Event.objects.filter(thread=thread).values_list("seq", "payload__at"))


def test_it_numbers_all_events_of_a_transaction_by_one_statement(thread: Thread) -> None:
    first = thread.last_seq
    with CaptureQueriesContext(connection) as queries, feed.one_transaction():
        for at in range(3):
            feed.append(thread.pk, "state.changed", at=at)
    numbered = [query["sql"] for query in queries if '"last_seq" =' in query["sql"]]
    assert len(numbered) == 1 and sum('INSERT INTO "agent_event"' in query["sql"] for query in queries) == 1
    assert list_events(thread) == [(first + 1, 0), (first + 2, 1), (first + 3, 2)]


def test_what_was_written_inside_a_savepoint_goes_with_it(thread: Thread) -> None:
    with feed.one_transaction():
        feed.append(thread.pk, "state.changed", at="before")
        with pytest.raises(Invalid), transaction.atomic():
            feed.append(thread.pk, "state.changed", at="inside")
            raise Invalid("This rolls back.")
        feed.append(thread.pk, "state.changed", at="after")
    first = list_events(thread)[0][0]
    assert list_events(thread) == [(first, "before"), (first + 1, "after")]


def test_a_transaction_that_fails_writes_no_event_into_the_next_one(thread: Thread) -> None:
    with pytest.raises(Invalid), feed.one_transaction():
        feed.append(thread.pk, "state.changed", at="lost")
        raise Invalid("This rolls back.")
    with feed.one_transaction():
        feed.append(thread.pk, "state.changed", at="kept")
    assert [at for _, at in list_events(thread)] == ["kept"]


def test_nothing_is_numbered_in_a_thread_that_is_gone(thread: Thread) -> None:
    with pytest.raises(Thread.DoesNotExist), transaction.atomic():
        feed.append("0" * 24, "state.changed")


def test_messages_columns_and_events_of_a_transaction_share_one_statement(turn: Turn) -> None:
    thread = Thread.objects.get(pk=turn.thread_id)
    with CaptureQueriesContext(connection) as queries, feed.one_transaction():
        written = [messages.write(turn, role="assistant", blocks=[{"type": "text", "text": word}]) for word in "ab"]
        feed.change_thread(thread.pk, working_state={"extraction_id": "1"})
        feed.append(thread.pk, "state.changed", at=1)
    assert sum(query["sql"].startswith('UPDATE "agent_thread"') for query in queries) == 1
    numbers = [thread.last_message + 1, thread.last_message + 2]
    assert (
        list(Message.objects.filter(pk__in=[each.pk for each in written]).values_list("number", flat=True)) == numbers
    )
    stored = Thread.objects.get(pk=thread.pk)
    assert (stored.last_message, stored.working_state) == (numbers[-1], {"extraction_id": "1"})
    assert stored.updated_at > thread.updated_at and stored.last_seq == thread.last_seq + 1


def test_a_message_inside_a_savepoint_goes_with_it_and_its_number_is_given_again(turn: Turn) -> None:
    before = Thread.objects.get(pk=turn.thread_id).last_message
    with feed.one_transaction():
        with pytest.raises(Invalid), transaction.atomic():
            messages.write(turn, role="assistant", blocks=[])
            raise Invalid("This rolls back.")
        kept = messages.write(turn, role="assistant", blocks=[])
    assert kept.number == before + 1 == Thread.objects.get(pk=turn.thread_id).last_message
