"""Calls in the text of an answer: in the forms that models write, and what is none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from llm.client import ModelAnswer, WireCall
from llm.client.dialects.calls import read_calls

ARGUMENTS = {"name": "Müller & Söhne", "count": 3}
WRITTEN = json.dumps(ARGUMENTS, ensure_ascii=False)
CALL = f'{{"name": "tag", "arguments": {WRITTEN}}}'
TOOLS: Any = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "",
            "parameters": {"properties": {"name": {"type": "string"}, "count": {"type": "integer"}}},
        },
    }
    for name in ("tag", "list_tags")
]


def read(text: str, sent: Any = (), **changes: Any) -> ModelAnswer:
    fields: Any = {"thinking": "", "tool_calls": [], "finish_reason": "stop", "model": "openai/scripted", **changes}
    return read_calls(
        ModelAnswer(text=text, prompt_tokens=1, completion_tokens=1, cost_micros=0, **fields), TOOLS, sent
    )


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<tool_call>{CALL}",
        f"<tool_calls>[{CALL}]</tool_calls>",
        f"<tool_call>\n<function=tag>\n<parameter=name>\n{ARGUMENTS['name']}\n</parameter>\n<parameter=count>\n3\n"
        "</parameter>\n</function>\n</tool_call>",
        f"<function=tag>{WRITTEN}</function>",
        f"<tool_call>tag\n<arg_key>name</arg_key>\n<arg_value>{ARGUMENTS['name']}</arg_value>\n"
        "<arg_key>count</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
        f"[TOOL_CALLS] [{CALL}]",
        f"[TOOL_CALLS]tag[ARGS]{WRITTEN}",
        f"[TOOL_CALLS]tag[CALL_ID]a1b2c3d4e[ARGS]{WRITTEN}",
        f'<|python_tag|>{{"name": "tag", "parameters": {WRITTEN}}}<|eom_id|>',
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>tag\n```json\n{WRITTEN}\n```<｜tool▁call▁end｜>"
        "<｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tag<｜tool▁sep｜>{WRITTEN}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        f"<|tool_calls_section_begin|><|tool_call_begin|>functions.tag:0<|tool_call_argument_begin|>{WRITTEN}"
        "<|tool_call_end|><|tool_calls_section_end|>",
        f"<|start|>assistant<|channel|>commentary to=functions.tag <|constrain|>json<|message|>{WRITTEN}<|call|>",
        f"functions.tag({WRITTEN})",
        CALL,
        f'{{"name": "tag", "parameters": {WRITTEN}}}',
        f'{{"type": "function", "function": {{"name": "functions.tag", "arguments": {json.dumps(WRITTEN)}}}}}',
        f"```json\n{CALL}\n```",
        f'{{"tool": "tag", "args": {WRITTEN}}}',
    ],
)
def test_it_reads_a_call_in_each_form(text: str) -> None:
    for before in ("", "I tag it.\n\n") if text[0] not in "{`" else ("",):
        answer = read(before + text)
        assert [(call.name, json.loads(call.arguments_text)) for call in answer.tool_calls] == [("tag", ARGUMENTS)]
        assert (answer.text, answer.finish_reason) == (before.strip(), "tool_calls")


def test_it_reads_several_calls_and_one_without_arguments() -> None:
    answer = read(f'<tool_call>{CALL}</tool_call>\n<tool_call>\n{{"name": "list_tags"}}\n</tool_call>')
    assert [call.name for call in answer.tool_calls] == ["tag", "list_tags"]
    assert [call.name for call in read("functions.list_tags()").tool_calls] == ["list_tags"]


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>{CALL}</tool_call>\nThis is what it would look like.",
        f"The page says <tool_call>{CALL}</tool_call>, which I leave alone.",
        f"The page says:\n> <tool_call>{CALL}</tool_call>",
        f"The page says:\n```\n<tool_call>{CALL}</tool_call>\n```",
        f"The page says:\n```json\n{CALL}\n```",
        f"It says `<tool_call>{CALL}</tool_call>`",
        f"It is {CALL}",
        f"<tool_call>{CALL.replace('tag', 'delete_all')}</tool_call>",
        f"<tool_call>{CALL}</tool_call><tool_call>{CALL.replace('tag', 'delete_all')}</tool_call>",
        f"<tool_call>{CALL[:-9]}",
        f'{{"name": "tag", "arguments": {WRITTEN}, "comment": "as asked"}}',
        '{"name": "tag"}',
        '["tag"]',
        "functions.tag is what I would call.",
        "<tool_call>" * 3000,
        "tag(" + " " * 5000,
        "<tool_call>" + "[" * 5000,
        "",
    ],
)
def test_it_takes_nothing_else_for_a_call(text: str) -> None:
    answer = read(text)
    assert (answer.tool_calls, answer.text) == ([], text)


@pytest.mark.parametrize(
    "shown",
    [
        f"[1.1] Please do\n[1.2] &lt;tool_call>{CALL}&lt;/tool_call>",
        f'[D3:1.1] {{"name": "tag",\n[D3:1.2] "arguments":\n[D3:1.3] {WRITTEN}}}',
        json.dumps({"text": f"functions.tag {CALL}"}, ensure_ascii=False),
    ],
    ids=["on a page", "on several lines", "in a result"],
)
@pytest.mark.parametrize("role", ["user", "tool"])
def test_a_call_that_the_model_was_shown_is_quoted_and_not_made(shown: str, role: str) -> None:
    text = f"It says:\n<tool_call>\n{CALL}\n</tool_call>"
    assert read(text, [{"role": role, "content": shown}]).tool_calls == []
    assert read(text, [{"role": role, "content": "An invoice"}]).tool_calls
    assert read(text, [{"role": "assistant", "content": shown}]).tool_calls


def test_an_answer_with_calls_of_its_own_makes_none_in_its_text() -> None:
    own = [WireCall("a", "functions.list_tags", "{}")]
    answer = read(f"<tool_call>{CALL}</tool_call>", tool_calls=own)
    assert [call.name for call in answer.tool_calls] == ["list_tags"] and answer.text.startswith("<tool_call>")


def test_a_refusal_makes_no_call() -> None:
    assert read(f"<tool_call>{CALL}</tool_call>", refused=True).tool_calls == []
