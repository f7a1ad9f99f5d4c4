"""What a client asks for, in rows: the work of each MCP method, in a thread and with the database.

Raises AppError with a sentence; `agent.mcp.server` makes of it what the protocol has for it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from accounts.access import renew
from accounts.actor import Actor
from agent.calls.call_drafts import RequestedCall
from agent.mcp import answers, call_results
from agent.mcp.tools.tool_list import (
    DECISION,
    FINDER,
    FROM_DOCUMENT,
    KEY,
    describe_tools,
    find_schema,
    list_for_clients,
    takes_key,
)
from agent.mcp.tools.tool_words import NOT_FOR_CLIENTS, check_document
from agent.models import ToolCall, Turn
from agent.policy.agent_settings import effective_settings
from agent.policy.offered_tools import rank_tools
from agent.toolkit.old_names import get_present_name
from agent.toolkit.registry import registry
from agent.toolkit.signatures import check_arguments
from agent.turns import client_questions, client_turns, turns
from agent.turns.client_questions import RESEARCH, Question
from agent.turns.client_turns import PROPOSE, ClientRequest
from kit import sanitize
from kit.errors import Invalid, NotFound
from kit.ids import is_id
from kit.json_types import JsonObject
from llm import models_catalogue
from llm.client.providers import get_provider_name

# Where the door leaves the caller, and whether the message is large, for the SDK's handlers.
CALLER, IS_LARGE = "docrouter.caller", "docrouter.is_large"
# Taken from clients of other research servers, which choose a provider and no model; not listed.
PROVIDER = "llm_provider"
NO_TASK = "There is no such task of yours."
NO_CALL = "There is no such call of yours."
NOTHING_CALLED = "Nothing was proposed yet. This is what these tools take: send the changes with their arguments."
READS = "propose_changes takes changes only; {tool} reads. Call it by itself."


@dataclass(frozen=True)
class Caller:
    """Who sent the request, what the client calls itself, and whether it wants to have all tools listed."""

    actor: Actor
    client_name: str
    lists_all: bool = False


def imagine_turn(caller: Caller) -> Turn:
    """What a call would be judged as part of. Nothing is written, unless the client is new."""
    client = client_turns.find_or_create_client(caller.actor, caller.client_name)
    return client_turns.build_turn(caller.actor, client)


def is_known(name: str) -> bool:
    return find_schema(name) is not None


def begin(caller: Caller, tool: str, arguments: Mapping[str, object], meta_key: str = "") -> Turn:
    """The turn of a call; the reads in it have run, and a question is queued."""
    sent: JsonObject = sanitize.value(dict(arguments))
    tool = get_present_name(tool)
    has_key = tool in (PROPOSE, RESEARCH) or takes_key(registry.find(tool))
    given = sent.pop(KEY, None) if has_key else None
    key = meta_key if given is None else given
    if not isinstance(key, str):
        raise Invalid(f"{KEY} is a text.")
    key = sanitize.text(key)
    if tool == RESEARCH:
        return _ask(caller, sent, key)
    calls = _read_changes(sent) if tool == PROPOSE else [_request(tool, sent)]
    client = client_turns.find_or_create_client(caller.actor, caller.client_name)
    return client_turns.submit(caller.actor, client=client, request=ClientRequest(tool, calls, key))


def _ask(caller: Caller, arguments: JsonObject, key: str) -> Turn:
    schema = find_schema(RESEARCH)
    assert schema is not None  # noqa: S101 - it is one of ours
    provider = arguments.pop(PROVIDER, None)
    asked = check_arguments(schema, arguments)
    named, model = asked.get("document_ids") or [], asked.get("model") or ""
    if provider and not model:
        model = _choose_model(caller.actor, provider)
    question = Question(asked["question"], named, model, asked.get("depth") or "", key)
    client = client_turns.find_or_create_client(caller.actor, caller.client_name)
    return client_questions.ask(caller.actor, client=client, question=question)


def _choose_model(actor: Actor, provider: object) -> str:
    """The organization's own model where it is of this provider, else the first of the provider's."""
    if not isinstance(provider, str):
        raise Invalid(f"{PROVIDER} is a text.")
    model = effective_settings(actor.organization).default_model
    if get_provider_name(model).casefold() == provider.strip().casefold():
        return model
    return models_catalogue.choose_of_provider(actor.organization, provider)


def find_fitting(caller: Caller, arguments: Mapping[str, object]) -> JsonObject:
    """find_tools: of what the client may use."""
    schema = find_schema(FINDER)
    assert schema is not None  # noqa: S101 - it is one of ours
    query = str(check_arguments(schema, dict(arguments))["query"])
    tools = list_for_clients(imagine_turn(caller))
    fitting = rank_tools(tools, query)
    if fitting:
        return {"tools": describe_tools(fitting)}
    return {"tools": [], "note": f"None fits. There are: {', '.join(tool.name for tool in tools)}."}


def describe_asked(caller: Caller, arguments: Mapping[str, object]) -> JsonObject | None:
    """Says of changes that are named without arguments what they take; None where all have some, or are none."""
    changes = arguments.get("changes")
    listed = [each for each in changes if isinstance(each, Mapping)] if isinstance(changes, list) else []
    names = {get_present_name(str(each.get("tool"))) for each in listed if "arguments" not in each}
    tools = [tool for tool in list_for_clients(imagine_turn(caller)) if tool.name in names and not tool.is_read]
    return {"tools": describe_tools(tools), "note": NOTHING_CALLED} if tools else None


def _read_changes(arguments: JsonObject) -> list[RequestedCall]:
    schema = find_schema(PROPOSE)
    assert schema is not None  # noqa: S101 - it is one of ours
    changes = check_arguments(schema, arguments)["changes"]
    for change in changes:
        name = get_present_name(str(change["tool"]))
        if name in NOT_FOR_CLIENTS or registry.find(name).is_read:
            raise Invalid(READS.format(tool=name))
    return [_request(change["tool"], change.get("arguments") or {}) for change in changes]


def _request(tool: str, arguments: Mapping[str, object]) -> RequestedCall:
    check_document(registry.find(tool), dict(arguments))
    return RequestedCall(tool, json.dumps(arguments, ensure_ascii=False, sort_keys=True))


def look_up(caller: Caller, arguments: Mapping[str, object]) -> JsonObject:
    """get_decision. Calls and questions of other tokens are unknown."""
    schema = find_schema(DECISION)
    assert schema is not None  # noqa: S101 - it is one of ours
    checked = check_arguments(schema, dict(arguments))
    call_id = checked["call_id"]
    asked = client_turns.find_turn(caller.actor, call_id) if is_id(call_id) else None
    if asked is not None and client_questions.is_question(asked):
        return answers.describe_question(asked)
    turn = client_turns.find_turn_of_call(caller.actor, call_id) if is_id(call_id) else None
    if turn is None:
        raise NotFound(NO_CALL)
    named = turn.calls.get(pk=call_id)
    newest = [call for call in client_turns.list_calls(turn) if call.position == named.position]
    from_document = int(checked.get(FROM_DOCUMENT) or 0)
    call = newest[-1] if newest else named
    return dict(call_results.describe_call(call, turn, from_document=from_document, with_ids=caller.lists_all))


def find_task(caller: Caller, task_id: str) -> Turn:
    turn = client_turns.find_turn(caller.actor, task_id) if is_id(task_id) else None
    if turn is None:
        raise NotFound(NO_TASK)
    return turn


def cancel_task(caller: Caller, task_id: str) -> None:
    """Withdraws what waits. What runs or has ended is left alone."""
    turn = find_task(caller, task_id)
    if turn.status in Turn.LIVE and not turn.calls.filter(status=ToolCall.Status.EXECUTING).exists():
        turns.cancel(caller.actor, turn=turn)


def check_access(caller: Caller) -> None:
    """Raises an AppError once the token has ended or its user has left."""
    renew(caller.actor)
