"""The tools of a client: those of the one registry that its role, rules and settings let it use, and three of MCP's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy

from mcp_types import Tool as ToolDefinition
from mcp_types import ToolAnnotations

from agent.mcp.tools import output_schemas, tool_words
from agent.mcp.tools.tool_words import ASKS, NOT_FOR_CLIENTS
from agent.models import Turn
from agent.policy.offered_tools import list_usable
from agent.toolkit.old_names import get_present_name
from agent.toolkit.registry import Tool, registry
from agent.toolkit.tool_kinds import Access
from agent.turns.client_questions import RESEARCH
from agent.turns.client_turns import PROPOSE
from agent.turns.turns import MAX_CHARACTERS
from documents.find.scopes import MAX_CHOSEN
from kit.json_types import JsonObject, JsonSchema

DECISION, FINDER = "get_decision", "find_tools"
USUAL = frozenset(
    {
        *("search_documents", "list_documents", "read_document", "get_ocr_text", "get_extraction_result"),
        *("query_fields", "table_query", "compare_documents"),
        *("add_document", "run_extraction", "update_extraction_field"),
    }
)
"""Listed unless a client asks for all: each definition is read, and paid. The others can be called all the same."""
SELDOM: Mapping[str, Sequence[str]] = {
    "add_document": ("unpack_many",),
    "list_documents": ("metadata_search", "date_from", "date_to"),
    "research": ("model",),
    "search_documents": ("document_ids", "kind", "date_from", "date_to", "queries"),
}
"""Parameters that the short list leaves out as well; `find_tools` and a refusal name them."""
_CHECKED = frozenset({"additionalProperties", "minItems", "maxItems", "minLength", "maxLength", "minimum"})
"""Parts of a schema by which a call is refused with a sentence that says what is wrong."""
KEY, FROM_DOCUMENT = "idempotency_key", "from_document"
# The name that clients of other research servers know; it is not listed, since each definition is read and paid.
RESEARCH_ALIAS = "research_api"
_KEY_SCHEMA: JsonSchema = {"type": "string", "description": "Done once for one key."}
_OWN: dict[str, JsonSchema] = {
    PROPOSE: {
        "type": "object",
        "properties": {
            "changes": {
                "type": "array",
                "minItems": 1,
                "maxItems": 20,
                "items": {
                    "type": "object",
                    "properties": {"tool": {"type": "string"}, "arguments": {"type": "object"}},
                    "required": ["tool"],
                    "additionalProperties": False,
                },
                "description": "In order: later ones may name what earlier ones make. A tool without arguments says "
                "what it takes.",
            },
            KEY: _KEY_SCHEMA,
        },
        "required": ["changes"],
        "additionalProperties": False,
    },
    FINDER: {
        "type": "object",
        "properties": {"query": {"type": "string", "minLength": 1, "description": "What to do."}},
        "required": ["query"],
        "additionalProperties": False,
    },
    DECISION: {
        "type": "object",
        "properties": {
            "call_id": {"type": "string", "description": "Of the call that waits or runs."},
            FROM_DOCUMENT: {
                "type": "integer",
                "minimum": 1,
                "description": "Where in a job to read on, as `more` says.",
            },
        },
        "required": ["call_id"],
        "additionalProperties": False,
    },
    RESEARCH: {
        "type": "object",
        "properties": {
            "question": {"type": "string", "minLength": 1, "maxLength": MAX_CHARACTERS},
            "document_ids": {
                "type": "array",
                "maxItems": MAX_CHOSEN,
                "items": {"type": "string"},
                "description": "Only these, else all.",
            },
            "depth": {
                "type": "string",
                "enum": list(Turn.Depth.values),
                "description": "Documents read at most: simple 1, concise 5, detailed 15; else as needed.",
            },
            "model": {"type": "string", "description": "One of the organization's models; without it its own choice."},
            KEY: _KEY_SCHEMA,
        },
        "required": ["question"],
        "additionalProperties": False,
    },
}
_WORDS = {
    PROPOSE: (
        "Propose changes",
        f"Several changes at once: each is a card, and your user is asked once. {ASKS}",
    ),
    FINDER: (
        "Find tools",
        "Further tools, with what they take: for schemas, prompts, tags, checks and more.",
    ),
    DECISION: (
        "Look up a decision",
        "The outcome of a change: its decision and result, or the link where it waits; and the answer of research.",
    ),
    RESEARCH: (
        "Research a question",
        "The agent of DocRouter searches and reads many documents and answers, with citations that open the place. It "
        "changes nothing, and costs money.",
    ),
}


def list_tools(turn: Turn, *, lists_all: bool = True) -> list[ToolDefinition]:
    """By name, for a request that would begin `turn`."""
    usable = list_for_clients(turn)
    changes = [tool for tool in usable if not tool.is_read]
    own = [_define_own(DECISION), _define_own(RESEARCH), *([_define_propose(changes)] if changes else [])]
    if lists_all:
        return sorted([*map(_define, usable), *own], key=lambda tool: tool.name)
    few = [tool for tool in usable if tool.name in USUAL]
    listed = [*map(_define, few), *own, _define_own(FINDER)]
    unlisted = {**{tool.name: tool.unlisted for tool in few}, **SELDOM}
    return sorted((_shorten(each, unlisted.get(each.name, ())) for each in listed), key=lambda tool: tool.name)


def _shorten(tool: ToolDefinition, unlisted: Sequence[str]) -> ToolDefinition:
    """Without what no model needs to call it. Calls are checked against the whole schema."""
    hints = {"title": None, "open_world_hint": None}
    annotations = tool.annotations.model_copy(update=hints) if tool.annotations else None
    schema = _shorten_schema(tool.input_schema, unlisted)
    short = {"title": None, "output_schema": None, "annotations": annotations, "input_schema": schema}
    return tool.model_copy(update=short)


def _shorten_schema(schema: JsonSchema, unlisted: Sequence[str] = ()) -> JsonSchema:
    kept = {name: part for name, part in schema.items() if name not in _CHECKED and (name, part) != ("required", [])}
    if "properties" in kept:
        listed = {name: each for name, each in kept["properties"].items() if name not in unlisted}
        kept["properties"] = {name: _shorten_schema(each) for name, each in listed.items() if name != KEY}
    if "items" in kept:
        kept["items"] = _shorten_schema(kept["items"])
    return kept


def list_for_clients(turn: Turn) -> list[Tool]:
    return [tool for tool in list_usable(turn) if tool.name not in NOT_FOR_CLIENTS]


def describe_tools(tools: Sequence[Tool]) -> list[JsonObject]:
    """With what they take, for a model that has not loaded them."""
    return [{"name": t.name, "description": tool_words.describe(t), "arguments": _input_schema(t)} for t in tools]


def find_schema(name: str) -> JsonSchema | None:
    """Of a tool's arguments, as they are listed."""
    name = to_listed_name(name)
    if name in _OWN:
        return _OWN[name]
    tool = find_tool(name)
    return _input_schema(tool) if tool else None


