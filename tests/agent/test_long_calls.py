"""A call that takes long looks whether it may go on: its turn, this process, and its lease."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.actor import Actor
from agent.calls import execution
from agent.conversation import threads
from agent.models import CALL_LEASE, ToolCall, Turn
from agent.toolkit.registry import Result, ToolContext
from agent.toolkit.tool_kinds import Access, Effect
from kit import stopping
from llm.client import Cancelled
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import Propose, say
from tests.agent.test_fences import claim, register_tool, state_of


@pytest.fixture
def running_process() -> Iterator[None]:
    yield
    stopping._stop_event.clear()


@contextmanager
def claim_long_call(actor: Actor, propose: Propose, meanwhile: Callable[[ToolCall], object]) -> Iterator[ToolCall]:
    """A claimed call of a tool in whose course something happens, and which then looks whether to go on."""

    def ponder(context: ToolContext) -> Result:
        """Works for long."""
        meanwhile(claimed)
        if context.cancelled():
            raise Cancelled
        return {"done": True}

    about = {"access": Access.COSTLY, "effect": Effect.PREPARED, "apply": lambda context, result: result}
    with register_tool(ponder, **about):
        (call,) = propose(("ponder", {}))
        say(actor, call)
        claimed = claim(call)
        yield claimed


def cancel_turn(call: ToolCall) -> None:
    Turn.objects.filter(pk=call.turn_id).update(cancel_requested_at=timezone.now())


def test_it_ends_with_its_turn(actor: Actor, propose: Propose) -> None:
    with claim_long_call(actor, propose, cancel_turn) as call:
        propose_all(threads.create(actor), ("look", {"word": "x"}))  # a turn that nobody cancels
        execution.execute_claimed(call, holder="test")
        assert state_of(call)[::2] == ("failed", {"error": execution.STOPPED})


def test_it_is_put_back_when_the_process_ends_and_the_try_does_not_count(
    actor: Actor, propose: Propose, running_process: None
) -> None:
    with claim_long_call(actor, propose, lambda call: stopping.ask()) as call:
        execution.execute_claimed(call, holder="test")
        assert (*state_of(call)[::2], call.attempt) == ("approved", None, 0)


def test_it_keeps_its_lease_while_it_works(actor: Actor, propose: Propose) -> None:
    def grow_old(call: ToolCall) -> None:
        call.lease_until = timezone.now() + CALL_LEASE.duration / 3
        call.save(update_fields=["lease_until"])

    kept: list[bool] = []

    def look(call: ToolCall) -> None:
        grow_old(call)
        kept.append(execution._may_go_on(call))
        stored = ToolCall.objects.get(pk=call.pk)
        kept.append(bool(stored.lease_until and stored.lease_until > timezone.now() + CALL_LEASE.duration / 2))

    with claim_long_call(actor, propose, look) as call:
        execution.execute_claimed(call, holder="test")
        assert state_of(call)[::2] == ("succeeded", {"done": True})
    assert kept == [True, True]


def test_it_stops_once_it_is_another_workers(actor: Actor, propose: Propose) -> None:
    kept: list[bool] = []

    def be_taken_over(call: ToolCall) -> None:
        call.lease_until = timezone.now() + timedelta(seconds=1)
        ToolCall.objects.update(fence=call.fence + 1)
        kept.append(execution._may_go_on(call))

    with claim_long_call(actor, propose, be_taken_over) as call:
        execution.execute_claimed(call, holder="test")
        assert state_of(call)[::2] == ("executing", None)
    assert kept == [False]


def test_what_was_sent_out_has_its_result(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("send", {"to": "x"}))
    say(actor, call)
    execution.execute(call.pk, holder="test")
    assert state_of(call)[::2] == ("succeeded", {"sent": "x"}) and call.finished_at
    assert Turn.objects.get().status == "queued"
