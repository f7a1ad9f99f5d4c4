"""One request in, one reply out: extraction when a form of answer is asked for, conversation otherwise."""

import json
from collections.abc import Mapping

from kit.json_types import Json, JsonObject
from offline_model.chat.conversation import Conversation, read_conversation
from offline_model.chat.planner import choose_next_step
from offline_model.fields.extraction import extract
from offline_model.fields.search import find_fields
from offline_model.fields.summary import summarize
from offline_model.reply import Call, ChatRequest, Reply, make_reply
from offline_model.wording import NOTHING_TO_READ


def answer(request: ChatRequest) -> Reply:
    """Deterministic: the same request gets the same reply, ids included."""
    conversation = read_conversation(request.messages, request.tools)
    forced = _find_forced_tool(request)
    if forced:
        schema = _merge_descriptions(conversation, forced.get("parameters") or {})
        return make_reply(request, "", Call(str(forced["name"]), extract(conversation.layout, schema)))
    if request.response_format and request.response_format.get("type") != "text":
        return make_reply(request, _answer_in_form(conversation, request.response_format), None)
    if not request.tools and conversation.layout.lines and not conversation.request.rstrip().endswith("?"):
        return make_reply(request, summarize(conversation.layout) or NOTHING_TO_READ, None)
    step = choose_next_step(conversation)
    return make_reply(request, step.text, step.call)


def _merge_descriptions(conversation: Conversation, schema: Mapping[str, Json]) -> JsonObject:
    """The schema with its descriptions: those of one that is only proposed stand beside the document, as data."""
    block = conversation.find_block("schema")
    return (block.payload if block else {}) or dict(schema)


def _answer_in_form(conversation: Conversation, response_format: Mapping[str, Json]) -> str:
    layout = conversation.layout
    schema = (response_format.get("json_schema") or {}).get("schema")
    if isinstance(schema, dict):
        return json.dumps(extract(layout, _merge_descriptions(conversation, schema)), ensure_ascii=False)
    values = {name: hit.value for name, hit in find_fields(layout).items()}
    return json.dumps({"summary": summarize(layout), **values}, ensure_ascii=False)


def _find_forced_tool(request: ChatRequest) -> Mapping[str, Json] | None:
    """The function that the caller insists on: by name, or the only one when any is required."""
    functions = [tool.get("function") or {} for tool in request.tools]
    if isinstance(request.tool_choice, Mapping):
        name = (request.tool_choice.get("function") or {}).get("name")
        return next((f for f in functions if f.get("name") == name), None)
    return functions[0] if request.tool_choice in {"required", "any"} and len(functions) == 1 else None
