from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from agent.calls.outcomes import MAX_CHARACTERS, result_text
from agent.conversation.model_input.history import BrokenHistory, check_pairing
from agent.models import Message, Thread, ToolCall
from agent.toolkit.signatures import check_arguments, description_of, parameters_of, parse_arguments
from kit.errors import Invalid
from kit.rows import statistics
from tests.agent.decision_rows import Propose
from tests.agent.wire import wire_messages

Status = ToolCall.Status
SAID = {"role": "user", "content": "x"}


def call_message(*ids: str) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": [{"id": each} for each in ids]}


def result_message(each: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": each, "content": "{}"}


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [SAID],
        [SAID, call_message("a", "b"), result_message("b"), result_message("a"), SAID],
        [call_message("a"), result_message("a"), call_message("b"), result_message("b")],
    ],
)
def test_it_takes_histories_in_which_each_call_has_its_result(messages: list[dict[str, Any]]) -> None:
    check_pairing(messages)


@pytest.mark.parametrize(
    "messages",
    [
        [call_message("a")],
        [call_message("a"), SAID],
        [call_message("a", "b"), result_message("a"), SAID],
        [call_message("a"), result_message("a"), result_message("a")],
        [result_message("a")],
        [call_message("a"), result_message("b")],
        [call_message("a", "a"), result_message("a"), result_message("a")],
        [call_message("a"), result_message("a"), call_message("a"), result_message("a")],
        [call_message("a"), result_message("a"), SAID, result_message("a")],
    ],
)
def test_it_refuses_histories_that_no_provider_would_take(messages: list[dict[str, Any]]) -> None:
    with pytest.raises(BrokenHistory):
        check_pairing(messages)


@pytest.mark.parametrize("status", ToolCall.Status.values)
def test_it_gives_a_call_in_any_state_one_honest_result(propose: Propose, thread: Thread, status: str) -> None:
    propose(("note", {"text": "x"}))
    ToolCall.objects.update(status=status, result={"error": "no", "reason": "because"})
    request, result, *spoken = wire_messages(thread)
    assert request["tool_calls"][0]["id"] == result["tool_call_id"]
    assert json.loads(result["content"])["error"]
    assert [each["role"] for each in spoken] == (["user"] if status == Status.REJECTED else [])


def test_reasons_for_rejections_are_one_message_of_the_person(propose: Propose, thread: Thread) -> None:
    calls = propose(*[("note", {"text": str(number)}) for number in range(4)])
    for call, reason in zip(calls, ["Too long.", "", "Ask\nfirst.", "Too long."], strict=True):
        ToolCall.objects.filter(pk=call.pk).update(status=Status.REJECTED, result={"reason": reason})
    *_, last, spoken = wire_messages(thread)
    assert last["role"] == "tool" and spoken["role"] == "user"
    assert spoken["content"] == (
        "Why I rejected call 1 (note), call 4 (note): Too long.\n\nWhy I rejected call 3 (note): Ask\nfirst."
    )


def test_very_long_reasons_are_cut_and_say_so(propose: Propose, thread: Thread) -> None:
    calls = propose(*[("note", {"text": str(number)}) for number in range(4)])
    for number, call in enumerate(calls):
        ToolCall.objects.filter(pk=call.pk).update(status=Status.REJECTED, result={"reason": str(number) * 4000})
    text = str(wire_messages(thread)[-1]["content"])
    assert 8_000 < len(text) < 8_100 and f"read_result(message={calls[0].message.number}) gives all of it" in text


@pytest.mark.parametrize(
    ("model", "roles"),
    [
        ("mistral/mistral-large-latest", ["assistant", "tool", "assistant", "user"]),
        ("openrouter/mistralai/mixtral-8x7b", ["assistant", "tool", "assistant", "user"]),
        ("anthropic/claude-sonnet", ["assistant", "tool", "user"]),
    ],
)
def test_an_answer_stands_before_them_for_models_that_need_one(
    propose: Propose, thread: Thread, model: str, roles: list[str]
) -> None:
    propose(("note", {"text": "x"}))
    ToolCall.objects.update(status=Status.REJECTED, result={"reason": "Too long."})
    assert [each["role"] for each in wire_messages(thread, model=model)] == roles


def test_a_program_that_reads_no_messages_gets_the_reason_with_the_result(propose: Propose, thread: Thread) -> None:
    (call,) = propose(("note", {"text": "x"}))
    call.status, call.result = Status.REJECTED, {"reason": "Too long."}
    assert "The reason given: Too long." in result_text(call) and "next message" not in result_text(call)
    call.result = {"reason": ""}
    assert result_text(call) == result_text(call, reason_follows=True) and "No reason was given." in result_text(call)


