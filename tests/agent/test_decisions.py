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
from agent.models import Decision, Thread, ToolCall, Turn
from agent.services import execution
from agent.services.decisions import decide
from docrouter.kit.errors import Conflict, Denied, Invalid
from tests.agent.conftest import notes

Propose = Callable[..., list[ToolCall]]


def say(actor: Actor, call: ToolCall, kind: str = "approved", key: str = "k1", **more: Any) -> Decision:
    shown = {"version": call.version, "shown_hash": call.shown_hash} | more
    return decide(actor, call=call, kind=kind, idempotency_key=key, **shown)  # type: ignore[arg-type]


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


def test_it_tells_the_loser_who_won(actor: Actor, member: Callable[[Role], Actor], propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    say(member(Role.REVIEWER), call, "rejected", reason="no")
    with pytest.raises(Conflict) as lost:
        say(actor, call, key="k2")
    assert lost.value.winner
    assert lost.value.winner["kind"] == "rejected"
    assert lost.value.winner["by"] == "Reviewer-1"
    assert lost.value.winner["call_id"] == call.pk


@pytest.mark.parametrize("shown", [{"version": 2}, {"shown_hash": "0" * 64}])
def test_it_refuses_a_decision_about_something_else_than_what_stands(
    actor: Actor, propose: Propose, shown: dict[str, Any]
) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    with pytest.raises(Conflict):
        say(actor, call, **shown)
    call.refresh_from_db()
    assert call.status == "pending" and not Decision.objects.exists()


def test_it_refuses_an_expired_card(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    ToolCall.objects.update(expires_at=timezone.now())
    with pytest.raises(Conflict):
        say(actor, call)


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
