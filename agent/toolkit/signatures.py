"""A tool's JSON schema from its typed signature and its docstring, and the check of arguments against it."""

from __future__ import annotations

import inspect
import json
import re
import types
import typing
from collections.abc import Callable, Container
from typing import Any, NewType, TypeAlias

from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError

from kit import sanitize
from kit.errors import Invalid, Problem
from kit.json_types import Json, JsonObject, JsonSchema

Arguments: TypeAlias = JsonObject
"""The arguments of one tool call: parameter name to plain JSON."""

JsonText = NewType("JsonText", str)
"""A parameter of text that holds JSON: models may write the JSON itself."""

_ALIKE = {"document": "document_id", "documents": "document_ids", "aggregate": "aggregates"}
OTHER_NAMES = {**_ALIKE, **{other: name for name, other in _ALIKE.items()}}
"""Names of parameters that clients of other servers know: each is taken where a tool has the other alone."""

_TYPES: dict[object, JsonSchema] = {
    str: {"type": "string"},
    JsonText: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    dict: {"type": "object"},
    Json: {},
}


def parameters_of(function: Callable[..., object]) -> JsonSchema:
    """The schema of every parameter after the first, which is the context.

    The docstring may hold a line `name: what it is` for each.
    """
    hints = typing.get_type_hints(function)
    _, notes = _split_docstring(function)
    properties: dict[str, JsonSchema] = {}
    required = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        if parameter.name not in hints:
            raise TypeError(f"{function.__name__}.{parameter.name}: a tool parameter has a type.")
        schema = dict(_build_schema(hints[parameter.name], f"{function.__name__}.{parameter.name}"))
        if note := notes.get(parameter.name):
            schema["description"] = note
        properties[parameter.name] = schema
        if parameter.default is inspect.Parameter.empty:
            required.append(parameter.name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def json_texts_of(function: Callable[..., object]) -> frozenset[str]:
    """The names of the parameters whose text is JSON."""
    hints = typing.get_type_hints(function)
    return frozenset(name for name, hint in hints.items() if hint is JsonText or JsonText in typing.get_args(hint))


def description_of(function: Callable[..., object]) -> str:
    """The docstring without its parameter lines."""
    lines, _ = _split_docstring(function)
    return re.sub(r"\s+", " ", " ".join(lines)).strip()


def parse_arguments(text: str) -> Arguments:
    """The arguments as a model wrote them, made plain. Raises Invalid with a sentence for the model."""
    try:
        arguments = sanitize.loads(text or "{}")
    except ValueError as error:
        raise Invalid(f"The arguments are not JSON ({error}). Send one JSON object.") from error
    if not isinstance(arguments, dict):
        raise Invalid("The arguments are JSON but not an object. Send one JSON object.")
    return arguments


def rename_alike(schema: JsonSchema, arguments: Arguments) -> Arguments:
    """By the names that the schema has where the call has those of other servers."""
    known = schema["properties"]
    taken = {
        name: other
        for name, other in OTHER_NAMES.items()
        if name not in known and other in known and other not in arguments
    }
    return {taken.get(name, name): value for name, value in arguments.items()}


def check_arguments(schema: JsonSchema, arguments: Arguments, *, json_texts: Container[str] = ()) -> Arguments:
    """The arguments as they will run. Raises Invalid naming what is wrong and where.

    Models send null for what they leave out, JSON as text, one thing for a list of it, and in the place of a text of
    `json_texts` the JSON itself; all are taken. What a card cannot show as it is does not run either.
    """
    arguments = sanitize.visible_only(
        {
            name: _to_json_text(value)
            if name in json_texts
            else _to_list(schema, name, _parse_json(schema, name, value))
            for name, value in arguments.items()
        }
    )
    left_out = [name for name, value in arguments.items() if value is None and not _takes_null(schema, name)]
    arguments = {name: value for name, value in arguments.items() if name not in left_out}
    problems = [_describe_problem(error) for error in Draft7Validator(schema).iter_errors(arguments)]
    if problems:
        sentences = " ".join(f"{problem.where}: {problem.message}." for problem in problems[:5])
        raise Invalid(f"These arguments do not fit. {sentences}", problems=problems)
    return arguments


def _takes_null(schema: JsonSchema, name: str) -> bool:
    """What has to be given, or takes any value: there null is one."""
    known = schema["properties"]
    return name in schema["required"] or (name in known and "type" not in known[name])


def _to_json_text(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _parse_json(schema: JsonSchema, name: str, value: object) -> object:
    kind = schema["properties"].get(name, {}).get("type")
    if kind in ("object", "array") and isinstance(value, str):
        try:
            return sanitize.parse(value)
        except ValueError:
            return value
    return value


def _to_list(schema: JsonSchema, name: str, value: object) -> object:
    parameter = schema["properties"].get(name, {})
    entries = parameter.get("items") if parameter.get("type") == "array" else None
    kind = "string" if isinstance(value, str) else "object" if isinstance(value, dict) else ""
    return [value] if kind and isinstance(entries, dict) and entries.get("type") == kind else value


def _describe_problem(error: ValidationError) -> Problem:
    where = ".".join(str(step) for step in error.absolute_path)
    message, schema = error.message[:300], typing.cast(JsonSchema, error.schema)
    if error.validator == "additionalProperties" and "properties" in schema:
        taken = ", ".join(schema["properties"]) or "no arguments"
        message = f"{message[:200]}. {'Here go' if where else 'This tool takes'} {taken}"
    return Problem(where or "arguments", message)


def _build_schema(hint: Any, where: str) -> JsonSchema:
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        options = [option for option in inside if option is not type(None)]
        if len(options) == 1:
            return _build_schema(options[0], where)
    if origin is list:
        return {"type": "array", "items": _build_schema(inside[0], where)}
    if typing.is_typeddict(hint):
        return _build_object(hint, where)
    schema = _TYPES.get(origin or hint)
    if schema is None:
        raise TypeError(f"{where}: a tool parameter cannot be {hint!r}.")
    return schema


def _build_object(hint: Any, where: str) -> JsonSchema:
    inside = typing.get_type_hints(hint)
    return {
        "type": "object",
        "properties": {name: dict(_build_schema(each, f"{where}.{name}")) for name, each in inside.items()},
        "required": sorted(hint.__required_keys__),
        "additionalProperties": False,
    }


def _parse_note(line: str) -> tuple[str, str] | None:
    match = re.fullmatch(r"\s*([a-z_]+): (.+)", line)
    return (match[1], match[2].strip()) if match else None


def _split_docstring(function: Callable[..., object]) -> tuple[list[str], dict[str, str]]:
    """The lines about the tool, and the note of each parameter with its indented further lines."""
    names = list(inspect.signature(function).parameters)[1:]
    lines: list[str] = []
    notes: dict[str, str] = {}
    last = None
    for line in inspect.cleandoc(function.__doc__ or "").splitlines():
        if (note := _parse_note(line)) and note[0] in names:
            last, notes[note[0]] = note
        elif last and line.startswith(" "):
            notes[last] += f" {line.strip()}"
        else:
            last = None
            lines.append(line)
    return lines, notes
