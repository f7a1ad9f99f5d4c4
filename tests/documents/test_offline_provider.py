"""The offline model through the real litellm: whole and streamed, called and awaited."""

import json
import time

import pytest

from llm.client.litellm_loader import litellm as loaded
from tests.documents import offline_cases as cases

MODEL = "offline/rules"
TOOLS = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in ("validate_schema",)]
BLOCK = f'<data kind="document" name="f.pdf" pages="1">\n<page number="1">\n{cases.INVOICE}</page>\n</data>'
SETUP = [{"role": "user", "content": f"{BLOCK}\nSet up extraction for this document"}]
STREAM = {"stream": True, "stream_options": {"include_usage": True}}
FORM = {
    "type": "json_schema",
    "json_schema": {"name": "x", "schema": {"type": "object", "properties": {"total": {"type": "number"}}}},
}


pytestmark = pytest.mark.flows


@pytest.fixture(scope="module")
def litellm():
    return loaded()


def join(chunks):
    """Text and the one call as a client puts them together from the deltas."""
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    calls = [call for delta in deltas for call in delta.tool_calls or ()]
    arguments = "".join(call.function.arguments or "" for call in calls)
    return "".join(delta.content or "" for delta in deltas), calls, arguments


def test_it_answers_in_one_piece_at_no_cost(litellm):
    answer = litellm.completion(model=MODEL, messages=SETUP, tools=TOOLS, max_retries=0, max_tokens=100)
    choice = answer.choices[0]
    assert choice.finish_reason == "tool_calls"
    assert choice.message.tool_calls[0].function.name == "validate_schema"
    assert "I see: Invoice" in choice.message.content
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens > 100
    assert litellm.completion_cost(answer) == 0


def test_it_streams_text_and_the_call_in_pieces(litellm):
    whole = litellm.completion(model=MODEL, messages=SETUP, tools=TOOLS)
    chunks = list(litellm.completion(model=MODEL, messages=SETUP, tools=TOOLS, **STREAM))
    text, calls, arguments = join(chunks)
    message = whole.choices[0].message
    assert text == message.content
    assert arguments == message.tool_calls[0].function.arguments
    assert json.loads(arguments)
    assert [calls[0].id, calls[0].function.name] == [message.tool_calls[0].id, "validate_schema"]
    assert len(calls) > 5
    assert len(chunks) > 20
    assert [c.choices[0].finish_reason for c in chunks if c.choices[0].finish_reason] == ["tool_calls"]
    assert chunks[-1].usage.total_tokens == whole.usage.total_tokens


async def test_it_streams_when_awaited(litellm):
    stream = await litellm.acompletion(
        model=MODEL, messages=[{"role": "user", "content": "hello"}], tools=TOOLS, **STREAM
    )
    text, calls, _ = join([chunk async for chunk in stream])
    assert text.startswith("I am the built-in offline model")
    assert "\n- set up an extraction" in text
    assert calls == []


async def test_it_gives_json_for_a_schema_and_arguments_for_a_forced_tool(litellm):
    answer = await litellm.acompletion(model=MODEL, messages=SETUP, response_format=FORM)
    assert json.loads(answer.choices[0].message.content) == {"total": 17116.55}
    give = {"name": "give", "parameters": FORM["json_schema"]["schema"]}
    forced = {
        "tools": [{"type": "function", "function": give}],
        "tool_choice": {"type": "function", "function": {"name": "give"}},
    }
    answer = await litellm.acompletion(model=MODEL, messages=SETUP, **forced)
    assert json.loads(answer.choices[0].message.tool_calls[0].function.arguments) == {"total": 17116.55}


async def test_it_takes_its_time_when_told_to(litellm, monkeypatch):
    monkeypatch.setenv("OFFLINE_DELAY_MS", "5")
    started = time.monotonic()
    stream = await litellm.acompletion(
        model=MODEL, messages=[{"role": "user", "content": "thanks"}], tools=TOOLS, stream=True
    )
    count = len([chunk async for chunk in stream])
    assert time.monotonic() - started >= 0.005 * (count - 1)
    await stream.aclose()
