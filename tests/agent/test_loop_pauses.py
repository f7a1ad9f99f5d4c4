"""Where a turn pauses, stops or is taken over, and how it goes on."""

from __future__ import annotations

from threading import Thread as OsThread
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.conversation import threads
from agent.models import Message, Thread, ToolCall, Turn
from agent.turns import loop, sweep, turn_queue, turn_runner, turns
from documents.models import Document
from kit.errors import Conflict, Denied
from kit.leases import LeaseLost
from tests.agent.conftest import notes
from tests.agent.test_decisions import say
from tests.agent.turn_rows import LOOK, NOTE, Work, last_text, now, read_sent_results
from tests.scripted_model import ScriptedModel, calls, fails, says, thinks

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_pauses_at_the_last_round_and_can_go_on(actor: Actor, ask: Any, work: Work, settings: Any) -> None:
    settings.TURN_MAX_ROUNDS = 2
    turn = ask("Look", *(calls(("look", {"word": str(number)})) for number in range(3)), says("Fine."))
    work()
    assert (now(turn).status, now(turn).pause_reason, now(turn).round) == ("paused", "max_rounds", 2)
    turns.resume(actor, turn=now(turn))
    work()
    assert now(turn).status == "completed" and now(turn).round == 4


def test_it_pauses_when_the_agent_asks_for_the_same_three_times(
    ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    turn = ask("Look", calls(LOOK), calls(LOOK), calls(LOOK))
    work()
    assert (now(turn).status, now(turn).pause_reason) == ("paused", "loop")
    assert ToolCall.objects.filter(status="succeeded").count() == 2


def test_it_waits_out_a_provider_that_is_busy(ask: Any, work: Work) -> None:
    turn = ask("?", fails(429), fails(503), says("Fine."))
    work()
    assert (now(turn).status, last_text()) == ("completed", "Fine.")


def test_it_pauses_when_the_provider_fails_and_goes_on_when_asked(actor: Actor, ask: Any, work: Work) -> None:
    turn = ask("?", fails(401), says("Fine."))
    work()
    assert (now(turn).status, now(turn).pause_reason) == ("paused", "provider")
    assert "key" in now(turn).reason
    turns.resume(actor, turn=now(turn))
    work()
    assert now(turn).status == "completed"


@pytest.mark.usefixtures("unpriced")
def test_it_pauses_when_the_turns_money_is_spent(
    actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    turn = ask("Look")
    Turn.objects.update(limit_micros=10)
    work()
    assert (now(turn).status, now(turn).pause_reason) == ("paused", "budget")
    assert not scripted_model.requests


def test_a_model_on_ones_own_machines_needs_no_money(ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    turn = ask("Look", says("Fine."))
    Turn.objects.update(limit_micros=0)
    work()
    assert (now(turn).status, now(turn).spent_micros) == ("completed", 0)


@pytest.mark.usefixtures("unpriced")
def test_it_says_that_the_price_was_unknown_when_the_money_is_spent(
    ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    turn = ask("Look", calls(LOOK).with_usage(100, 7000))
    Turn.objects.update(limit_micros=380_000)
    work()
    assert now(turn).status == "paused" and now(turn).pause_reason == "budget"
    assert "is left of the limit for this turn of $0.38" in now(turn).reason
    assert "under Settings, Agent. The price of openai/scripted is unknown and counted as $30.00" in now(turn).reason


def test_it_pauses_while_an_admin_has_stopped_the_agent(
    actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    turn = ask("Look")
    actor.organization.agent_stopped = True
    actor.organization.save()
    work()
    assert (now(turn).status, now(turn).pause_reason) == ("paused", "stopped")
    with pytest.raises(Denied):
        turns.resume(actor, turn=now(turn))


def test_it_stops_in_mid_stream_and_keeps_what_was_said(actor: Actor, ask: Any, scripted_model: ScriptedModel) -> None:
    turn = ask("Tell me", says("Half an", " answer").with_hang())
    driver = OsThread(target=lambda: (loop.run_round(turn.pk, holder="test"), connection.close()))
    driver.start()
    while not scripted_model.requests or now(turn).partial_text == "":
        assert not driver.join(0.01) and driver.is_alive()
        connection.close()
    turns.cancel(actor, turn=now(turn))
    driver.join(120)
    assert not driver.is_alive()
    assert now(turn).status == "cancelled" and now(turn).partial_text == ""
    message = Message.objects.last()
    assert (message.complete, last_text()) == (False, "Half an answer")


def test_it_stops_before_the_first_round(actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    turn = ask("Tell me")
    turns.cancel(actor, turn=turn)
    work()
    assert now(turn).status == "cancelled" and not scripted_model.requests
    with pytest.raises(Conflict):
        turns.cancel(actor, turn=turn)


def test_it_runs_nothing_of_a_turn_that_was_stopped(actor: Actor, ask: Any, work: Work) -> None:
    turn = ask("Note it", calls(NOTE, ("note", {"text": "y", "key": "b"})))
    work()
    one, two = ToolCall.objects.all()
    say(actor, one)
    turns.cancel(actor, turn=now(turn))
    work()
    assert list(ToolCall.objects.values_list("status", flat=True)) == ["cancelled", "cancelled"]
    assert not notes().exists()
    with pytest.raises(Conflict):
        say(actor, two)


def test_it_withdraws_cards_when_the_user_goes_on(
    actor: Actor, thread: Thread, ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    first = ask("Note it", calls(NOTE))
    work()
    second = ask("Leave it", says("As you like."))
    work()
    assert (now(first).status, now(second).status) == ("cancelled", "completed")
    assert ToolCall.objects.get().status == "superseded"
    assert "The user went on" in read_sent_results(scripted_model)[0]["error"]
    assert ToolCall.objects.get().decisions.get().kind == "cancelled"


def test_it_leaves_waiting_cards_alone_when_told_to_keep_them(
    actor: Actor, thread: Thread, ask: Any, work: Work
) -> None:
    ask("Note it", calls(NOTE))
    work()
    with pytest.raises(Conflict, match="wait"):
        turns.start(actor, thread=thread, text="And?", keep=True)
    assert ToolCall.objects.get().status == "pending"


def test_it_starts_one_turn_of_two_at_once(actor: Actor, thread: Thread, scripted_model: ScriptedModel) -> None:
    outcomes: list[str] = []

    def start() -> None:
        try:
            outcomes.append(turns.start(actor, thread=Thread.objects.get(), text="Hi", keep=True).status)
        except Conflict:
            outcomes.append("conflict")
        finally:
            connection.close()

    both = [OsThread(target=start) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert sorted(outcomes) == ["conflict", "queued"]
    assert Message.objects.count() == 1


def test_it_drives_a_turn_once_when_its_task_came_twice(ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    turn = ask("?", says("Fine."))
    claimed = turn_queue.claim_turn(turn.pk)
    loop.run_round(turn.pk, holder="second")
    assert claimed and not scripted_model.requests


def test_it_takes_a_round_back_whose_driver_died_and_drops_what_that_one_says_later(
    ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    turn = ask("?", says("Fine."))
    late = turn_queue.claim_turn(turn.pk)
    Turn.objects.update(lease_until=timezone.now())
    sweep.run_once()
    work()
    assert now(turn).status == "completed" and late
    with pytest.raises(LeaseLost):
        turn_runner.pause_turn(late, turn_runner.Pause.PROVIDER, "late")
    assert now(turn).status == "completed"


def test_it_gives_a_turn_up_whose_driver_died_five_times(ask: Any) -> None:
    turn = ask("?")
    for _ in range(5):
        assert turn_queue.claim_turn(turn.pk)
        Turn.objects.update(lease_until=timezone.now())
        sweep.run_once()
    assert (now(turn).status, now(turn).reason) == ("failed", turn_runner.GIVEN_UP)


def test_it_settles_a_round_whose_wake_up_was_lost(actor: Actor, ask: Any, work: Work) -> None:
    turn = ask("Note it", calls(NOTE))
    work()
    ToolCall.objects.update(status="rejected", result={"reason": ""})
    sweep.run_once()
    assert now(turn).status == "queued"


def test_it_ends_the_turn_when_nobody_decides(ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    turn = ask("Note it", calls(NOTE))
    work()
    ToolCall.objects.update(expires_at=timezone.now())
    sweep.run_once()
    assert (now(turn).status, ToolCall.objects.get().status) == ("expired", "expired")
    ask("Again", says("Sure."))
    work()
    assert "It was not refused" in read_sent_results(scripted_model)[0]["error"]


def test_it_goes_on_with_another_model_in_the_same_thread(
    actor: Actor, thread: Thread, ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    ask("Look", calls(LOOK), thinks("Hm.", then="Fine."))
    work()
    scripted_model.will(says("Hello."))
    turn = turns.start(actor, thread=thread, text="And?", model="openai/other")
    work()
    assert now(turn).status == "completed"
    assert scripted_model.requests[-1]["model"] == "other"


def test_it_lets_only_the_owner_speak(member: Any, thread: Thread) -> None:
    with pytest.raises(Denied, match="Admin"):
        turns.start(member(Role.BUILDER), thread=thread, text="Hi")


def test_it_says_which_server_wrote_more_than_it_was_asked_for(ask: Any, work: Work) -> None:
    turn = ask("Look", says(*["all work and no play " * 500] * 8).with_hang())
    work()
    assert now(turn).status == "completed" and last_text().startswith("all work and no play")
    assert "length limit" in now(turn).reason and "wrote more than it was asked for" in now(turn).reason
    later = ask("Again", says("Fine.").with_usage(10, 9000))
    work()
    assert now(later).status == "completed" and "openai/scripted wrote more than it was asked for" in now(later).reason


@pytest.mark.parametrize("about", ["document", "many documents"])
@pytest.mark.parametrize("began", [False, True])
def test_a_model_that_pauses_is_waited_for_no_longer_than_the_turn_may_take(
    actor: Actor, document: Document, work: Work, scripted_model: ScriptedModel, settings: Any, about: str, began: bool
) -> None:
    settings.TURN_LIMIT_SECONDS = 1
    scripted_model.will(*[(says("It", " is") if began else says()).with_hang()] * 3)
    thread = threads.create(actor, document=document if about == "document" else None)
    turn = turns.start(actor, thread=thread, text="Which?")
    work()
    assert now(turn).limit_ms == 1000 and now(turn).status in ("paused", "completed")
    if about == "document":
        assert now(turn).pause_reason == "time" and "of work, its limit" in now(turn).reason
