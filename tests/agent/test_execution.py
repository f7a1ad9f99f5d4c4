from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Member, Role
from agent.calls import execution
from agent.calls.leases.claiming import claim_call
from agent.models import Decision, Rule, ToolCall, Turn
from agent.toolkit.registry import Registry
from agent.turns import sweep
from kit.errors import Conflict, Denied
from kit.leases import LeaseLost
from tests.agent.conftest import notes
from tests.agent.decision_rows import Propose, say

pytestmark = pytest.mark.servers

AUTO = "auto"


def run(call: ToolCall) -> ToolCall:
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    return call


def test_it_runs_reads_without_asking(propose: Propose) -> None:
    (call,) = propose(("look", {"word": "x"}))
    assert call.status == "approved" and not Decision.objects.exists()
    assert run(call).result == {"found": "x"}


def test_it_runs_writes_in_mode_auto_and_records_what_allowed_them(propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}), mode=AUTO)
    assert (call.status, call.allowed_by) == ("approved", "mode auto")
    assert run(call).status == "succeeded"
    assert Decision.objects.get().mode == "auto"
    assert notes().get().origin == "agent_rule"


def test_it_records_an_approved_effect_as_approved_by_that_person(
    actor: Actor, member: Callable[[Role], Actor], propose: Propose
) -> None:
    (call,) = propose(("note", {"text": "x"}))
    reviewer = member(Role.REVIEWER)
    say(reviewer, call)
    run(call)
    assert (notes().get().origin, notes().get().user) == ("agent_approved", reviewer.user)


def test_it_answers_what_the_service_would_refuse_before_anybody_sees_a_card(propose: Propose) -> None:
    (call,) = propose(("note", {"text": "half done"}))
    assert (call.status, call.result) == ("invalid", {"error": "This note cannot be finished."})
    assert not notes().exists()


def test_it_turns_a_failing_tool_into_a_result_without_its_effect(propose: Propose) -> None:
    (call,) = propose(("draft", {"text": "half done"}), mode=AUTO)
    assert run(call).status == "failed"
    assert call.result == {"error": "This note cannot be finished."}
    assert not notes().exists()
    assert Turn.objects.get().status == "queued"


def test_it_drops_the_effect_of_an_executor_that_was_taken_for_dead(propose: Propose, tools: Registry) -> None:
    (call,) = propose(("draft", {"text": "x"}), mode=AUTO)
    claimed = claim_call(call.pk)
    assert claimed
    ToolCall.objects.update(lease_until=timezone.now())
    sweep.run_once()
    run(call)

    tool = tools.find("draft")
    with pytest.raises(LeaseLost):
        execution._commit(
            claimed,
            tool,
            execution.context_for(claimed.turn, execution.actor_for(claimed)),
            lambda: {"text": str(notes().create(action="noted", target_kind="x", target_id="x"))},
        )
    assert call.attempt == 2
    assert notes().count() == 1


def test_it_asks_again_when_what_the_card_rests_on_has_changed(actor: Actor, propose: Propose) -> None:
    one, two = propose(("note", {"text": "first"}), ("note", {"text": "second"}))
    say(actor, two, key="k2")
    say(actor, one)
    execution.execute(two.pk, holder="test")
    two.refresh_from_db()
    assert two.status == "approved"  # the first comes first
    run(one)
    run(two)
    assert two.status == "stale"
    fresh = two.replaced_by.get()
    assert (fresh.status, fresh.version, fresh.preconditions) == ("pending", 2, {"note:a": 1})
    assert fresh.wire_id == two.wire_id
    assert Turn.objects.get().status == "awaiting_approval"
    say(actor, fresh)
    assert run(fresh).status == "succeeded"
    assert Turn.objects.get().status == "queued"


def test_it_lets_calls_that_touch_different_things_pass_each_other(actor: Actor, propose: Propose) -> None:
    _, two = propose(("note", {"text": "first"}), ("note", {"text": "second", "key": "b"}))
    say(actor, two)
    assert run(two).status == "succeeded"


def test_it_asks_when_a_rule_came_after_the_call_was_let_through(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}), mode=AUTO)
    Rule.objects.create(organization=actor.organization, scope="organization", tool="note", verdict="ask")
    assert run(call).status == "stale"
    assert call.replaced_by.get().why_asks == "A rule of the organization asks before this tool runs."


def test_it_denies_what_a_rule_forbids_by_now(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}))
    say(actor, call)
    Rule.objects.create(organization=actor.organization, scope="organization", tool="note", verdict="deny")
    assert run(call).status == "denied"
    assert not notes().exists()


def test_it_denies_what_the_decider_may_no_longer_do(member: Callable[[Role], Actor], propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}))
    reviewer = member(Role.REVIEWER)
    say(reviewer, call)
    Member.objects.filter(user=reviewer.user).update(role=Role.VIEWER)
    assert run(call).status == "denied"


def test_it_fails_a_call_whose_decider_has_left(member: Callable[[Role], Actor], propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}))
    reviewer = member(Role.REVIEWER)
    say(reviewer, call)
    Member.objects.filter(user=reviewer.user).delete()
    assert run(call).status == "failed"


def test_it_claims_nothing_while_the_organization_is_stopped(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("look", {}))
    actor.organization.agent_stopped = True
    actor.organization.save()
    assert run(call).status == "approved"


