"""A holder that was taken for dead changes nothing, and a call that never ends is given up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization
from agent.calls import execution
from agent.calls.leases.claiming import claim_call
from agent.models import Message, Rule, Thread, ToolCall, Turn
from agent.toolkit.registry import Reach, Result, ToolContext, registry, tool
from agent.toolkit.tool_kinds import PAID, Access
from agent.turns import sweep, turn_queue, turn_runner, turns
from documents.models import Document
from kit.leases import LeaseLost
from llm.client import ModelAnswer
from tests.agent.decision_rows import Propose, say
from tests.agent.test_execution import AUTO, run
from tests.scripted_model import ScriptedModel, says

pytestmark = pytest.mark.servers


@contextmanager
def register_tool(function: Callable[..., Result], **about: Any) -> Iterator[None]:
    paid = {"cost": "a model call", "timeout": 60} if about.get("access") in PAID else {}
    tool(**{"category": "document", "access": Access.READ, "title": "Made for a test", **paid, **about})(function)
    try:
        yield
    finally:
        registry.remove(function.__name__)


def claim(call: ToolCall) -> ToolCall:
    claimed = claim_call(call.pk)
    assert claimed
    return claimed


def state_of(call: ToolCall) -> tuple[str, int, Any]:
    call.refresh_from_db()
    return call.status, call.fence, call.result


def test_a_claim_that_was_given_back_ends_nothing_of_the_next_one(propose: Propose) -> None:
    (call,) = propose(("draft", {"text": "x"}), mode=AUTO)
    late = claim(call)
    stale = ToolCall.objects.select_related("turn").get(pk=call.pk)
    execution.release_call(late, counts=False)
    present = claim(call)

    with pytest.raises(LeaseLost):
        execution._finish_call(stale, ToolCall.Status.SUCCEEDED, {"text": "late"})
    execution.release_call(stale)
    assert state_of(call) == ("executing", present.fence, None)
    execution._finish_call(present, ToolCall.Status.SUCCEEDED, {"text": "x"})
    assert state_of(call)[0] == "succeeded"


def test_a_call_that_is_claimed_while_it_is_read_is_not_claimed_again_with_the_same_number(propose: Propose) -> None:
    (call,) = propose(("look", {"word": "x"}))
    others: list[ToolCall] = []

    def claim_first(go_on: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith('UPDATE "agent_toolcall"') and not others:
            others.append(ToolCall.objects.get(pk=call.pk))
            others.append(claim(call))
            execution.release_call(others[-1], counts=False)
        return go_on(sql, *rest)

    with connection.execute_wrapper(claim_first):
        late = claim_call(call.pk)
    assert late is None and others[-1].fence == 1
    assert claim(call).fence == 2


def test_a_read_is_dropped_by_the_executor_that_was_taken_for_dead(propose: Propose, thread: Thread) -> None:
    def peek(context: ToolContext) -> Result:
        """Takes so long that the lease ends, and another takes over."""
        ToolCall.objects.update(lease_until=timezone.now())
        sweep.run_once()
        assert claim_call(context.call_id)
        return {"seen": "late"}

    with register_tool(peek):
        (call,) = propose(("peek", {}))
        assert run(call).status == "executing" and call.result is None


@pytest.mark.django_db(transaction=True)
def test_a_read_that_takes_long_keeps_nobody_from_writing(propose: Propose, organization: Organization) -> None:
    def peek(context: ToolContext) -> Result:
        """Looks while another connection writes."""
        writer = threading.Thread(target=rename)
        writer.start()
        writer.join(120)
        return {"in_transaction": connection.in_atomic_block}

    def rename() -> None:
        with transaction.atomic():
            Organization.objects.filter(pk=organization.pk).update(name="Written meanwhile")
        connection.close()

    with register_tool(peek):
        (call,) = propose(("peek", {}))
        assert run(call).result == {"in_transaction": False}
    organization.refresh_from_db()
    assert organization.name == "Written meanwhile"


def test_a_read_that_a_rule_forbids_by_then_tells_nothing(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("look", {"word": "x"}))
    Rule.objects.create(organization=actor.organization, scope="organization", tool="look", verdict="deny")
    assert run(call).status == "denied"
    assert "found" not in str(call.result)


def test_a_read_that_fails_is_a_result(propose: Propose) -> None:
    (call,) = propose(("look", {"word": "nothing"}))
    run(call)
    assert (call.status, call.result) == ("failed", {"error": "There is nothing to look up. Name a word."})


def test_it_asks_again_when_the_call_reaches_further_than_its_card_said(actor: Actor, propose: Propose) -> None:
    def reach(context: ToolContext, arguments: dict[str, Any]) -> Reach:
        return Reach.ORGANIZATION if Document.objects.count() > 1 else Reach.DOCUMENT

    def stamp(context: ToolContext) -> Result:
        """Changes what this document, and perhaps another, uses."""
        return {"stamped": True}

    with register_tool(stamp, access=Access.WRITE, reach=reach):
        (call,) = propose(("stamp", {}))
        say(actor, call)
        Document.objects.create(
            organization=actor.organization, name="b.pdf", sha256="1" * 64, size=1, media_type="x", file="none"
        )
        assert (run(call).status, call.reach) == ("stale", "document")
        fresh = call.replaced_by.get()
        assert (fresh.status, fresh.reach) == ("pending", "organization")
        say(actor, fresh)
        assert run(fresh).status == "succeeded"


def age(row: ToolCall | Turn, minutes: int) -> None:
    """As if the claim had begun so long ago and had kept its lease until now."""
    now = timezone.now()
    row.claimed_at, row.lease_until = now - timedelta(minutes=minutes), now
    row.save(update_fields=["claimed_at", "lease_until"])


def test_a_call_that_hangs_is_given_up_although_each_stop_was_clean(propose: Propose, settings: Any) -> None:
    settings.WORK_LIMIT_SECONDS = 1800
    (call,) = propose(("draft", {"text": "x"}), mode=AUTO)
    for _ in range(2):
        claimed = claim(call)
        age(claimed, minutes=14)
        execution.release_call(claimed, counts=False)
        assert state_of(call)[0] == "approved"
    assert call.attempt == 0 and call.worked_ms // 60_000 == 28
    claimed = claim(call)
    age(claimed, minutes=14)
    execution.release_call(claimed, counts=False)
    assert state_of(call)[::2] == ("failed", {"error": execution.TOO_LONG.format(minutes=42)})
    assert Turn.objects.get().status == "queued"


def test_the_time_of_a_killed_executor_counts_until_its_lease_ended(propose: Propose) -> None:
    (call,) = propose(("draft", {"text": "x"}), mode=AUTO)
    claim(call)
    began = timezone.now() - timedelta(hours=5)
    ToolCall.objects.update(claimed_at=began, lease_until=began + timedelta(minutes=3))
    sweep.run_once()
    call.refresh_from_db()
    assert (call.status, call.worked_ms) == ("approved", 180_000)


def test_the_time_of_a_call_whose_end_rolled_back_counts(propose: Propose) -> None:
    (call,) = propose(("draft", {"text": "x"}), mode=AUTO)
    claimed = claim(call)
    age(claimed, minutes=3)
    with pytest.raises(RuntimeError), transaction.atomic():
        execution._finish_call(claimed, ToolCall.Status.SUCCEEDED, {"text": "x"})
        raise RuntimeError
    execution.release_call(claimed)
    assert state_of(call)[0] == "approved" and call.worked_ms // 60_000 == 3


@pytest.fixture
def turn(actor: Actor, thread: Thread, scripted_model: ScriptedModel) -> Turn:
    scripted_model.will(says("Fine."))
    return turns.start(actor, thread=thread, text="?")


def claim_turn(turn: Turn) -> Turn:
    claimed = turn_queue.claim_turn(turn.pk)
    assert claimed
    return claimed


@pytest.mark.parametrize(
    "write",
    [
        lambda late: turn_runner.pause_turn(late, turn_runner.Pause.PROVIDER, "late", partial_text="late"),
        lambda late: turn_runner.requeue_later(late, "late", seconds=1),
        lambda late: turn_runner.fail_turn(late, "late"),
        lambda late: turn_runner.cancel_turn(late, "late"),
    ],
    ids=["pause", "wait", "fail", "cancel"],
)
def test_a_driver_that_was_taken_over_writes_nothing_beside_the_next_one(
    turn: Turn, write: Callable[[Turn], None]
) -> None:
    late = claim_turn(turn)
    Turn.objects.update(lease_until=timezone.now())
    sweep.run_once()
    present = claim_turn(turn)
    messages = Message.objects.count()

    with pytest.raises(LeaseLost):
        write(late)
    turn_runner.release_turn(late)
    turn.refresh_from_db()
    assert (turn.status, turn.fence, turn.reason) == ("running", present.fence, "")
    assert Message.objects.count() == messages


def test_a_turn_that_hangs_meets_its_limit_although_each_stop_was_clean(turn: Turn) -> None:
    Turn.objects.update(limit_ms=1_000_000)
    for _ in range(2):
        claimed = claim_turn(turn)
        age(claimed, minutes=9)
        turn_runner.release_turn(claimed, counts=False)
    with pytest.raises(turn_runner.TurnEnded):
        turn_runner.check_limits(claim_turn(turn))
    turn.refresh_from_db()
    assert (turn.status, turn.pause_reason, turn.attempt) == ("paused", "time", 0)


def test_a_round_that_cannot_be_recorded_is_given_up_after_five_tries(turn: Turn) -> None:
    def refuse_message(go_on: Callable[..., Any], sql: str, parameters: Any, *rest: Any) -> Any:
        if sql.startswith('INSERT INTO "agent_event"') and "message.added" in str(parameters):
            raise RuntimeError("broken")
        return go_on(sql, parameters, *rest)

    answer = ModelAnswer("Fine.", "", [], "stop", prompt_tokens=1, completion_tokens=1, cost_micros=0, model=turn.model)
    for number in range(1, 6):
        claimed = claim_turn(turn)
        age(claimed, minutes=1)
        with connection.execute_wrapper(refuse_message), pytest.raises(RuntimeError):
            turn_runner.record_round(claimed, answer)
        turn_runner.release_turn(claimed)
        turn.refresh_from_db()
        assert turn.worked_ms // 60_000 == min(number, 4)
    assert (turn.status, turn.reason, turn.round) == ("failed", turn_runner.GIVEN_UP, 0)
