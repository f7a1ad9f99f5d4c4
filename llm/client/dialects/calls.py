"""Tool calls that a model wrote into its text, as servers hand them on that have no parser for its chat template.

Text is taken for calls only where an answer has no calls of its own, where it ends with them or is nothing else, where
each names a tool that was offered with the request, and where none of them stands in what the model was given to read:
a call that a document holds is quoted, not made. What comes of it is a call like any other, with the same policy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from kit import sanitize
from kit.json_types import Json, JsonSchema
from llm.client.dialects.shown_text import ShownText
from llm.client.types import ModelAnswer, WireCall
from llm.client.wire import ChatMessage, ToolSchema

# Calls of Hermes and Qwen, Mistral, Llama, DeepSeek, Kimi, gpt-oss and GLM begin so.
_BEGIN = re.compile(
    r"<tool_calls?>|\[TOOL_CALLS\]|<\|python_tag\|>|<function=|<｜tool▁calls?▁begin｜>"
    r"|<\|tool_calls?_(?:section_)?begin\|>|(?:<\|start\|>assistant)?<\|channel\|>commentary"
    r"|^(?:to=)?functions\.(?=\w)",
    re.MULTILINE,
)
# These words stand before calls, between them and after them.
_BETWEEN = re.compile(
    r"(?:[\s,;)]|```(?:json)?|</?tool_calls?>|\[/?TOOL_CALLS\]|<\|python_tag\|>|</function>"
    r"|<\|(?:eom_id|eot_id|im_end|call)\|>|<｜(?:tool▁calls?▁(?:begin|end)|end▁of▁sentence)｜>"
    r"|<\|tool_calls?_(?:section_)?(?:begin|end)\|>|<\|start\|>assistant)*+"
)
# A name before its arguments, and all that templates put between the two.
_NAMED = re.compile(
    r"(?:<function=|function<｜tool▁sep｜>|<\|channel\|>commentary\s++to=|to=)?(?P<name>[\w.-]+?)(?::\d+)?"
    r"(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?(?:<｜tool▁sep｜>)?(?:<\|tool_call_argument_begin\|>)?"
    r"(?:\s*+<\|constrain\|>\s*+json)?(?:<\|message\|>)?>?\s*+(?:```(?:json)?)?\s*+\(?\s*+(?=[{<)])"
)
_PARAMETER = re.compile(
    r"\s*+<(?:parameter=(?P<name>\w+)|arg_key>\s*+(?P<key>\w+)\s*+</arg_key>\s*+<arg_value)>"
    r"\n?(?P<value>.*?)\n?</(?:parameter|arg_value)>",
    re.DOTALL,
)
_FENCE = re.compile(r"```\w*\n(.*)```", re.DOTALL)
_PREFIXES = ("functions.", "function.", "tools.", "default_api.")
ARGUMENTS = ("arguments", "parameters", "args", "input")
_CALL_KEYS = {"name", "tool", "id", "type", *ARGUMENTS}
MAX_BEGINS = 20

_Schemas = Mapping[str, JsonSchema]


@dataclass(frozen=True)
class _Written:
    """Calls, and where their text ends."""

    calls: list[WireCall]
    end: int


def read_calls(answer: ModelAnswer, tools: Sequence[ToolSchema], sent: Sequence[ChatMessage]) -> ModelAnswer:
    """The answer with the calls that its text makes, and with no more text than stands before them.

    `tools` and `sent` are what was offered and shown with the request.
    """
    schemas = {tool["function"]["name"]: tool["function"].get("parameters") or {} for tool in tools}
    if answer.tool_calls:
        named = [replace(call, name=_strip_prefix(call.name, schemas)) for call in answer.tool_calls]
        return replace(answer, tool_calls=named)
    if answer.refused or not schemas:
        return answer
    shown = ShownText(sent)
    for at in _list_begins(answer.text):
        calls = _parse_calls(answer.text[at:], schemas, shown)
        if calls:
            return replace(answer, text=answer.text[:at].rstrip(), tool_calls=calls, finish_reason="tool_calls")
    return answer


def _list_begins(text: str) -> list[int]:
    """Where calls may begin: with the answer, or at a sign of a chat template outside of code and of quotations."""
    fenced = _FENCE.fullmatch(text.strip())
    begins = [0] if (fenced[1] if fenced else text).lstrip().startswith(("{", "[")) else []
    for match in islice(_BEGIN.finditer(text), MAX_BEGINS):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if text.count("```", 0, match.start()) % 2 == 0 and not line.lstrip().startswith(">"):
            begins.append(match.start())
    return begins


def _parse_calls(text: str, schemas: _Schemas, shown: ShownText) -> list[WireCall]:
    """None at all where anything else stands among them, or one of them was shown to the model."""
    calls: list[WireCall] = []
    is_bare = _BEGIN.match(text) is None
    at = _skip(text, 0)
    while at < len(text):
        written = _read_json(text, at, schemas, is_bare=is_bare) or _read_named(text, at, schemas)
        if not written or shown.holds(text[at : written.end]):
            return []
        calls += written.calls
        at = _skip(text, written.end)
    return calls


def _skip(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    return match.end() if match else at


def _read_json(text: str, at: int, schemas: _Schemas, *, is_bare: bool) -> _Written | None:
    if text[at] not in "{[":
        return None
    try:
        value, end = json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    calls = [_read_object(each, schemas, is_bare=is_bare) for each in (value if isinstance(value, list) else [value])]
    whole = [call for call in calls if call]
    return _Written(whole, end) if whole and len(whole) == len(calls) else None


def _read_object(value: Json, schemas: _Schemas, *, is_bare: bool) -> WireCall | None:
    """A call as an object; a bare one has to say its arguments, and nothing that belongs to no call."""
    if isinstance(value, dict) and isinstance(value.get("function"), dict):
        value = value["function"]
    if not isinstance(value, dict) or value.keys() - _CALL_KEYS:
        return None
    name = value.get("name") or value.get("tool")
    given: Json = next((value[key] for key in ARGUMENTS if key in value), None if is_bare else {})
    if not isinstance(name, str) or given is None:
        return None
    return _make_call(name, given, schemas)


def _read_named(text: str, at: int, schemas: _Schemas) -> _Written | None:
    match = _NAMED.match(text, at)
    if not match or _strip_prefix(match["name"], schemas) not in schemas:
        return None
    arguments: Json = {}
    end = match.end()
    if text[end] == "{":
        try:
            arguments, end = json.JSONDecoder().raw_decode(text, end)
        except (ValueError, RecursionError):
            return None
    elif text[end] == "<":
        properties = schemas[_strip_prefix(match["name"], schemas)].get("properties") or {}
        while parameter := _PARAMETER.match(text, end):
            key = parameter["name"] or parameter["key"]
            arguments[key] = _read_value(parameter["value"], properties.get(key))
            end = parameter.end()
    call = _make_call(match["name"], arguments, schemas)
    return _Written([call], end) if call else None


def _read_value(text: str, schema: Json) -> Json:
    """Text stays text where the tool takes text; anything else was written as JSON."""
    types = schema.get("type") if isinstance(schema, dict) else None
    if types == "string":
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _make_call(name: str, arguments: Json, schemas: _Schemas) -> WireCall | None:
    name = _strip_prefix(name, schemas)
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return WireCall("", name, sanitize.text(written)) if name in schemas else None


def _strip_prefix(name: str, schemas: _Schemas) -> str:
    """The offered tool that a name with a prefix means; any other name stays as it is."""
    plain = next((name.removeprefix(prefix) for prefix in _PREFIXES if name.startswith(prefix)), name)
    return plain if plain in schemas else name
