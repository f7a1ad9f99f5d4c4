"""What a client reads of its calls: the result of what ran, the link of what waits for a person."""

from __future__ import annotations

import json
from typing import NotRequired, TypedDict

from django.conf import settings

from agent.calls import outcomes
from agent.calls.jobs import job_ends
from agent.conversation.addresses import address_of
from agent.mcp import answers
from agent.models import ToolCall, Turn
from agent.toolkit.turn_changes import describe_turn_changes
from agent.toolkit.values.hidden_ids import hide_ids
from agent.turns import client_questions, client_turns
from kit.json_types import JsonObject

Status = ToolCall.Status
MAX_TWICE = 4_000
"""Characters of an answer that is sent both as text and as JSON."""
WAITS = "Waiting for approval"
WAITS_NOTE = (
    "Nothing has been changed yet. A person decides on the card at the link; no tool can. Ask get_decision with the "
    "call_id for the outcome, and tell the user where the card waits."
)
RUNS_NOTE = "It was approved and is running. Ask get_decision with the call_id for its result."
UNKNOWN_NOTE = "Whether this happened is not known yet: a person looks at it. Do not repeat it."


class CallState(TypedDict):
    """A call as get_decision and propose_changes answer it."""

    call_id: str
    tool: str
    status: str
    link: NotRequired[str]
    note: NotRequired[str]
    result: NotRequired[JsonObject]


def link_to(turn: Turn) -> str:
    return f"{settings.PUBLIC_URL}{address_of(turn.thread)}"


def is_open(call: ToolCall) -> bool:
    return call.status not in ToolCall.TERMINAL


def is_failure(call: ToolCall) -> bool:
    return not is_open(call) and call.status != Status.SUCCEEDED


def describe_call(call: ToolCall, turn: Turn, *, from_document: int = 0, with_ids: bool = True) -> CallState:
    """`from_document`: the place from which the documents of its job are listed, which is then all of the result.
    `with_ids`: also where a name says as much.
    """
    state: CallState = {"call_id": call.pk, "tool": call.tool, "status": call.status}
    if not is_open(call):
        job = job_ends.read_on(call, from_document) if from_document else job_ends.read_for_client(call)
        job = job if with_ids else hide_ids(job)
        begun = {} if from_document else json.loads(outcomes.whole_text(call, with_ids=with_ids))
        return {**state, "result": {**begun, **job}}
    if call.status == Status.PENDING:
        return {**state, "status": "waiting_for_approval", "link": link_to(turn), "note": WAITS_NOTE}
    if call.status == Status.IN_DOUBT:
        return {**state, "status": "outcome_unknown", "link": link_to(turn), "note": UNKNOWN_NOTE}
    return {**state, "status": "running", "note": RUNS_NOTE}


def describe_wait(turn: Turn) -> str:
    """What a person who watches the client is told."""
    if client_questions.is_question(turn):
        return turn.reason or client_questions.describe_step(turn)
    return f"{WAITS}: {link_to(turn)}"


def to_tool_result(answer: JsonObject, *, failed: bool) -> JsonObject:
    """A CallToolResult: the answer as text for the model and as JSON for the program."""
    return _pack(json.dumps(answer, ensure_ascii=False), answer, failed)


def build_result(turn: Turn, *, with_ids: bool = True) -> JsonObject:
    """The CallToolResult of a request as it stands now. `with_ids`: also where a name says as much."""
    is_question = client_questions.is_question(turn)
    return _pack(*(answers.texts_of(turn) if is_question else texts_of(turn, with_ids=with_ids)))


def send_once(result: JsonObject, *, lists_all: bool) -> JsonObject:
    """Without the JSON where that is large and the text says the same. Some clients read the one and some the other
    alone, so the text has to be whole. Clients that list all tools are told of what these answer, and get both.
    """
    is_large = len(result["content"][0]["text"]) > MAX_TWICE
    return {name: part for name, part in result.items() if lists_all or not is_large or name != "structuredContent"}


def _pack(text: str, structured: JsonObject, failed: bool) -> JsonObject:
    content = [{"type": "text", "text": text}]
    return {"content": content, "structuredContent": structured, "isError": failed, "resultType": "complete"}


def texts_of(turn: Turn, *, with_ids: bool = True) -> tuple[str, JsonObject, bool]:
    """Of the whole request: as text for the model, as JSON for the program, and whether it failed."""
    calls = client_turns.list_calls(turn)
    changes = describe_turn_changes(calls)
    if len(calls) == 1 and not is_open(calls[0]):
        text = outcomes.result_text(calls[0], with_ids=with_ids)
        return text, dict(json.loads(outcomes.whole_text(calls[0], with_ids=with_ids))), is_failure(calls[0])
    states = [describe_call(call, turn, with_ids=with_ids) for call in calls]
    whole: JsonObject = dict(states[0]) if len(states) == 1 else {"calls": list(states)}
    if changes:
        whole["changes"] = changes.sentence
    return json.dumps(whole, ensure_ascii=False), whole, bool(calls) and all(map(is_failure, calls))
