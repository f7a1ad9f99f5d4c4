"""Streams as servers really send them: each is read where it can be, else its reason is named in a sentence."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
from typing import Any

import pytest

from documents.models import Budget, Usage
from llm.client import Delta, ModelAnswer, ModelFailed, ask
from llm.money.spending import BudgetAccount
from tests.documents.llm_requests import TOOLS, account, request  # noqa: F401 - account is a fixture
from tests.scripted_answers import make_whole
from tests.scripted_model import Reply, ScriptedModel, call_delta, calls, says, sends, streams

pytestmark = pytest.mark.django_db(transaction=True)
ARGUMENTS = '{"a": 1}'
THOUGHT, WORDS = "Perhaps <b>.", "It is an invoice."


@pytest.fixture
def answer_to(scripted_model: ScriptedModel, account: BudgetAccount) -> Any:
    def ask_for(*replies: Reply, **changes: Any) -> ModelAnswer:
        scripted_model.will(*replies)
        return ask(request(max_wait_seconds=0, **changes), account=account)

    return ask_for


@pytest.mark.parametrize(
    "reply",
    [
        streams({"content": [{"type": "text", "text": "It is "}, {"type": "text", "text": "an invoice."}]}),
        streams({"content": ["It is ", {"type": "text", "text": "an invoice."}]}),
        sends(make_whole(says(WORDS))),
        sends("\n " + json.dumps(make_whole(says(WORDS).without_usage()), indent=2)),
        sends({**make_whole(says()), "choices": [{"message": {"content": [{"type": "text", "text": WORDS}]}}]}),
    ],
    ids=["parts", "parts of two kinds", "a whole answer", "indented, without usage", "parts in a whole answer"],
)
def test_it_reads_the_words_of_an_answer_in_an_odd_form(reply: Reply, answer_to: Any) -> None:
    answer = answer_to(reply)
    assert (answer.text, answer.finish_reason, answer.thinking) == (WORDS, "stop", "")
    assert Usage.objects.count() == 1


@pytest.mark.parametrize(
    "reply",
    [
        streams({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}, WORDS]}),
        says(f"<think>{THOUGHT}</think>\n\n{WORDS}"),
        says(*f"<think>\n{THOUGHT}</think>\n\n{WORDS}"),
        says("\n<thi", "nking>", THOUGHT, "</think", "ing>", WORDS),
        says("[THINK]Perhaps[/THINK]", f"<think> {THOUGHT.removeprefix('Perhaps ')}</think>", WORDS),
        says(f"{THOUGHT}\n</think>\n\n{WORDS}"),
        says(f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>{WORDS}"),
        sends(make_whole(says(f"<think>{THOUGHT}</think>{WORDS}"))),
    ],
    ids=["as a part", "in tags", "letter by letter", "cut in a tag", "two", "never opened", "in channels", "whole"],
)
def test_it_tells_a_thought_from_the_words(reply: Reply, answer_to: Any) -> None:
    answer = answer_to(reply)
    assert (answer.text, answer.thinking.strip()) == (WORDS, THOUGHT)


def test_it_shows_a_thought_in_tags_as_one_while_it_comes(
    scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(says("<th", "ink>Hm", ".</th", "ink>", "\n\nYes", "."))
    deltas: list[Delta] = []
    ask(request(), account=account, on_delta=deltas.append)
    words = {kind: "".join(delta.text for delta in deltas if delta.kind == kind) for kind in ("thinking", "text")}
    assert words == {"thinking": "Hm.", "text": "Yes."}


@pytest.mark.parametrize(
    "text",
    [
        "The tag <think>x</think> opens a thought.",
        "<thin",
        "Write `x</think>`\nand go on.",
        "```\n</think>\n```",
        'It says "</think>" there.',
    ],
)
def test_it_leaves_a_tag_that_an_answer_speaks_of(text: str, answer_to: Any) -> None:
    answer = answer_to(says(text))
    assert (answer.text, answer.thinking) == (text, "")


def test_a_thought_that_never_ends_is_no_answer(answer_to: Any) -> None:
    answer = answer_to(says("<think>I go on and on"))
    assert (answer.text, answer.thinking) == ("", "I go on and on")


@pytest.mark.parametrize(
    "reply",
    [
        streams(
            {"function_call": {"name": "f", "arguments": ARGUMENTS[:4]}}, {"function_call": {"arguments": ": 1}"}}
        ).with_finish("function_call"),
        sends(make_whole(calls(("f", ARGUMENTS)))),
        streams(call_delta(0, ARGUMENTS, id="a", name="functions.f")),
        streams(call_delta(0, json.dumps(ARGUMENTS), id="a", name="f")),
        streams(call_delta(0, ARGUMENTS, id="a", name="f"), call_delta(0, json.dumps(ARGUMENTS), id="a", name="f")),
        says(f'Now.\n<tool_call>{{"name": "f", "arguments": {ARGUMENTS}}}</tool_call>'),
    ],
    ids=["the old form", "a whole answer", "a prefix", "JSON in text", "summed up at the end", "in the text"],
)
def test_it_reads_a_call_in_an_odd_form(reply: Reply, answer_to: Any) -> None:
    answer = answer_to(reply, tools=TOOLS)
    assert [(call.name, call.arguments_text) for call in answer.tool_calls] == [("f", ARGUMENTS)]
    assert answer.finish_reason == "tool_calls"


@pytest.mark.parametrize(
    ("reply", "code", "says_what"),
    [
        (sends("<html><h1>502 Bad Gateway</h1> proxy-7</html>"), "page", "A web page came instead of an answer"),
        (sends(""), "empty", "holds no answer"),
        (sends("[1]"), "empty", "holds no answer"),
        (sends({"error": {"message": "Overloaded", "type": "overloaded_error"}}), "overloaded", "more to do than"),
        (says("Half").with_error({"message": "Overloaded", "code": 529}), "broken", "It said: “Overloaded”"),
        (says("Half").with_error("CUDA out of memory."), "broken", "It said: “CUDA out of memory”"),
        (says().with_error({"message": "CUDA out of memory"}), "down", "error. It said: “CUDA out of memory”"),
        (says().with_error({"message": "slow down", "code": 429}), "rate", "takes no more calls for now (429)"),
        (says("Half").with_break(), "broken", "broke off in the middle. Try again."),
    ],
    ids=["page", "nothing", "no answer", "error as JSON", "overloaded", "words", "at once", "rate", "lost"],
)
def test_it_names_why_nothing_can_be_read(reply: Reply, code: str, says_what: str, answer_to: Any) -> None:
    with pytest.raises(ModelFailed) as raised:
        answer_to(reply)
    assert raised.value.code == code and says_what in raised.value.sentence
    assert "proxy-7" not in raised.value.sentence and "litellm" not in raised.value.sentence
    assert Budget.objects.get().reserved_micros == 0


def test_an_answer_that_was_withheld_is_told_from_an_empty_one(answer_to: Any) -> None:
    answer = answer_to(says().with_finish("content_filter"))
    assert answer.refused and answer.is_filtered


def test_a_body_without_end_is_not_waited_for(answer_to: Any) -> None:
    with pytest.raises(ModelFailed, match="holds no answer"):
        answer_to(sends('{"choices": "' + "x" * 2_000_000))
