"""What must never stand in a system message: every text of a document, a record or a conversation that rows hold.

`scripted_model` checks each request of each test with it, so a flow that no test was written for is looked at as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from agent.conversation import text_protocol
from agent.conversation.model_input import system_prompt
from agent.models import AgentSettings, Message, Thread, ToolCall
from agent.toolkit.registry import registry
from documents.extractions.model_requests.rules import PROPOSED, RULES, TEXT_RULES
from documents.models import Document, Extraction, Page, Prompt, PromptRevision, Schema, SchemaRevision, Tag
from reader.words import unpack

Json = dict[str, Any]
ROLES = [
    system_prompt.build_role(has_document=has_document, is_headless=is_headless)
    for has_document, is_headless in ((True, False), (True, True), (False, False))
]
MODES = {*system_prompt.MODES.values(), *system_prompt.MODES_ABOUT_MANY.values(), system_prompt.HEADLESS}
SHORTEST = 6
"""Shorter texts stand in any text by chance."""


def leaks(requests: Iterable[Json]) -> list[str]:
    """What stands in system messages and should not, with the place where it came from."""
    ours = _ours()
    of_documents = {each for each in _of_documents() if each[1] not in ours}
    of_conversations = {each for each in _of_conversations() if each[1] not in ours}
    definitions = _definitions()
    of_proposals = set(_of_proposals())
    leaked = []
    for part in {part for request in requests for part in _system(request)}:
        if role := next((role for role in ROLES if part.startswith(role)), ""):
            leaked += [*_unknown(part.removeprefix(role)), *_find_texts_in(part, of_documents | of_conversations)]
        else:
            # An extraction is told its schema and its prompt, which builders wrote or have accepted.
            untrusted = {(source, text) for source, text in of_documents if text not in definitions}
            leaked += _find_texts_in(part, untrusted | {each for each in of_proposals if each[1] not in definitions})
    return leaked


def _find_texts_in(part: str, texts: set[tuple[str, str]]) -> list[str]:
    return [f"{source}: {text[:60]!r}" for source, text in sorted(texts) if text in part]


def _system(request: Json) -> Iterator[str]:
    for message in request.get("messages") or ():
        if message["role"] in ("system", "developer"):
            content = message["content"]
            yield content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _unknown(part: str) -> list[str]:
    """The agent's system part is our words, the mode, the admins' words and the tools. Nothing may be left of it."""
    rest, _, listed = part.strip().partition(text_protocol.RULES.strip())
    for house in AgentSettings.objects.values_list("organization_instructions", flat=True):
        rest = rest.removeprefix(f"{system_prompt.HOUSE}{house.strip()}")
    if rest.strip() not in MODES:
        return [f"unknown words: {rest[:200]!r}"]
    known = {tool.name for tool in registry}
    tools = [json.loads(line) for line in listed.split("\n") if line.strip()]
    return [f"unknown tool: {tool['name']}" for tool in tools if tool["name"] not in known and not _is_of_a_test(tool)]


def _is_of_a_test(tool: Json) -> bool:
    return tool["name"] in ("look", "note", "draft", "send", "wipe")


def _of_documents() -> Iterator[tuple[str, str]]:
    for document in Document.objects.all():
        yield from _texts("name of a document", document.name)
        yield from _texts("metadata", document.metadata)
    for page in Page.objects.all():
        yield from _texts("text of a page", page.text)
        for word in unpack(bytes(page.words)):
            yield from _texts("word of a page", word.text)


def _of_conversations() -> Iterator[tuple[str, str]]:
    for message in Message.objects.all():
        yield from _texts("message", [block.get("text", "") for block in message.blocks])
    for call in ToolCall.objects.all():
        yield from _texts("arguments", call.proposed_text)
        yield from _texts("result", call.result)
    for extraction in Extraction.objects.all():
        yield from _texts("extracted value", extraction.current)
    for model in (Thread, Schema, Prompt, Tag):
        for row in model._default_manager.all():
            yield from _texts(f"name of a {model.__name__}", str(row))


def _of_proposals() -> Iterator[tuple[str, str]]:
    """What automatic setup wrote and nobody has accepted, the names of fields left out: they are no words."""
    for prompt_revision in PromptRevision.objects.exclude(status="accepted"):
        yield from _texts("proposed prompt", prompt_revision.content)
    for schema_revision in SchemaRevision.objects.exclude(status="accepted"):
        yield from _texts("proposed schema", list(_descriptions(schema_revision.response_format)))


def _descriptions(value: object) -> Iterator[str]:
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _descriptions(inner)
    if isinstance(value, dict) and isinstance(value.get("description"), str):
        yield value["description"]


def _texts(source: str, value: object) -> Iterator[tuple[str, str]]:
    """Every string inside, by lines, that is long enough."""
    if isinstance(value, str):
        for line in value.splitlines():
            if len(line.strip()) >= SHORTEST:
                yield source, line.strip()
    elif isinstance(value, dict):
        for inner in [*value.keys(), *value.values()]:
            yield from _texts(source, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(source, inner)


def _definitions() -> str:
    schemas = SchemaRevision.objects.filter(status="accepted").values_list("response_format", flat=True)
    prompts = PromptRevision.objects.filter(status="accepted").values_list("content", flat=True)
    return json.dumps([RULES, TEXT_RULES, PROPOSED, *schemas, *prompts], ensure_ascii=False)


@cache
def _tool_words() -> str:
    return json.dumps([tool.schema() for tool in registry], ensure_ascii=False)


def _ours() -> str:
    house = "".join(AgentSettings.objects.values_list("organization_instructions", flat=True))
    return "".join([*ROLES, system_prompt.HOUSE, *MODES, text_protocol.RULES, _tool_words(), house])
