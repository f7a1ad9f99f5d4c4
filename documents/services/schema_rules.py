"""What a response format must be before it can become a schema revision: JSON Schema draft 7 and our own rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from jsonschema import Draft7Validator

from docrouter.kit.errors import Invalid, Problem
from documents.services.values.fields import (
    check_value,
    field_at,
    nearest_paths,
    paths_of,
    plain,
    resolved,
    result_problems,
    value_problems,
)
from documents.services.values.stored import Json, Schema

MAX_LEVELS = 6
MAX_FIELDS = 300
MAX_NAME = 64
MAX_PATTERN = 200
MAX_NODES = 20_000
MAX_DEPTH = 60

# In a pattern: an escaped sign, or a class of signs. Each stands for one sign.
_ONE_SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.S)
# Of names in patternProperties, which are matched without a limit of time.
_REPEATS = re.compile(r"[*+?{]")
MOST_REPEATS = 3
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_UNADDRESSABLE = re.compile(r"[.\[\]]")
_SAYS_A_TYPE = ("type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref")
_TYPES = "string, number, integer, boolean, array or object"
_MAPS = ("properties", "definitions", "$defs", "patternProperties", "dependencies")
_PLAIN_DATA = ("enum", "const", "default", "examples", "required")


def check_response_format(value: object, *, descriptions: bool = True) -> Schema:
    """The inner JSON Schema of `{type: "json_schema", json_schema: {name, schema, strict?}}`.

    Raises Invalid with every problem in `problems`. `descriptions=False` lets fields go without one.
    """
    found = problems(value, descriptions=descriptions)
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise Invalid(f"The schema cannot be used: {found[0].message}{more}", problems=found, code="schema")
    assert isinstance(value, dict)  # noqa: S101 - problems() has made sure; this is for the type checker
    schema: Schema = value["json_schema"]["schema"]
    return schema


def problems(value: object, *, descriptions: bool = True) -> list[Problem]:
    """Everything that is wrong, each with its dotted place and what would be right; empty when all is well."""
    envelope = list(_envelope_problems(value))
    if envelope or not isinstance(value, dict):
        return envelope
    return schema_problems(value["json_schema"]["schema"], descriptions=descriptions)


def schema_problems(schema: object, *, descriptions: bool = True) -> list[Problem]:
    """The same for the inner schema alone."""
    if not isinstance(schema, dict):
        return [Problem("json_schema.schema", "schema must be an object: the JSON Schema itself.")]
    if _is_too_large(schema):
        return [Problem("", "The schema is too large or nested too deeply.")]
    formal = [
        Problem(_dotted(error.absolute_path), f"{_dotted(error.absolute_path) or 'The schema'}: {error.message[:300]}")
        for error in Draft7Validator(Draft7Validator.META_SCHEMA).iter_errors(schema)
    ]
    if formal:
        return sorted(formal, key=lambda problem: problem.where)
    return [*_reference_problems(schema), *_pattern_problems(schema)] or list(_rules(schema, descriptions))


def _envelope_problems(value: object) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield Problem("", 'The response format must be an object: {"type": "json_schema", "json_schema": {…}}.')
        return
    if value.get("type") != "json_schema":
        yield Problem("type", 'type must be "json_schema".')
    inner = value.get("json_schema")
    if not isinstance(inner, dict):
        yield Problem("json_schema", "json_schema must be an object with name and schema.")
        return
    name = inner.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > MAX_NAME:
        yield Problem(
            "json_schema.name", f"name must be 1 to {MAX_NAME} letters, digits, _ or -, such as invoice_fields."
        )
    if not isinstance(inner.get("schema"), dict):
        yield Problem("json_schema.schema", "schema must be an object: the JSON Schema itself.")
    if not isinstance(inner.get("strict", False), bool):
        yield Problem("json_schema.strict", "strict must be true or false.")


def _rules(schema: Schema, descriptions: bool) -> Iterator[Problem]:
    if schema.get("type") != "object":
        yield Problem("type", 'The top of the schema must be of type "object" with its fields in properties.')
        return
    if not schema.get("properties"):
        yield Problem("properties", "properties must name at least one field.")
    if sum(1 for _ in islice(paths_of(schema), MAX_FIELDS + 1)) > MAX_FIELDS:
        yield Problem("properties", f"There are more than {MAX_FIELDS} fields, too many to extract at once.")
        return
    yield from _object_problems(schema, schema, "", 1, descriptions)


def _object_problems(here: Schema, root: Schema, path: str, level: int, descriptions: bool) -> Iterator[Problem]:
    properties = here.get("properties") or {}
    if level > MAX_LEVELS:
        yield Problem(path, f"{path} lies more than {MAX_LEVELS} levels deep; flatten the schema.")
        return
    for name in here.get("required", ()):
        if name not in properties:
            yield Problem(_inside(path, "required"), f'{_inside(path, "required")} names "{name}", which is no field.')
    for name, field in properties.items():
        yield from _name_problems(name, path)
        yield from _field_problems(field, root, _inside(path, name), level, descriptions)


def _name_problems(name: str, path: str) -> Iterator[Problem]:
    where = _inside(path, name)
    if not name.strip() or name != name.strip() or len(name) > MAX_NAME:
        yield Problem(where, f'The field name "{name}" must have 1 to {MAX_NAME} characters without spaces around it.')
    elif _UNADDRESSABLE.search(name) or name.isdecimal():
        yield Problem(
            where, f'The field name "{name}" must hold no dot or bracket and be no number; try {_tamed(name)}.'
        )


def _tamed(name: str) -> str:
    return f"field_{name}" if name.isdecimal() else re.sub(r"[.\[\]]+", "_", name).strip("_") or "field"


def _field_problems(field: Any, root: Schema, where: str, level: int, descriptions: bool) -> Iterator[Problem]:
    if not isinstance(field, dict):
        yield Problem(where, f"{where} must be an object with a type and a description.")
        return
    whole = plain(field, root)
    described = str(whole.get("description") or field.get("description") or "").strip()
    if not any(word in field for word in _SAYS_A_TYPE):
        yield Problem(where, f"{where} has no type; give {_TYPES}.")
    if descriptions and not described:
        yield Problem(where, f"{where} has no description; say in a sentence what to look for on the page.")
    yield from _inner_problems(whole, root, where, level, descriptions)


def _inner_problems(whole: Schema, root: Schema, where: str, level: int, descriptions: bool) -> Iterator[Problem]:
    kinds = whole.get("type") if isinstance(whole.get("type"), list) else [whole.get("type")]
    if "array" in (kinds or ()):
        items = whole.get("items")
        if not isinstance(items, dict) or not any(word in items for word in _SAYS_A_TYPE):
            yield Problem(_inside(where, "items"), f"{where} is an array; items must say the type of its entries.")
        else:
            yield from _inner_problems(plain(items, root), root, f"{where}.items", level, descriptions)
    if "object" in (kinds or ()):
        if not whole.get("properties"):
            yield Problem(where, f"{where} is an object; properties must name its fields.")
        yield from _object_problems(whole, root, where, level + 1, descriptions)


def _reference_problems(schema: Schema) -> Iterator[Problem]:
    ends: dict[str, bool] = {}
    for where, node in _nodes(schema):
        reference = node.get("$ref")
        if where and isinstance(node.get("$id"), str):
            yield Problem(where, f"{where}: $id is for the top of a schema; here it would lead each $ref astray.")
        if reference is None:
            continue
        if not isinstance(reference, str) or not reference.startswith("#/"):
            yield Problem(where, f"{where}: $ref may only point into this schema, such as #/definitions/address.")
        elif not resolved(node, schema):
            yield Problem(where, f"{where}: {reference} leads nowhere.")
        elif not _ends(reference, schema, ends):
            yield Problem(where, f"{where}: {reference} contains itself; an extraction needs an end.")


def _ends(reference: str, root: Schema, ends: dict[str, bool]) -> bool:
    """False when following the reference comes back to it. `ends` remembers; False while a reference is open."""
    if reference not in ends:
        ends[reference] = False
        target = resolved({"$ref": reference}, root)
        inner = [node["$ref"] for _, node in _nodes(target) if isinstance(node.get("$ref"), str)]
        ends[reference] = all(_ends(other, root, ends) for other in inner)
    return ends[reference]


def _pattern_problems(schema: Schema) -> Iterator[Problem]:
    for where, node in _nodes(schema):
        names = [*(node.get("patternProperties") or ())]
        for pattern in [node.get("pattern"), *names]:
            if isinstance(pattern, str) and (wrong := _pattern_problem(pattern)):
                yield Problem(where, f"{where}: the pattern {wrong}.")
        if any(len(_REPEATS.findall(_ONE_SIGN.sub("x", pattern))) > MOST_REPEATS for pattern in names):
            yield Problem(where, f"{where}: a pattern of names repeats more than {MOST_REPEATS} times.")


def _pattern_problem(pattern: str) -> str:
    if len(pattern) > MAX_PATTERN:
        return f"is longer than {MAX_PATTERN} characters"
    if _repeats_a_choice(pattern):
        return "repeats a group that repeats or chooses, which can take for ever; write it without the outer repeat"
    try:
        re.compile(pattern)
    except re.error as error:
        return f"is no regular expression: {error}"
    return ""


def _repeats_a_choice(pattern: str) -> bool:
    """Whether a group is repeated in which something repeats, may be missing or is one of several, such as (a|a)*b.

    There are then many ways to read a short text, and all of them are tried before it does not match: hours of them.
    """
    signs = _ONE_SIGN.sub("x", pattern)
    chooses = [False]
    for before, sign, after in zip(f" {signs}", signs, f"{signs[1:]} ", strict=False):
        if sign == "(":
            chooses.append(False)
        elif sign == ")" and len(chooses) > 1:
            inner = chooses.pop()
            if inner and after in "*+{":
                return True
            chooses[-1] |= inner
        elif sign in "*+{|" or (sign == "?" and before != "("):
            chooses[-1] = True
    return False


def _nodes(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Every subschema with its dotted place, without following references or recursing in Python."""
    waiting: list[tuple[str, Any]] = [("", schema)]
    while waiting:
        where, node = waiting.pop()
        if isinstance(node, list):
            waiting += [(_inside(where, str(at)), item) for at, item in enumerate(node)]
        if not isinstance(node, dict):
            continue
        yield where, node
        for word, value in node.items():
            if word in _MAPS and isinstance(value, dict):
                waiting += [(_inside(where, name), inner) for name, inner in value.items()]
            elif word not in _PLAIN_DATA:
                waiting.append((_inside(where, word), value))


def _is_too_large(value: Json) -> bool:
    count, waiting = 0, [(value, 0)]
    while waiting:
        node, depth = waiting.pop()
        count += 1
        if count > MAX_NODES or depth > MAX_DEPTH:
            return True
        inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        waiting += [(item, depth + 1) for item in inner]
    return False


def _inside(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _dotted(path: Any) -> str:
    return ".".join(str(step) for step in path)


__all__ = [
    "check_response_format",
    "check_value",
    "field_at",
    "nearest_paths",
    "paths_of",
    "problems",
    "result_problems",
    "schema_problems",
    "value_problems",
]
