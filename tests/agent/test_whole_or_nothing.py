"""A process that dies between two statements leaves a call as it was, never half of its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from accounts.actor import Actor
from agent.calls import execution
from agent.models import Rule, ToolCall
from tests.agent.conftest import notes
from tests.agent.decision_rows import Propose, say
from tests.agent.test_execution import AUTO
from tests.agent.test_fences import claim, state_of

pytestmark = pytest.mark.servers


class Death(Exception):
    pass


@contextmanager
def dies_at(statement: str) -> Iterator[None]:
    """This process, when it comes to such a statement."""

    def run(go_on: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith(statement):
            raise Death
        return go_on(sql, *rest)

    with connection.execute_wrapper(run), pytest.raises(Death):
        yield


def test_an_effect_does_not_stay_without_the_end_of_its_call(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}))
    say(actor, call)
    claimed = claim(call)
    with dies_at('INSERT INTO "agent_event"'):
        execution.execute_claimed(claimed, holder="test")
    assert state_of(call)[::2] == ("approved", None) and not notes().exists()


def test_a_card_does_not_go_without_the_one_in_its_place(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("draft", {"text": "x"}), mode=AUTO)
    Rule.objects.create(organization=actor.organization, scope="organization", tool="draft", verdict="ask")
    claimed = claim(call)
    with dies_at('INSERT INTO "agent_toolcall"'):
        execution.execute_claimed(claimed, holder="test")
    assert state_of(call)[0] == "approved" and ToolCall.objects.count() == 1
    execution.execute(call.pk, holder="test")
    assert state_of(call)[0] == "stale" and call.replaced_by.get().status == "pending"


def test_no_outcome_is_reported_without_a_trace(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("send", {"to": "x"}))
    say(actor, call)
    execution.release_call(claim(call))
    with dies_at('INSERT INTO "accounts_auditentry"'):
        execution.resolve_outcome(actor, call=ToolCall.objects.get(), happened=True)
    assert state_of(call)[::2] == ("in_doubt", None)