def test_it_always_asks_for_what_reaches_beyond_the_document(propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x", "key": "shared"}), mode=AUTO)
    assert (call.status, call.reach) == ("pending", "organization")


def test_it_gives_up_after_five_attempts_that_broke_off(propose: Propose) -> None:
    (call,) = propose(("draft", {"text": "x"}), mode=AUTO)
    for attempt in (1, 2, 3, 4, 5):
        claimed = claim_call(call.pk)
        assert claimed and claimed.attempt == attempt
        ToolCall.objects.update(lease_until=timezone.now())
        sweep.run_once()
    call.refresh_from_db()
    assert (call.status, call.result) == ("failed", {"error": execution.GIVEN_UP})
    assert Turn.objects.get().status == "queued"


def test_it_never_repeats_an_external_call_that_broke_off(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("send", {"to": "x"}))
    say(actor, call)
    assert claim_call(call.pk)
    ToolCall.objects.update(lease_until=timezone.now())
    sweep.run_once()
    sweep.run_once()
    call.refresh_from_db()
    assert call.status == "in_doubt"
    assert (Turn.objects.get().status, Turn.objects.get().pause_reason) == ("paused", "in_doubt")
    execution.resolve_outcome(actor, call=call, happened=True)
    assert Turn.objects.get().status == "queued"
    assert not AuditEntry.objects.filter(action="sent").exists()


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("fly", {}, "There is no tool 'fly'. The tools are:"),
        ("note", {"text": 5}, "text: 5 is not of type 'string'"),
        ("note", {}, "'text' is a required property"),
        ("note", {"text": "x", "colour": "red"}, "'colour' was unexpected"),
    ],
)
def test_it_answers_unusable_calls_at_once(
    propose: Propose, name: str, arguments: dict[str, Any], sentence: str
) -> None:
    (call,) = propose((name, arguments))
    assert call.status == "invalid"
    assert sentence in call.result["error"]


def doubtful(propose: Propose, actor: Actor, *others: tuple[str, dict[str, Any]]) -> list[ToolCall]:
    """A call whose executor died outside DocRouter, beside cards that wait."""
    calls = propose(("send", {"to": "x"}), *others)
    say(actor, calls[0])
    assert claim_call(calls[0].pk)
    ToolCall.objects.filter(pk=calls[0].pk).update(lease_until=timezone.now())
    sweep.run_once()
    calls[0].refresh_from_db()
    assert (calls[0].status, Turn.objects.get().pause_reason) == ("in_doubt", "in_doubt")
    return calls


@pytest.mark.parametrize(
    ("happened", "status", "word"), [(True, "succeeded", "happened"), (False, "failed", "did not happen")]
)
def test_a_person_reports_the_outcome_of_a_call_and_its_turn_goes_on(
    actor: Actor, propose: Propose, happened: bool, status: str, word: str
) -> None:
    (call,) = doubtful(propose, actor)
    execution.resolve_outcome(actor, call=call, happened=happened)
    assert (call.status, call.result) == (status, {"note": f"Admin reported: it {word}."})
    assert (Turn.objects.get().status, Turn.objects.get().pause_reason) == ("queued", "")
    assert AuditEntry.objects.get(action="resolved").detail == {"tool": "send", "happened": happened}
    with pytest.raises(Conflict, match="reported the outcome already"):
        execution.resolve_outcome(actor, call=call, happened=not happened)


def test_a_turn_in_doubt_waits_for_its_other_card_again_and_then_goes_on(actor: Actor, propose: Propose) -> None:
    doubt, card = doubtful(propose, actor, ("note", {"text": "x"}))
    execution.resolve_outcome(actor, call=doubt, happened=True)
    assert Turn.objects.get().status == "awaiting_approval"
    say(actor, card)
    run(card)
    assert Turn.objects.get().status == "queued"


def test_a_card_decided_while_another_call_is_in_doubt_runs_and_the_turn_goes_on_afterwards(
    actor: Actor, propose: Propose
) -> None:
    doubt, card = doubtful(propose, actor, ("note", {"text": "x"}))
    say(actor, card)
    assert run(card).status == "succeeded" and Turn.objects.get().status == "paused"
    execution.resolve_outcome(actor, call=doubt, happened=False)
    assert Turn.objects.get().status == "queued"


def test_who_could_not_have_approved_it_cannot_say_what_became_of_it(
    actor: Actor, member: Callable[[Role], Actor], propose: Propose
) -> None:
    (call,) = doubtful(propose, actor)
    with pytest.raises(Denied):
        execution.resolve_outcome(member(Role.REVIEWER), call=call, happened=True)


STRICTNESS = ["allow", "ask", "deny"]


@pytest.mark.parametrize("proposed", STRICTNESS)
@pytest.mark.parametrize("by_then", STRICTNESS)
@pytest.mark.parametrize("approved", [True, False])
def test_between_proposal_and_execution_it_can_only_get_stricter(
    actor: Actor, propose: Propose, proposed: str, by_then: str, approved: bool
) -> None:
    """It runs only where both answers let it: by themselves, or with a person who approved what asks."""
    about = {"organization": actor.organization, "scope": "organization", "tool": "note"}
    Rule.objects.create(**about, verdict=proposed)
    (call,) = propose(("note", {"text": "x"}))
    if approved and call.status == "pending":
        say(actor, call)
    Rule.objects.all().delete()
    Rule.objects.create(**about, verdict=by_then)
    run(call)
    by_person = proposed == "ask" and approved
    runs = by_then != "deny" and (by_person or (proposed, by_then) == ("allow", "allow"))
    assert notes().exists() is runs
    expected = (
        "succeeded"
        if runs
        else {
            ("allow", "ask"): "stale",
            ("allow", "deny"): "denied",
            ("ask", "deny"): "denied" if approved else "pending",
        }.get((proposed, by_then), "denied" if proposed == "deny" else "pending")
    )
    assert call.status == expected
