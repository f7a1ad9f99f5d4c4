"""A turn from its first request to its answer: calls, results, cards."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accounts.actor import Actor
from agent.conversation.messages import NOTHING_SAID
from agent.models import Event, Message, Thread, ToolCall
from tests.agent.conftest import notes
from tests.agent.test_decisions import say
from tests.agent.turn_rows import LOOK, NOTE, Work, last_text, now, read_sent_results
from tests.scripted_model import MODEL, ScriptedModel, call_delta, calls, says, streams, thinks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


@pytest.mark.usefixtures("unpriced")
def test_it_answers_with_text(ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    turn = ask("What is\nthis?", says("An ", "invoice."))
    work()
    assert (now(turn).status, last_text()) == ("completed", "An invoice.")
    system, data, state, question = scripted_model.requests[0]["messages"]
    assert system["role"] == "system" and "invoice.pdf" not in system["content"]
    assert '<data kind="document" name="invoice.pdf"' in data["content"]
    assert '<data kind="working_state">' in state["content"]
    assert question == {"role": "user", "content": "What is\nthis?"}
    assert Thread.objects.get().title == "What is this?"
    assert now(turn).spent_micros > 0
    assert list(Event.objects.values_list("seq", flat=True)) == list(range(1, Event.objects.count() + 1))


def test_it_keeps_thinking_apart_from_text(ask: Any, work: Work) -> None:
    ask("?", thinks("Hm. ", "Yes.", then="Fine."))
    work()
    assert Message.objects.last().blocks == [
        {"type": "thinking", "text": "Hm. Yes."},
        {"type": "text", "text": "Fine."},
    ]


def test_it_pauses_for_a_card_and_goes_on_after_the_decision(
    actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    turn = ask("Note it", calls(NOTE, text="I propose."), says("Done."))
    work()
    assert now(turn).status == "awaiting_approval" and len(scripted_model.requests) == 1
    say(actor, ToolCall.objects.get())
    work()
    assert (now(turn).status, last_text()) == ("completed", "Done.")
    assert read_sent_results(scripted_model) == [{"noted": "x"}]
    wire = scripted_model.requests[1]["messages"][-2]["tool_calls"][0]["id"]
    assert len(wire) == 9 and wire.isalnum()


def test_it_runs_everything_in_mode_auto(
    actor: Actor, thread: Thread, ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    thread.mode = "auto"
    thread.save()
    turn = ask("Note it", calls(LOOK, NOTE), calls(("draft", {"text": "y"})), says("Done."))
    work()
    assert now(turn).status == "completed"
    assert read_sent_results(scripted_model) == [{"found": "x"}, {"noted": "x"}, {"noted": "y"}]


def test_it_tells_the_model_why_a_person_said_no(
    actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    ask("Note it", calls(NOTE), says("All right."))
    work()
    say(actor, ToolCall.objects.get(), "rejected", reason="Too early.")
    work()
    (result,) = read_sent_results(scripted_model)
    assert result["error"] == (
        "The user rejected this call; it was not run. Why is in their next message. Do not propose the same again."
    )
    last = scripted_model.requests[1]["messages"][-1]
    assert last == {"role": "user", "content": "Why I rejected call 1 (note): Too early."}
    assert not notes().exists()


def test_it_tells_the_model_what_really_ran(actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    ask("Note it", calls(NOTE), says("All right."))
    work()
    say(actor, ToolCall.objects.get(), arguments={"text": "edited"})
    work()
    (result,) = read_sent_results(scripted_model)
    assert result["noted"] == "edited" and result["ran_with"] == {"text": "edited"}


def test_it_lets_the_model_correct_itself_after_an_error(ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    turn = ask("Look", calls(("look", {"word": "nothing"})), calls(LOOK), says("Found."))
    work()
    assert now(turn).status == "completed"
    assert read_sent_results(scripted_model) == [{"error": "There is nothing to look up. Name a word."}, {"found": "x"}]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (("look", '{"word": "x'), "The arguments are not JSON"),
        (("look", '["x"]'), "not an object"),
        (("look", '"x"'), "not an object"),
        (("look", {"word": 7}), "is not of type 'string'"),
        (("fly", {}), "There is no tool 'fly'"),
        (("", {}), "There is no tool ''"),
    ],
)
def test_it_answers_unusable_calls_and_goes_on(
    ask: Any, work: Work, scripted_model: ScriptedModel, call: Any, sentence: str
) -> None:
    turn = ask("Look", calls(call, LOOK), says("Fine."))
    work()
    assert now(turn).status == "completed"
    wrong, right = read_sent_results(scripted_model)
    assert sentence in wrong["error"] and right == {"found": "x"}
    arguments = [
        json.loads(each["function"]["arguments"]) for each in scripted_model.requests[1]["messages"][-3]["tool_calls"]
    ]
    assert all(isinstance(each, dict) for each in arguments)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ('{"word": ' + "[" * 5000 + "]" * 5000 + "}", None),
        ('{"word": "\\ud800"}', "\ufffd"),
        ('{"word": "a\\u0000b"}', "ab"),
    ],
    ids=["nested too deeply", "half a character", "NUL"],
)
def test_it_takes_arguments_written_as_text_from_a_model_without_tools(
    ask: Any, work: Work, scripted_model: ScriptedModel, settings: Any, arguments: str, word: str | None
) -> None:
    settings.MODELS_WITHOUT_TOOLS = (MODEL,)
    answer = json.dumps({"tool_calls": [{"name": "look", "arguments": arguments}], "response": ""})
    turn = ask("Look", says(answer), says('{"response": "Fine.", "tool_calls": []}'))
    work()
    call = ToolCall.objects.get()
    assert (now(turn).status, len(scripted_model.requests)) == ("completed", 2)
    assert call.effective == (word and {"word": word})
    assert ("nested" in str(call.result)) is not bool(word)


@pytest.mark.parametrize("ids", [("same", "same"), ("", ""), (None, None)])
def test_it_gives_calls_ids_of_its_own(ask: Any, work: Work, scripted_model: ScriptedModel, ids: Any) -> None:
    deltas = [
        call_delta(number, json.dumps({"word": str(number)}), id=each, name="look") for number, each in enumerate(ids)
    ]
    ask("Look", streams(*deltas, finish="tool_calls"), says("Fine."))
    work()
    assert read_sent_results(scripted_model) == [{"found": "0"}, {"found": "1"}]
    assert len(set(ToolCall.objects.values_list("wire_id", flat=True))) == 2


def test_it_takes_parallel_calls_whose_deltas_share_an_index(
    ask: Any, work: Work, scripted_model: ScriptedModel
) -> None:
    ask(
        "Look",
        streams(
            call_delta(0, '{"word": "a"}', id="a", name="look"), call_delta(0, '{"word": "b"}', id="b", name="look")
        ),
        says("Fine."),
    )
    work()
    assert read_sent_results(scripted_model) == [{"found": "a"}, {"found": "b"}]


def test_it_never_runs_a_call_that_the_length_limit_cut(ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    cut = calls(LOOK, ("look", {"word": "y"})).with_finish("length")
    ask("Look", cut, cut, says("Fine."))
    work()
    whole, cut = read_sent_results(scripted_model)
    assert whole == {"found": "x"} and "length limit" in cut["error"]
    assert ToolCall.objects.last().status == "invalid"


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_it_says_so_when_the_model_answers_with_nothing(ask: Any, work: Work, text: str) -> None:
    turn = ask("?", says(text))
    work()
    assert (now(turn).status, last_text()) == ("completed", NOTHING_SAID)
