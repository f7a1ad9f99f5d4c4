from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import execution
from agent.calls.decisions import decide_all, expire
from agent.models import Decision, Thread, ToolCall, Turn
from kit.errors import Conflict, Denied
from tests.agent.conftest import notes
from tests.agent.decision_rows import Propose, faces, say

pytestmark = pytest.mark.servers


def test_it_approves_a_card_and_the_call_runs_once(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    assert call.status == "pending"

    decision = say(actor, call)
    execution.execute(call.pk, holder="one")
    execution.execute(call.pk, holder="two")

    call.refresh_from_db()
    assert (call.status, call.result) == ("succeeded", {"noted": "hello"})
    assert (decision.user, decision.edited) == (actor.user, False)
    assert notes().count() == 1
    assert Thread.objects.get().working_state == {"schema_revid": "a"}
    assert Turn.objects.get().status == "queued"


def test_it_gives_the_same_decision_for_the_same_key(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    assert say(actor, call) == say(actor, call)


def test_a_request_sent_again_gives_the_same_decision_with_what_the_person_wrote(
    actor: Actor, propose: Propose
) -> None:
    edited, plain = propose(("note", {"text": "hello"}), ("note", {"text": "bye", "key": "b"}))
    wrote = {"arguments": {"text": "better"}, "reason": " Shorter. "}
    seen = edited.shown_hash
    first = say(actor, edited, **wrote)
    assert [say(actor, edited, **wrote, shown_hash=each) for each in (seen, edited.shown_hash)] == [first, first]
    assert say(actor, plain) == say(actor, plain, arguments={"text": "bye", "key": "b"})


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "rejected"},
        {"reason": "No."},
        {"arguments": {"text": "worse"}},
        {"version": 2},
        {"shown_hash": "0" * 64},
    ],
)
def test_a_used_key_with_another_decision_is_refused(actor: Actor, propose: Propose, other: dict[str, Any]) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    decision = say(actor, call)
    with pytest.raises(Conflict, match="key was used for another decision") as lost:
        say(actor, call, **other)
    assert lost.value.winner and (lost.value.winner["kind"], lost.value.winner["by"]) == ("approved", "Admin")
    assert Decision.objects.get() == decision


def test_a_used_key_without_the_arguments_of_the_edit_is_another_decision(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    say(actor, call, arguments={"text": "better"})
    with pytest.raises(Conflict, match="key was used for another decision"):
        say(actor, call)


def test_the_key_of_another_person_gives_nobody_else_its_decision(
    actor: Actor, member: Callable[[Role], Actor], propose: Propose
) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    say(actor, call)
    with pytest.raises(Conflict, match="key was used for another decision"):
        say(member(Role.REVIEWER), call)


def test_nor_does_the_key_under_which_the_policy_decided(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}), mode="auto")
    with pytest.raises(Conflict, match="key was used for another decision"):
        say(actor, call, key="policy")


def test_it_tells_the_loser_who_won(actor: Actor, member: Callable[[Role], Actor], propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    say(member(Role.REVIEWER), call, "rejected", reason="no")
    with pytest.raises(Conflict) as lost:
        say(actor, call, key="k2")
    assert lost.value.winner
    assert lost.value.winner["kind"] == "rejected"
    assert lost.value.winner["by"] == "Reviewer-1"
    assert lost.value.winner["call_id"] == call.pk


@pytest.mark.parametrize("other_card", [{"version": 2}, {"shown_hash": "0" * 64}])
def test_it_refuses_a_decision_about_something_else_than_what_stands(
    actor: Actor, propose: Propose, other_card: dict[str, Any]
) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    with pytest.raises(Conflict, match="has changed since it was shown"):
        say(actor, call, **other_card)
    call.refresh_from_db()
    assert call.status == "pending" and not Decision.objects.exists()


@pytest.mark.parametrize("kind", ["approved", "rejected"])
@pytest.mark.parametrize("arguments", [None, {"text": "better"}])
def test_a_card_that_no_sweep_has_found_yet_expires_when_it_is_decided(
    actor: Actor, propose: Propose, kind: str, arguments: dict[str, str] | None
) -> None:
    propose(("note", {"text": "hello"}), ("note", {"text": "later", "key": "b"}))
    ToolCall.objects.update(expires_at=timezone.now())
    call, other = ToolCall.objects.order_by("position")
    for _ in range(2):
        with pytest.raises(Conflict, match="The time to decide this card is over") as late:
            say(actor, call, kind, arguments=arguments)
        assert late.value.winner and (late.value.winner["kind"], late.value.winner["by"]) == ("expired", "")
    other.refresh_from_db()
    assert (call.status, other.status, call.turn.__class__.objects.get().status) == ("expired",) * 3
    assert [decision.kind for decision in Decision.objects.all()] == ["expired"] * 2


def test_a_card_that_has_time_or_was_decided_at_the_last_moment_does_not_expire(actor: Actor, propose: Propose) -> None:
    decided, waiting = propose(("note", {"text": "hello"}), ("note", {"text": "later", "key": "b"}))
    say(actor, decided)
    ToolCall.objects.filter(pk=decided.pk).update(expires_at=timezone.now())
    for call in (decided, waiting):
        expire(call.pk)
    assert [call.status for call in ToolCall.objects.order_by("position")] == ["approved", "pending"]
    assert Turn.objects.get().status == "awaiting_approval"


def test_of_several_cards_an_expired_one_says_that_its_time_is_over(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    ToolCall.objects.update(expires_at=timezone.now())
    left = decide_all(actor, thread=call.thread, kind="approved", cards=faces(call), idempotency_key="all")
    assert [each.why for each in left] == [
        "The time to decide this card is over, and nothing ran. Ask the agent again."
    ]


def test_it_lets_nobody_approve_what_their_role_does_not_cover(
    member: Callable[[Role], Actor], propose: Propose
) -> None:
    (write, sent) = propose(("note", {"text": "hello"}), ("send", {"to": "x"}))
    with pytest.raises(Denied):
        say(member(Role.VIEWER), write)
    with pytest.raises(Denied):
        say(member(Role.REVIEWER), sent)


def test_it_needs_the_thread_owners_right_too(actor: Actor, member: Callable[[Role], Actor], propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    actor.organization.memberships.filter(user=actor.user).update(role=Role.VIEWER)
    with pytest.raises(Denied, match="owner"):
        say(member(Role.REVIEWER), call)
