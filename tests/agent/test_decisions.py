from __future__ import annotations

from collections.abc import Callable
from threading import Barrier
from threading import Thread as OsThread
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import execution
from agent.calls.decisions import CardFace, decide, decide_all, expire
from agent.models import Decision, Rule, Thread, ToolCall, Turn
from documents.models import Document
from kit.errors import Conflict, Denied, Invalid
from tests.agent.conftest import notes

Propose = Callable[..., list[ToolCall]]


def say(actor: Actor, call: ToolCall, kind: str = "approved", key: str = "k1", **more: Any) -> Decision:
    seen_card = {"version": call.version, "shown_hash": call.shown_hash} | more
    return decide(actor, call=call, kind=kind, idempotency_key=key, **seen_card)  # type: ignore[arg-type]


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
    left = decide_all(actor, thread=call.thread, kind="approved", faces=faces(call), idempotency_key="all")
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


def test_it_runs_what_the_person_wrote_instead(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    decision = say(actor, call, arguments={"text": "better"})
    execution.execute(call.pk, holder="one")
    call.refresh_from_db()
    assert decision.edited
    assert (call.proposed, call.decided, call.effective) == ({"text": "hello"}, {"text": "better"}, {"text": "better"})
    assert call.result == {"noted": "better"}


def test_it_checks_what_the_person_wrote(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    with pytest.raises(Invalid, match="text"):
        say(actor, call, arguments={"text": 5})
    assert ToolCall.objects.get().status == "pending"


def test_it_queues_the_turn_when_the_last_card_is_rejected(actor: Actor, propose: Propose) -> None:
    one, two = propose(("note", {"text": "a"}), ("note", {"text": "b", "key": "b"}))
    say(actor, one, "rejected")
    assert Turn.objects.get().status == "awaiting_approval"
    say(actor, two, "rejected")
    assert Turn.objects.get().status == "queued"


@pytest.mark.django_db(transaction=True)
def test_it_lets_one_of_sixteen_win_and_one_effect_happen(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    outcomes: list[str] = []
    start = Barrier(16)

    def click(number: int) -> None:
        kind = "approved" if number % 4 else "rejected"
        start.wait()
        try:
            outcomes.append(say(actor, ToolCall.objects.get(pk=call.pk), kind, key=f"key-{number}").kind)
            execution.execute(call.pk, holder=str(number))
        except Conflict as lost:
            assert lost.winner
            outcomes.append("lost")
        finally:
            connection.close()

    clicks = [OsThread(target=click, args=(number,)) for number in range(16)]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join()

    decision = Decision.objects.get()
    assert sorted(outcomes) == sorted([decision.kind, *["lost"] * 15])
    assert notes().count() == (1 if decision.kind == "approved" else 0)


def faces(*calls: ToolCall) -> list[CardFace]:
    return [CardFace(call.pk, call.version, call.shown_hash) for call in calls]


def test_it_decides_several_cards_in_their_order(actor: Actor, propose: Propose, work: Callable[[], None]) -> None:
    calls = propose(("note", {"text": "a"}), ("note", {"text": "b", "key": "b"}), ("draft", {"text": "c"}))
    left = decide_all(actor, thread=calls[0].thread, kind="approved", faces=faces(*calls), idempotency_key="all")
    assert left == []
    texts = Decision.objects.order_by("created_at").values_list("call__effective__text", flat=True)
    assert list(texts) == ["a", "b", "c"]
    for call in calls:
        execution.execute(call.pk, holder="test")
    assert notes().count() == 3 and Turn.objects.get().status == "queued"


def test_one_reason_rejects_all(actor: Actor, propose: Propose) -> None:
    calls = propose(("note", {"text": "a"}), ("draft", {"text": "b"}))
    decide_all(
        actor, thread=calls[0].thread, kind="rejected", faces=faces(*calls), reason="Not now.", idempotency_key="all"
    )
    assert [call.result for call in ToolCall.objects.all()] == [{"reason": "Not now."}] * 2
    assert Turn.objects.get().status == "queued"


def test_of_several_cards_one_that_cannot_be_decided_stays_and_is_named(
    actor: Actor, member: Callable[[Role], Actor], propose: Propose
) -> None:
    lost, changed, sent, fine = propose(
        ("note", {"text": "a"}), ("note", {"text": "b"}), ("send", {"to": "x"}), ("note", {"text": "d"})
    )
    say(actor, lost, "rejected", key="earlier")
    card_faces = faces(lost, changed, sent, fine)
    card_faces[1] = CardFace(changed.pk, changed.version, "0" * 64)
    reviewer = member(Role.REVIEWER)
    left = decide_all(reviewer, thread=fine.thread, kind="approved", faces=card_faces, idempotency_key="all")
    assert [(each.call, each.why) for each in left] == [
        (lost, "This card was rejected by Admin already."),
        (changed, "This card has changed since it was shown. Look at it again."),
        (sent, "This needs the role builder in Acme; yours is reviewer."),
    ]
    assert list(ToolCall.objects.values_list("status", flat=True)) == ["rejected", "pending", "pending", "approved"]


def test_the_same_click_on_all_again_changes_nothing(actor: Actor, propose: Propose) -> None:
    calls = propose(("note", {"text": "a"}), ("draft", {"text": "b"}))
    for _ in range(2):
        assert not decide_all(
            actor, thread=calls[0].thread, kind="approved", faces=faces(*calls), idempotency_key="all"
        )
    assert Decision.objects.count() == 2


@pytest.mark.parametrize("bar", ["rule", "stopped", "trash"])
def test_nobody_approves_what_is_denied_by_now_but_anybody_may_reject_it(
    actor: Actor, propose: Propose, bar: str
) -> None:
    (call,) = propose(("note", {"text": "a"}))
    if bar == "rule":
        Rule.objects.create(organization=actor.organization, scope="organization", tool="note", verdict="deny")
    elif bar == "stopped":
        actor.organization.__class__.objects.update(agent_stopped=True)
    else:
        Document.objects.update(trashed_at=timezone.now())
    call = ToolCall.objects.get(pk=call.pk)
    with pytest.raises(Denied, match={"rule": "denies", "stopped": "stopped the agent", "trash": "in the trash"}[bar]):
        say(actor, call)
    assert say(actor, call, "rejected").kind == "rejected"


@pytest.mark.parametrize("who", ["owner", "decider"])
def test_nor_does_it_run_once_owner_or_decider_may_do_it_no_longer(
    actor: Actor, member: Callable[[Role], Actor], propose: Propose, who: str
) -> None:
    (call,) = propose(("note", {"text": "a"}))
    decider = member(Role.REVIEWER)
    say(decider, call)
    user = actor.user if who == "owner" else decider.user
    actor.organization.memberships.filter(user=user).update(role=Role.VIEWER)
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert (call.status, notes().exists()) == ("denied", False)


def test_the_agent_still_reads_beside_a_document_in_the_trash(propose: Propose) -> None:
    Document.objects.update(trashed_at=timezone.now())
    (call,) = propose(("look", {"word": "a"}))
    assert call.status == "approved"


def test_what_was_approved_does_not_run_once_its_document_is_in_the_trash(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "a"}))
    say(actor, call)
    Document.objects.update(trashed_at=timezone.now())
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert (call.status, "in the trash" in call.result["error"]) == ("denied", True)
    assert not notes().exists()
