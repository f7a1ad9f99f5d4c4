"""Threads: going back in one."""

from __future__ import annotations

import pytest

from accounts.models import AuditEntry, Role
from agent.models import Compaction, Event, Thread, ToolCall, Turn
from agent.services import threads, turns
from docrouter.kit.errors import Conflict, Denied, NotFound

pytestmark = pytest.mark.django_db


def said(thread):
    return [(message.number, message.dropped_at is not None) for message in thread.messages.order_by("number")]


@pytest.fixture
def spoken(actor, thread, propose):
    """A person's message (1), the agent's answer with a card that waits (2)."""
    turn = turns.start(actor, thread=thread, text="Set up extraction")
    Turn.objects.filter(pk=turn.pk).update(status="completed")
    propose(("note", {"text": "x"}))
    Thread.objects.update(last_message=2)
    thread.refresh_from_db()
    return thread


def test_going_back_drops_what_follows_and_withdraws_what_waits(spoken, actor):
    assert threads.go_back(actor, thread=spoken, message_number=1) == 2
    assert said(spoken) == [(1, True), (2, True)]
    assert set(ToolCall.objects.values_list("status", flat=True)) == {"superseded"}
    assert not spoken.turns.filter(status__in=Turn.LIVE).exists()
    assert AuditEntry.objects.filter(action="went back", detail__dropped=2).exists()
    assert Event.objects.filter(kind="messages.dropped").count() == 1


def test_going_back_to_the_first_message_leaves_the_title_to_the_next_one(spoken, actor):
    assert spoken.title == "Set up extraction"
    threads.go_back(actor, thread=spoken, message_number=1)
    turns.start(actor, thread=spoken, text="Only the totals")
    spoken.refresh_from_db()
    assert spoken.title == "Only the totals"


def test_a_digest_that_tells_of_a_dropped_message_goes_with_it(spoken, actor):
    turn = spoken.turns.first()
    turns.start(actor, thread=spoken, text="And now the date")
    number = spoken.messages.latest("number").number
    for upto in (1, number):
        Compaction.objects.create(
            thread=spoken, turn=turn, upto=upto, digest="x", tokens_before=9, tokens_after=1
        )  # fmt: skip
    threads.go_back(actor, thread=spoken, message_number=number)
    assert list(Compaction.objects.values_list("upto", flat=True)) == [1]


@pytest.mark.parametrize("number", [0, 2, 9])
def test_one_goes_back_to_a_message_of_ones_own_only(spoken, actor, number):
    with pytest.raises(NotFound, match=f"no message {number} of yours"):
        threads.go_back(actor, thread=spoken, message_number=number)
    assert said(spoken) == [(1, False), (2, False)]


def test_nobody_goes_back_while_the_agent_writes(spoken, actor):
    Turn.objects.filter(status="awaiting_approval").update(status="running")
    with pytest.raises(Conflict, match="still writing"):
        threads.go_back(actor, thread=spoken, message_number=1)
    assert said(spoken) == [(1, False), (2, False)]


def test_only_the_owner_goes_back(spoken, member):
    with pytest.raises(Denied):
        threads.go_back(member(Role.ADMIN), thread=spoken, message_number=1)
