"""Waiting for a turn, as a request over /v0 does."""

from __future__ import annotations

import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Organization
from agent.models import Thread, Turn
from agent.turns import turn_views
from kit.errors import Denied
from tests.agent.chat import NOTE
from tests.agent.conftest import propose_all

pytestmark = pytest.mark.servers

SHORT_SECONDS = 0.15


def count_whole_reads(queries: CaptureQueriesContext) -> int:
    return sum('FROM "agent_message"' in query["sql"] for query in queries)


@pytest.mark.parametrize(
    ("status", "call_status"),
    [("queued", "succeeded"), ("running", "succeeded"), ("awaiting_approval", "approved")],
)
def test_a_turn_that_goes_on_is_read_whole_and_checked_only_at_the_end(
    thread: Thread, status: str, call_status: str
) -> None:
    turn = turn_with_call(thread, status, call_status)
    checks: list[int] = []
    with CaptureQueriesContext(connection) as queries:
        view = turn_views.wait_for(turn.pk, seconds=SHORT_SECONDS, check=lambda: checks.append(1))
    assert view.turn.status == status and not view.stands_still
    assert (count_whole_reads(queries), len(checks)) == (1, 1)


def test_who_may_no_longer_look_gets_nothing_at_the_end(thread: Thread) -> None:
    turn = turn_with_call(thread, "running", "succeeded")

    def refuse() -> None:
        raise Denied("You are not a member.")

    with CaptureQueriesContext(connection) as queries, pytest.raises(Denied):
        turn_views.wait_for(turn.pk, seconds=SHORT_SECONDS, check=refuse)
    assert count_whole_reads(queries) == 0


@pytest.mark.django_db(transaction=True)
def test_it_ends_when_an_admin_stops_the_agent_meanwhile(thread: Thread) -> None:
    turn = turn_with_call(thread, "queued", "succeeded")
    stop = threading.Timer(SHORT_SECONDS, stop_agent, [thread.organization_id])
    stop.start()
    view = turn_views.wait_for(turn.pk, seconds=120)
    stop.join()
    assert view.is_halted and view.turn.status == "queued"


def stop_agent(organization_id: str) -> None:
    Organization.objects.filter(pk=organization_id).update(agent_stopped=True)
    connection.close()


def turn_with_call(thread: Thread, status: str, call_status: str) -> Turn:
    (call,) = propose_all(thread, NOTE)
    type(call).objects.filter(pk=call.pk).update(status=call_status)
    Turn.objects.filter(pk=call.turn_id).update(status=status)
    return Turn.objects.get(pk=call.turn_id)
