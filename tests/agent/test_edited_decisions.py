"""Decisions with arguments of the person's own, of several at once, and by whom."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier
from threading import Thread as OsThread

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import execution
from agent.calls.decisions import CardSnapshot, decide_all, describe_conflict
from agent.models import Decision, Rule, ToolCall, Turn
from documents.models import Document
from kit.errors import Conflict, Denied, Invalid
from tests.agent.conftest import notes
from tests.agent.decision_rows import Propose, faces, say


def test_it_runs_what_the_person_wrote_instead(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    decision = say(actor, call, arguments={"text": "better"})
    execution.execute(call.pk, holder="one")
    call.refresh_from_db()
    assert decision.edited
    assert (call.proposed, call.decided, call.effective) == ({"text": "hello"}, {"text": "better"}, {"text": "better"})
    assert call.result == {"noted": "better"}


def test_what_the_person_left_as_it_was_is_no_edit(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    decision = say(actor, call, arguments={"text": "hello"})
    call.refresh_from_db()
    assert (decision.edited, call.decided) == (False, None)


@pytest.mark.parametrize(
    ("winner", "sentence"),
    [
        ({"kind": "approved", "by": "Ada"}, "This card was approved by Ada already."),
        ({"kind": "superseded"}, "This card was superseded already."),
    ],
)
def test_who_comes_later_reads_what_was_there_first(winner: dict[str, object], sentence: str) -> None:
    assert describe_conflict(Conflict("Taken.", winner=winner)) == sentence


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


def test_it_decides_several_cards_in_their_order(actor: Actor, propose: Propose, work: Callable[[], None]) -> None:
    calls = propose(("note", {"text": "a"}), ("note", {"text": "b", "key": "b"}), ("draft", {"text": "c"}))
    left = decide_all(actor, thread=calls[0].thread, kind="approved", cards=faces(*calls), idempotency_key="all")
    assert left == []
    decided = Decision.objects.order_by("created_at").values_list("call__effective", flat=True)
    assert [arguments["text"] for arguments in decided] == ["a", "b", "c"]
    for call in calls:
        execution.execute(call.pk, holder="test")
    assert notes().count() == 3 and Turn.objects.get().status == "queued"


def test_one_reason_rejects_all(actor: Actor, propose: Propose) -> None:
    calls = propose(("note", {"text": "a"}), ("draft", {"text": "b"}))
    decide_all(
        actor, thread=calls[0].thread, kind="rejected", cards=faces(*calls), reason="Not now.", idempotency_key="all"
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
    card_faces[1] = CardSnapshot(changed.pk, changed.version, "0" * 64)
    reviewer = member(Role.REVIEWER)
    left = decide_all(reviewer, thread=fine.thread, kind="approved", cards=card_faces, idempotency_key="all")
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
            actor, thread=calls[0].thread, kind="approved", cards=faces(*calls), idempotency_key="all"
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
