"""What the loop survives, each over real HTTP, with a model that calls tools and with one that writes them as text."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from agent.conversation.messages import NOTHING_SAID
from agent.conversation.model_input.history import GO_ON
from agent.models import Message, ToolCall, Turn
from agent.turns import loop, turns
from tests.agent.tongues import Tongue
from tests.agent.turn_rows import HALF, LOOK, Ask, Work, last_text, now
from tests.scripted_model import Reply, ScriptedModel, fails, refuses

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (("look", '{"word": "x'), "not JSON"),
        (("look", '["x"]'), "not an object"),
        (("look", '"x"'), "not an object"),
        (("look", {"word": 7}), "is not of type 'string'"),
        (("fly", {}), "There is no tool 'fly'"),
        (("", {}), "There is no tool ''"),
    ],
    ids=["cut off", "a list", "a text", "a wrong type", "an unknown tool", "no name"],
)
def test_it_answers_unusable_calls_and_runs_the_others(
    tongue: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel, call: Any, sentence: str
) -> None:
    turn = ask("Look", tongue.calls(call, LOOK), tongue.says("Fine."))
    work()
    assert (now(turn).status, last_text()) == ("completed", "Fine.")
    wrong, right = tongue.results(scripted_model.requests[1])
    assert sentence in wrong["error"] and right == {"found": "x"}
    assert all(isinstance(arguments, dict) for _, arguments in tongue.list_asked(scripted_model.requests[1]))


def test_it_keeps_the_text_that_stands_beside_calls(
    tongue: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel
) -> None:
    ask("Look", tongue.calls(LOOK, ("look", {"word": "y"}), text="I look twice."), tongue.says("Fine."))
    work()
    assert tongue.results(scripted_model.requests[1]) == [{"found": "x"}, {"found": "y"}]
    assert tongue.list_asked(scripted_model.requests[1]) == [LOOK, ("look", {"word": "y"})]
    assert Message.objects.get(number=2).blocks == [{"type": "text", "text": "I look twice."}]
    assert len(set(ToolCall.objects.values_list("wire_id", flat=True))) == 2


def test_it_says_so_when_the_model_answers_with_nothing(tongue: Tongue, ask: Ask, work: Work) -> None:
    turn = ask("?", tongue.says(""))
    work()
    assert (now(turn).status, last_text()) == ("completed", NOTHING_SAID)


def test_it_never_runs_a_call_that_the_length_limit_cut(
    tongue: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel
) -> None:
    whole = tongue.calls(LOOK, ("look", {"word": "never"}))
    cut = Reply(whole.deltas[:-1], finish="length")
    ask("Look", cut, cut, tongue.calls(LOOK), tongue.says("Fine."))
    work()
    messages = json.dumps(scripted_model.requests[2]["messages"])
    assert "length limit" in messages
    assert {"word": "never"} not in ToolCall.objects.filter(status="succeeded").values_list("effective", flat=True)
    assert last_text() == "Fine."


def test_it_takes_a_refusal_as_the_answer(tongue: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel) -> None:
    turn = ask("?", refuses("I cannot do that."))
    work()
    assert (now(turn).status, last_text()) == ("completed", "I cannot do that.")
    assert len(scripted_model.requests) == 1


def test_it_waits_out_a_provider_that_is_busy_for_a_moment(tongue: Tongue, ask: Ask, work: Work) -> None:
    turn = ask("?", fails(429), fails(503), fails(500), tongue.says("Fine."))
    work()
    assert (now(turn).status, last_text(), now(turn).provider_waits) == ("completed", "Fine.", 0)


def test_it_puts_a_turn_back_for_as_long_as_a_provider_asks(
    tongue: Tongue, ask: Ask, scripted_model: ScriptedModel
) -> None:
    turn = ask("?", fails(429, retry_after=45), tongue.says("Fine."))
    loop.run_round(turn.pk, holder="test")
    waiting = now(turn)
    assert (waiting.status, waiting.provider_waits, waiting.attempt) == ("queued", 1, 0)
    assert "takes no more calls" in waiting.reason
    assert timedelta(seconds=40) < waiting.not_before - timezone.now() <= timedelta(seconds=45)
    assert not loop.run_next_round(holder="test")
    Turn.objects.update(not_before=timezone.now())
    assert loop.run_next_round(holder="test")
    assert (now(turn).status, now(turn).reason, last_text()) == ("completed", "", "Fine.")


@pytest.mark.parametrize("retry_after", ["inf", "601"])
def test_it_asks_a_person_when_a_provider_asks_for_more_than_ten_minutes(
    ask: Ask, scripted_model: ScriptedModel, retry_after: str
) -> None:
    turn = ask("?", fails(429, retry_after=retry_after))
    loop.run_round(turn.pk, holder="test")
    assert (now(turn).status, now(turn).pause_reason, now(turn).not_before) == ("paused", "provider", None)


def test_it_asks_a_person_when_a_provider_stays_away(tongue: Tongue, ask: Ask, work: Work) -> None:
    turn = ask("?", *[fails(503)] * 28)
    work()
    assert (now(turn).status, now(turn).pause_reason) == ("paused", "provider")
    assert "(503)" in now(turn).reason


def test_it_keeps_the_words_of_a_stream_that_died_and_asks_for_the_answer_again(
    actor: Actor, tongue: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel
) -> None:
    whole = tongue.says(HALF)
    turn = ask("?", Reply(whole.deltas[:1]).with_break(), tongue.says("A whole answer."))
    work()
    assert (now(turn).status, now(turn).pause_reason) == ("paused", "provider")
    broken = Message.objects.last()
    assert broken and not broken.complete and {"type": "broken_off", "by": "connection"} in broken.blocks
    assert last_text() and last_text().startswith("Half an answer")
    turns.resume(actor, turn=now(turn))
    work()
    assert (now(turn).status, last_text()) == ("completed", "A whole answer.")
    partial, last = scripted_model.requests[1]["messages"][-2:]
    assert "[The connection was lost here.]" in partial["content"] and last == {"role": "user", "content": GO_ON}


TOO_LONG = fails(400, "This model's maximum context length is 10 tokens", code="context_length_exceeded")


def test_it_shortens_a_context_that_was_too_long_and_asks_once_more(
    tongue: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel
) -> None:
    ask("First?", tongue.calls(("look", {"word": "long " * 800})), tongue.says("One. " * 400))
    work()
    turn = ask("Again?", TOO_LONG, tongue.says("Fine."))
    work()
    assert (now(turn).status, last_text()) == ("completed", "Fine.")
    first, second = (len(json.dumps(request["messages"][1:])) for request in scripted_model.requests[-2:])
    assert second < first * 0.75
    assert now(turn).context_tokens


def test_going_on_after_a_context_pause_asks_for_less(
    actor: Actor, tongue: Tongue, ask: Ask, work: Work, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.TURN_BUDGET_USD = 10
    ask("First?", *[tongue.calls(("look", {"word": f"{each} " * 3000})) for each in range(5)], tongue.says("Done."))
    work()
    turn = ask("Again?", TOO_LONG, TOO_LONG)
    work()
    assert (now(turn).status, now(turn).pause_reason) == ("paused", "context")
    scripted_model.will(tongue.says("Fine."))
    before = now(turn).context_tokens
    turns.resume(actor, turn=now(turn))
    work()
    assert (now(turn).status, last_text()) == ("completed", "Fine.")
    sizes = [len(json.dumps(request["messages"][1:])) for request in scripted_model.requests[-3:]]
    assert before and sizes[0] > sizes[1] > sizes[2]