def test_it_shows_the_model_the_newest_revision_of_a_card(propose: Propose, thread: Thread) -> None:
    (call,) = propose(("note", {"text": "x"}))
    ToolCall.objects.update(status="stale")
    ToolCall.objects.create(
        thread=thread,
        turn=call.turn,
        message=call.message,
        round=1,
        position=0,
        version=2,
        wire_id=call.wire_id,
        tool="note",
        proposed_text=call.proposed_text,
        replaces=call,
        status="succeeded",
        result={"noted": "x"},
    )
    _, result = wire_messages(thread)
    assert json.loads(result["content"]) == {"noted": "x"}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL counts rows without a value apart")
def test_it_finds_what_was_undone_without_walking_all_calls(propose: Propose, thread: Thread) -> None:
    (call,) = propose(("note", {"text": "x"}))
    others = [
        ToolCall(thread=thread, turn=call.turn, message=call.message, round=2, position=position, wire_id=str(position))
        for position in range(300)
    ]
    ToolCall.objects.bulk_create(others)
    statistics.refresh()
    with CaptureQueriesContext(connection) as asked_for:
        wire_messages(thread)
    with connection.cursor() as cursor:
        plans = [
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}").fetchall() for query in asked_for.captured_queries
        ]
    assert [step for plan in plans for *_, step in plan if "JOIN" in step and "call_undoes" in step]


def test_it_sends_back_what_the_provider_gave_along(propose: Propose, thread: Thread) -> None:
    propose(("look", {}))
    blocks = [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]
    Message.objects.update(provider_extras={"thinking_blocks": blocks})
    assert wire_messages(thread)[0]["thinking_blocks"] == blocks


def test_it_caps_a_long_result_and_says_so(propose: Propose) -> None:
    (call,) = propose(("look", {}))
    call.status, call.result = "succeeded", {"text": "x" * (MAX_CHARACTERS + 10)}
    text = result_text(call)
    assert len(text) < MAX_CHARACTERS + 200
    assert text.endswith(f'read_result(call_id="{call.wire_id}", offset={MAX_CHARACTERS}) gives more.]')


def example(
    context: Any, name: str, number: int | None = None, parts: list[str] | None = None, value: Any = 1
) -> dict[str, Any]:
    """Does something useful.

    It says more: a colon here is no parameter.
    name: what it is called
    parts: all of them, such as
      {"text": "a line"}; its second line
    """
    return {}


NOTE = 'all of them, such as {"text": "a line"}; its second line'


def test_it_makes_the_schema_from_signature_and_docstring() -> None:
    assert parameters_of(example) == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "what it is called"},
            "number": {"type": "integer"},
            "parts": {"type": "array", "items": {"type": "string"}, "description": NOTE},
            "value": {},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
    assert description_of(example) == "Does something useful. It says more: a colon here is no parameter."


def test_it_takes_null_for_what_is_left_out_but_where_any_value_goes() -> None:
    schema = parameters_of(example)
    assert check_arguments(schema, {"name": "x", "number": None, "value": None}) == {"name": "x", "value": None}


def test_one_thing_is_taken_for_a_list_of_it() -> None:
    schema = parameters_of(example)
    assert check_arguments(schema, {"name": "x", "parts": "a"})["parts"] == ["a"]
    with pytest.raises(Invalid, match="parts: 3 is not of type 'array'"):
        check_arguments(schema, {"name": "x", "parts": 3})
    assert "parts" not in check_arguments(schema, {"name": "x", "parts": None})
    outside = {"type": "object", "properties": {"a": {"type": "array"}, "b": {"type": "array", "items": True}}}
    with pytest.raises(Invalid, match="a: 'x' is not of type 'array'"):
        check_arguments({**outside, "required": []}, {"a": "x", "b": []})


def test_it_says_which_arguments_there_are_when_one_is_unknown() -> None:
    schema = parameters_of(example)
    with pytest.raises(Invalid, match=f"'nick'.* This tool takes {', '.join(schema['properties'])}[.]$"):
        check_arguments(schema, {"name": "x", "nick": "y"})


@pytest.mark.parametrize("text", ["{", "[]", "null", "3", '"x"', "NaN"])
def test_it_takes_nothing_but_an_object_for_arguments(text: str) -> None:
    with pytest.raises(Invalid):
        parse_arguments(text)


def test_it_refuses_a_parameter_type_it_cannot_describe() -> None:
    def wrong(context: Any, when: complex) -> dict[str, Any]:
        return {}

    with pytest.raises(TypeError, match="when"):
        parameters_of(wrong)


def test_it_keeps_the_actor_of_a_read_out_of_the_audit(
    actor: Actor, propose: Propose, work: Callable[[], None]
) -> None:
    (call,) = propose(("look", {"word": "x"}))
    assert not call.decisions.exists()
