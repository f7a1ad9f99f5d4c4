"""Talking to the agent over /v0: bodies, answers and refusals; a worker runs beside the requests."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from accounts.actor import Actor
from agent.models import Message, Thread, ToolCall, Turn
from agent.policy import agent_settings
from agent.turns.turn_views import AWAY
from documents.models import LanguageModel
from kit.processes import heartbeats
from tests.agent.chat import LOOK, NOTE, UNKNOWN, Chat, yes
from tests.agent.conftest import notes
from tests.conftest import ApiClient
from tests.scripted_model import ScriptedModel, calls, fails, says, thinks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tools")]


def test_it_answers_with_the_result_object(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(LOOK, text="I look."), thinks("Hm.", then="An invoice."))
    answer = chat.say("What is this?")
    assert answer.status_code == 200
    body = answer.json()
    turn = Turn.objects.get()
    assert body["text"] == "An invoice." and body["thinking"] == "Hm."
    assert body["working_state"] == {"schema_revid": None, "prompt_revid": None, "extraction": None}
    (ran,) = body["executed_rounds"]
    (call,) = ran["tool_calls"]
    assert (call["name"], json.loads(call["arguments"])["word"], call["status"]) == ("look", "y", "succeeded")
    assert call["id"] == ToolCall.objects.get().pk
    assert (body["thread_id"], body["model"]) == (turn.thread_id, "openai/scripted")
    assert "turn_id" not in body and "tool_calls" not in body
    assert (turn.origin, body["turn"]["status"]) == ("api", "completed")
    assert chat.get(f"turns/{turn.pk}").json() == {**body, "error": None}


@pytest.mark.django_db
def test_it_lists_the_tools(chat: Chat) -> None:
    tools = chat.get("tools").json()
    assert set(tools) == {"read_only", "read_write", "disabled", "categories"} and tools["disabled"] == []
    assert tools["read_only"] == sorted(tools["read_only"]) and "get_ocr_text" in tools["read_only"]
    assert tools["read_write"] == sorted(tools["read_write"]) and "run_extraction" in tools["read_write"]


@pytest.mark.django_db
def test_it_marks_the_tools_that_an_admin_has_taken_away(chat: Chat, actor: Actor) -> None:
    agent_settings.change(actor, disabled_tools=["delete_tag", "list_tags"])
    tools = chat.get("tools").json()
    assert tools["disabled"] == ["delete_tag", "list_tags"]
    assert "list_tags" in tools["read_only"] and "delete_tag" in tools["read_write"]


def test_a_failing_provider_is_400_with_its_sentence(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(fails(401, "bad key"))
    answer = chat.say()
    assert answer.status_code == 400 and "key" in answer.json()["detail"]
    assert answer.json()["code"] == "provider"
    turn = Turn.objects.get()
    seen = chat.get(f"turns/{turn.pk}").json()
    assert seen["error"] == answer.json()["detail"] and seen["turn_id"] == turn.pk
    scripted_model.will(says("Now."))
    assert chat.api.post(f"{chat.org}/turns/{turn.pk}/resume").status_code == 200
    assert chat.approve(turn.pk).json()["text"] == "Now."


def test_it_says_that_the_rounds_are_used_up(chat: Chat, worker: None, scripted_model: ScriptedModel, settings: Any):
    settings.TURN_MAX_ROUNDS = 1
    scripted_model.will(calls(LOOK))
    answer = chat.say().json()
    assert answer["text"] == "(Max tool rounds reached.)"
    assert (answer["turn"]["pause_reason"], answer["tool_calls"]) == ("max_rounds", [])
    assert len(answer["executed_rounds"]) == 1


@pytest.mark.usefixtures("unpriced")
def test_a_turn_out_of_budget_is_400(chat: Chat, worker: None, scripted_model: ScriptedModel, settings: Any) -> None:
    settings.MONTHLY_BUDGET_USD = 0
    answer = chat.say()
    assert answer.status_code == 400 and answer.json()["code"] == "budget"
    assert answer.json()["detail"].startswith("Insufficient SPU credits: ")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"messages": []}, "messages holds no message of the user"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "messages holds no message of the user"),
        ({"messages": [{"role": "user", "content": "  "}]}, "The message is empty."),
        ({"messages": [{"role": "user", "content": None}]}, "The message is empty."),
        ({"auto_approve": True}, "auto_approve requires stream: true"),
        ({"mentions": "x"}, "mentions is a list"),
        ({"mentions": {}}, "mentions is a list"),
        ({"mentions": False}, "mentions is a list"),
        ({"mentions": [{"type": "file", "id": "x"}]}, "mentions.type is"),
        ({"model": "embedder"}, "Embedding models are not allowed"),
        ({"model": "no-such-model"}, "Invalid model: no-such-model. "),
    ],
)
def test_it_refuses_with_a_sentence(chat: Chat, scripted_model: ScriptedModel, sent: Any, sentence: str) -> None:
    LanguageModel.objects.create(name="embedder", provider="openai", embedding=True)
    answer = chat.api.post(chat.base, {"messages": [{"role": "user", "content": "x"}], **sent})
    assert answer.status_code == 400 and sentence in answer.json()["detail"]
    assert not Thread.objects.exists() and not Turn.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": "x"},
        {"messages": [{"content": "x"}]},
        {"messages": [{"role": "user", "content": {"a": 1}}]},
        {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
        {"stream": "yes"},
        {"stream": 1},
        {"auto_approve": "true"},
        {"auto_approved_tools": "note"},
        {"truncate_thread_to_message_count": -1},
        {"truncate_thread_to_message_count": "x"},
        {"model": 5, "messages": None},
    ],
)
def test_a_request_of_the_wrong_shape_is_422(chat: Chat, wrong: Any) -> None:
    answer = chat.api.post(chat.base, {"messages": [{"role": "user", "content": "x"}], **wrong})
    assert answer.status_code == 422, answer.json()
    assert not Turn.objects.exists()


def test_it_keeps_mentions_and_passes_them_to_the_model(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("It is missing."))
    assert chat.say(mentions=[{"type": "schema", "id": UNKNOWN}]).status_code == 200
    assert Message.objects.first().mentions == [{"type": "schema", "id": UNKNOWN}]
    assert any("missing" in str(each["content"]) for each in scripted_model.requests[0]["messages"])


def test_tools_that_the_client_approved_beforehand_run_but_never_consequential_ones(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE), calls(("note", {"text": "z", "key": "shared"})))
    paused = chat.say(auto_approved_tools=["note", "no_such_tool"]).json()
    assert notes(text="x").count() == 1
    assert [json.loads(call["arguments"])["text"] for call in paused["tool_calls"]] == ["z"]
    assert Turn.objects.get().auto_approved == ["note"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_tag", {"name": {"a": 1}}),
        ("create_tag", {"name": "Bills", "description": ["a"]}),
        ("create_prompt", {"name": "Bills", "content": {"read": "it"}}),
        ("update_document", {"document_name": ["x.pdf"]}),
    ],
)
def test_an_argument_of_the_wrong_type_is_answered_to_the_model_and_becomes_no_card(
    chat: Chat, worker: None, scripted_model: ScriptedModel, tool: str, arguments: dict[str, Any]
) -> None:
    scripted_model.will(calls((tool, arguments)), says("I cannot."))
    answer = chat.say().json()
    assert (answer["text"], answer["turn"]["status"]) == ("I cannot.", "completed")
    answered = scripted_model.requests[-1]["messages"][-1]
    assert answered["role"] == "tool" and "is not of type 'string'" in answered["content"]


def test_json_goes_into_a_parameter_that_holds_it_as_text(
    chat: Chat, worker: None, scripted_model: ScriptedModel
) -> None:
    schema = {"type": "object", "properties": {"total": {"type": "number", "description": "What is to be paid."}}}
    scripted_model.will(calls(("validate_schema", {"schema": schema})), says("It is fine."))
    assert chat.say().json()["text"] == "It is fine."
    assert "is not of type" not in scripted_model.requests[-1]["messages"][-1]["content"]


def test_it_answers_202_and_says_where_the_result_will_be(
    chat: Chat, work: Callable[[], None], scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("Here."))
    answer = chat.api.post(f"{chat.base}?wait=0", {"messages": [{"role": "user", "content": "x"}]})
    turn = Turn.objects.get()
    assert answer.status_code == 202 and answer.json()["turn_id"] == turn.pk
    assert answer.json()["detail"].startswith("The agent is still working. GET ")
    assert answer["Location"] == f"{chat.base}/turns/{turn.pk}" and answer["Location"] in answer.json()["detail"]
    assert (answer.json()["status"], answer.json()["text"], answer.json()["thinking"]) == ("queued", "", None)
    shapes = chat.api.get("/v0/openapi.json").json()["components"]
    Draft202012Validator({**shapes["schemas"]["ChatUnderWay"], "components": shapes}).validate(answer.json())
    assert chat.api.get(answer["Location"]).json()["turn"]["status"] == "queued"
    work()
    assert chat.api.get(answer["Location"]).json()["text"] == "Here."


def test_a_202_has_no_words_of_an_earlier_round_nor_half_of_an_answer(
    chat: Chat, work: Callable[[], None], scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE, text="May I note it?"))
    chat.api.post(f"{chat.base}?wait=0", {"messages": [{"role": "user", "content": "x"}]})
    work()
    turn = Turn.objects.get()
    paused = chat.get(f"turns/{turn.pk}").json()
    assert paused["text"] == "May I note it?"
    decided = [{"call_id": paused["tool_calls"][0]["id"], "approved": True}]
    for answer in (
        chat.api.post(f"{chat.base}/approve?wait=0", {"turn_id": turn.pk, "approvals": decided}),
        chat.api.get(f"{chat.base}/turns/{turn.pk}"),
    ):
        # Nobody is asked any more: the approved call is carried out.
        assert (answer.json()["text"], answer.json()["tool_calls"]) == ("", []), answer.json()
        assert answer.json()["turn"]["status"] == answer.json().get("status", "running") == "running"
        assert "May I note it?" not in str(answer.json())
    Turn.objects.update(status="running", partial_text="Half of")
    again = chat.api.post(f"{chat.base}/approve?wait=0", {"turn_id": turn.pk, "approvals": decided})
    assert (again.status_code, again.json()["status"], again.json()["text"]) == (202, "running", "")


@pytest.mark.django_db
def test_it_says_that_the_agent_is_away_and_nothing_is_lost(chat: Chat, scripted_model: ScriptedModel) -> None:
    heartbeats.forget("agent")
    answer = chat.api.post(f"{chat.base}?wait=0", {"messages": [{"role": "user", "content": "x"}]})
    assert answer.status_code == 202 and answer.json()["detail"].startswith(f"{AWAY} GET ")


@pytest.mark.django_db
def test_a_running_turn_takes_no_second_message(chat: Chat, scripted_model: ScriptedModel) -> None:
    thread_id = chat.api.post(f"{chat.base}/threads").json()["thread_id"]
    chat.api.post(f"{chat.base}?wait=0", {"messages": [{"role": "user", "content": "x"}], "thread_id": thread_id})
    Turn.objects.update(status="running")
    answer = chat.say(thread_id=thread_id)
    assert answer.status_code == 409 and "still writing" in answer.json()["detail"]


@pytest.mark.usefixtures("unpriced")
def test_the_log_tells_all_of_a_turn_line_by_line(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(NOTE, text="May I?"), says("Done."))
    paused = chat.say("Note it").json()
    chat.approve(paused["turn_id"], yes(paused["tool_calls"][0], arguments={"text": "mine"}))
    answer = chat.api.get(f"{chat.org}/turns/{paused['turn_id']}/log")
    assert answer["Content-Type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    kinds = [line["type"] for line in lines]
    assert kinds == ["turn", "message", "message", "call", "decision", "message", "cost", "cost"]
    call = lines[3]
    assert (call["proposed"]["text"], call["decided"]["text"], call["effective"]["text"]) == ("x", "mine", "mine")
    assert (lines[4]["kind"], lines[4]["by"], lines[4]["edited"]) == ("approved", "Admin", True)
    assert lines[0]["status"] == "completed" and lines[-1]["cost_micros"] > 0


def test_a_turn_can_be_cancelled(chat: Chat, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(NOTE))
    paused = chat.say().json()
    path = f"{chat.org}/turns/{paused['turn_id']}/cancel"
    stopped = chat.api.post(path)
    assert stopped.status_code == 200 and stopped.json()["turn"]["status"] == "cancelled"
    assert "turn_id" not in stopped.json() and chat.api.post(path).status_code == 409


@pytest.mark.django_db
def test_the_description_tells_of_the_stream_and_gives_examples(api: Callable[[str], ApiClient]) -> None:
    document = api("").get("/v0/openapi.json").json()
    operation = document["paths"]["/v0/orgs/{organization_id}/documents/{document_id}/chat"]["post"]
    content = operation["responses"]["200"]["content"]
    assert set(content) == {"application/json", "text/event-stream"} and "202" in operation["responses"]
    for name in ("thinking_chunk", "assistant_text_done", "Last-Event-ID", "round_restarted"):
        assert name in operation["description"]
    assert operation["requestBody"]["content"]["application/json"]["example"]["messages"]
    assert operation["tags"] == ["Agent"]