def find_tool(name: str) -> Tool | None:
    """Of the registry, by the name that it is listed by."""
    name = get_present_name(name)
    return next((each for each in registry if each.name == name and name not in NOT_FOR_CLIENTS), None)


def to_listed_name(name: str) -> str:
    return RESEARCH if name == RESEARCH_ALIAS else get_present_name(name)


def takes_key(tool: Tool) -> bool:
    """Whether the same request sent twice is one: what changes something, and what is paid."""
    return not tool.is_read or tool.asks_model


def _input_schema(tool: Tool) -> dict[str, object]:
    schema = dict(tool_words.build_schema(tool))
    if takes_key(tool):
        schema["properties"] = {**schema["properties"], KEY: _KEY_SCHEMA}
    return schema


def _define(tool: Tool) -> ToolDefinition:
    destroys = tool.access is Access.DESTRUCTIVE
    return ToolDefinition(
        name=tool.name,
        title=tool.title,
        description=tool_words.describe(tool),
        input_schema=_input_schema(tool),
        output_schema=output_schemas.find(tool.name),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.is_read,
            destructive_hint=None if tool.is_read else destroys,
            open_world_hint=tool.access is Access.EXTERNAL,
        ),
    )


def _define_own(name: str) -> ToolDefinition:
    title, description = _WORDS[name]
    reads = name != PROPOSE
    return ToolDefinition(
        name=name,
        title=title,
        description=description,
        input_schema=_OWN[name],
        output_schema=output_schemas.find(name),
        annotations=ToolAnnotations(
            title=title, read_only_hint=reads, destructive_hint=None if reads else True, open_world_hint=False
        ),
    )


def _define_propose(changes: Sequence[Tool]) -> ToolDefinition:
    definition = _define_own(PROPOSE)
    schema = deepcopy(_OWN[PROPOSE])
    schema["properties"]["changes"]["items"]["properties"]["tool"] = {"enum": [tool.name for tool in changes]}
    return definition.model_copy(update={"input_schema": schema})
