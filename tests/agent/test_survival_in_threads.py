"""What a thread survives: repeated calls, stops, owners who leave, changes of model; with both kinds of model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Member
from agent.conversation import text_protocol
from agent.models import Message, ToolCall, Turn
from agent.turns import loop, sweep, turn_queue, turn_runner, turns
from documents.models import LanguageModel
from kit.leases import LeaseLost
from tests.agent.conftest import notes
from tests.agent.test_decisions import say
from tests.agent.tongues import InText, Native, Tongue
from tests.agent.turn_rows import HALF, LOOK, NOTE, Ask, Work, in_background, last_text, now
from tests.scripted_model import MODEL, Json, Reply, ScriptedModel, call_delta, fails, says, streams

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_pauses_when_the_agent_asks_for_the_same_three_times(tongue: Tongue, ask: Ask, work: Work) -> None:
    turn = ask("Look", *[tongue.calls(LOOK)] * 3)
    work()
    assert (now(turn).status, now(turn).pause_reason) == ("paused", "loop")
    assert ToolCall.objects.filter(status="succeeded").count() == 2


def test_it_pauses_when_the_same_unusable_call_comes_three_times(tongue: Tongue, ask: Ask, work: Work) -> None:
    turn = ask("Look", *[tongue.calls(("look", '{"w'))] * 3)
    work()
    assert (now(turn).status, now(turn).pause_reason, now(turn).round) == ("paused", "loop", 3)


def test_it_does_not_ask_a_person_again_what_they_have_rejected(
    actor: Actor, tongue: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel
) -> None:
    turn = ask("Note it", tongue.calls(NOTE), tongue.calls(NOTE), tongue.calls(NOTE))
    work()
    say(actor, ToolCall.objects.get(), "rejected", reason="Too early.")
    work()
    assert list(ToolCall.objects.order_by("round").values_list("status", flat=True)) == ["rejected", "denied", "denied"]
    rejected, again = tongue.results(scripted_model.requests[2])
    last = scripted_model.requests[1]["messages"][-1]
    assert last["role"] == "user" and last["content"].endswith("Why I rejected call 1 (note): Too early.")
    assert "Too early" not in rejected["error"] and "has rejected exactly this" in again["error"]
    assert (now(turn).status, now(turn).pause_reason) == ("paused", "loop")
    assert not notes().exists()


def test_it_stops_in_mid_stream_and_keeps_what_was_said(
    actor: Actor, tongue: Tongue, ask: Ask, scripted_model: ScriptedModel
) -> None:
    half = tongue.says(HALF).deltas[:1]
    turn = ask("Tell me", Reply(half).with_hang())
    driver = in_background(lambda: loop.run_round(turn.pk, holder="test"))
    while not scripted_model.requests or now(turn).partial_text == "":
        assert not driver.join(0.01) and driver.is_alive()
        connection.close()
    turns.cancel(actor, turn=now(turn))
    driver.join(120)
    assert not driver.is_alive()
    assert (now(turn).status, now(turn).partial_text) == ("cancelled", "")
    message = Message.objects.last()
    assert message and not message.complete and last_text().startswith("Half an answer")
    assert "{" not in last_text()


def test_it_ends_cleanly_when_the_owner_leaves_while_the_model_answers(
    actor: Actor, tongue: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel
) -> None:
    turn = ask("Look", tongue.calls(LOOK, text="I look.").after(0.3), tongue.says("never asked for"))
    driver = in_background(lambda: loop.run_round(turn.pk, holder="test"))
    while not scripted_model.requests:
        assert not driver.join(0.01) and driver.is_alive()
    Member.objects.filter(user=actor.user).delete()
    driver.join(120)
    work()
    assert (now(turn).status, now(turn).reason) == ("failed", turn_runner.OWNER_LEFT)
    assert last_text() == "I look." and not ToolCall.objects.exists()
    assert len(scripted_model.requests) == 1


def test_it_asks_nothing_for_an_owner_who_has_left(
    actor: Actor, tongue: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel
) -> None:
    turn = ask("Look")
    Member.objects.filter(user=actor.user).delete()
    work()
    assert (now(turn).status, now(turn).reason) == ("failed", turn_runner.OWNER_LEFT)
    assert not scripted_model.requests


def test_it_goes_on_in_text_with_a_model_whose_server_takes_no_tools(
    ask: Ask, work: Work, scripted_model: ScriptedModel
) -> None:
    text = InText()
    LanguageModel.objects.create(name=MODEL, provider="openai", calls_tools=True, available=True)
    turn = ask("Look", fails(400, "scripted does not support tools"), text.calls(LOOK), text.says("Fine."))
    work()
    assert (now(turn).status, last_text()) == ("completed", "Fine.")
    native, first = scripted_model.requests[:2]
    assert native["tools"] and "tools" not in first
    assert '"name": "find_tools"' in first["messages"][0]["content"]


@pytest.mark.parametrize("before", [Native(), InText()], ids=["native first", "text first"])
def test_it_goes_on_with_the_other_kind_of_model_in_a_thread(
    before: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel, settings: Any
) -> None:
    after = Native() if before.as_text else InText()
    settings.MODELS_WITHOUT_TOOLS = ("openai/first" if before.as_text else "openai/second",)
    ask("Look", before.calls(LOOK, text="I look."), before.says("Found."), model="openai/first")
    work()
    turn = ask("And?", after.calls(("look", {"word": "y"})), after.says("Fine."), model="openai/second")
    work()
    assert (now(turn).status, last_text()) == ("completed", "Fine.")
    last: Json = scripted_model.requests[-1]
    assert after.list_asked(last) == [LOOK, ("look", {"word": "y"})]
    assert after.results(last) == [{"found": "x"}, {"found": "y"}]


def test_what_one_provider_gave_along_is_not_sent_to_another(
    ask: Ask, work: Work, scripted_model: ScriptedModel
) -> None:
    mark = {"provider_specific_fields": {"secret_sauce": "for the first alone"}}
    ask("?", streams({"content": "Hm."}, mark), model="openai/first")
    work()
    Message.objects.filter(role="assistant").update(provider_extras={"secret_sauce": "for the first alone"})
    ask("And?", says("Yes."), says("Yes."), model="openai/first")
    work()
    ask("And?", says("No."), model="openai/second")
    work()
    same, other = (json.dumps(request["messages"]) for request in scripted_model.requests[-2:])
    assert "secret_sauce" in same and "secret_sauce" not in other


@pytest.mark.parametrize("ids", [("same", "same"), ("", ""), (None, None)], ids=["duplicate", "empty", "missing"])
def test_it_gives_calls_ids_of_its_own(ask: Ask, work: Work, scripted_model: ScriptedModel, ids: Any) -> None:
    deltas = [call_delta(at, json.dumps({"word": str(at)}), id=each, name="look") for at, each in enumerate(ids)]
    ask("Look", streams(*deltas, finish="tool_calls"), streams(*deltas, finish="tool_calls"), says("Fine."))
    work()
    assert Native().results(scripted_model.requests[-1]) == [{"found": "0"}, {"found": "1"}] * 2
    assert len(set(ToolCall.objects.values_list("wire_id", flat=True))) == 4


def test_it_repairs_an_answer_that_is_not_in_the_form_asked_for(
    ask: Ask, work: Work, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.MODELS_WITHOUT_TOOLS = (MODEL,)
    text = InText()
    ask("Look", says("I would look it up."), says('{"tool_calls": "look"}'), text.calls(LOOK), text.says("Fine."))
    work()
    assert last_text() == "Fine." and ToolCall.objects.get().status == "succeeded"
    wrong = [request["messages"][-1]["content"] for request in scripted_model.requests[1:3]]
    assert "holds no JSON object" in wrong[0] and "tool_calls has to be a list" in wrong[1]
    assert all(each.endswith(text_protocol.AGAIN) for each in wrong)
    assert "I would look it up." not in json.dumps(scripted_model.requests[3]["messages"])


def test_it_takes_the_text_as_the_answer_after_two_repairs(ask: Ask, work: Work, settings: Any) -> None:
    settings.MODELS_WITHOUT_TOOLS = (MODEL,)
    turn = ask("?", says("It is an invoice."), says("Really."), says("It is an invoice, I said."))
    work()
    assert (now(turn).status, last_text()) == ("completed", "It is an invoice, I said.")


def test_a_zombie_that_waits_or_compacts_changes_nothing(ask: Ask, work: Work, scripted_model: ScriptedModel) -> None:
    turn = ask("?", says("Fine."))
    late = turn_queue.claim_turn(turn.pk)
    assert late
    Turn.objects.update(lease_until=timezone.now())
    sweep.run_once()
    work()
    with pytest.raises(LeaseLost):
        turn_runner.requeue_later(late, "late", seconds=1)
    assert now(turn).status == "completed"
