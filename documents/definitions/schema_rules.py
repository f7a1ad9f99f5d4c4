"""What a response format must be before it can become a schema revision: JSON Schema draft 7 and our own rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from documents.definitions.schema_parts import (
    MAX_DEPTH,
    find_expansion_problems,
    find_reference_problems,
    iterate_targets_elsewhere,
    join_path,
)
from documents.definitions.schema_patterns import find_pattern_problems
from documents.values.bounded_checks import iterate_formal_errors, measure_nodes
from documents.values.fields import (
    check_value,
    find_nearest_paths,
    find_result_problems,
    find_value_problems,
    get_field,
    iterate_paths,
)
from documents.values.references import resolve_plain
from documents.values.required_names import find_undeclared_names
from documents.values.stored import Schema
from kit.errors import Invalid, Problem
from kit.json_types import JsonObject

MAX_LEVELS = 6
MAX_FIELDS = 300
MAX_NAME = 64
MAX_NODES = 20_000
MAX_PLACE_LETTERS = 4_000_000
# 300 fields with 1,500 letters of description each. Lists have up to 100 schemas.
MAX_BYTES = 512 * 1024
MAX_WARNINGS = 100
TOO_LARGE = "The schema is too large or nested too deeply."
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_UNADDRESSABLE = re.compile(r"[.\[\]]")
_TYPE_KEYWORDS = ("type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref")
_TYPES = "string, number, integer, boolean, array or object"


def check_response_format(value: object, *, descriptions: bool = True) -> Schema:
    """The inner JSON Schema of `{type: "json_schema", json_schema: {name, schema, strict?}}`.

    Raises Invalid with every problem in `problems`. `descriptions=False` lets fields go without one.
    """
    problems = find_problems(value, descriptions=descriptions)
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise Invalid(f"The schema cannot be used: {problems[0].message}{more}", problems=problems, code="schema")
    assert isinstance(value, dict)  # noqa: S101 - find_problems has made sure; this is for the type checker
    schema: Schema = value["json_schema"]["schema"]
    return schema


def find_problems(value: object, *, descriptions: bool = True) -> list[Problem]:
    """Everything that is wrong, each with its dotted place and what would be right; empty when all is well."""
    envelope = find_envelope_problems(value)
    if envelope or not isinstance(value, dict):
        return envelope
    return find_schema_problems(value["json_schema"]["schema"], descriptions=descriptions)


def find_envelope_problems(value: object) -> list[Problem]:
    """Those of what stands around the inner schema; without any the others have their places inside it."""
    return list(_find_envelope_problems(value)) or list(_find_size_problems(value))


def find_warnings(response_format: JsonObject) -> list[Problem]:
    """What can be stored and is most likely a mistake. For a format without problems."""
    names = islice(find_undeclared_names(response_format["json_schema"]["schema"]), MAX_WARNINGS)
    places = [(join_path(undeclared.object_path, "required"), undeclared.name) for undeclared in names]
    return [
        Problem(where, f'{where} names "{name[:MAX_NAME]}", which is no field. It is kept, but no result needs it.')
        for where, name in dict.fromkeys(places)
    ]


def find_schema_problems(schema: object, *, descriptions: bool = True) -> list[Problem]:
    """The same for the inner schema alone."""
    if not isinstance(schema, dict):
        return [Problem("json_schema.schema", "schema must be an object: the JSON Schema itself.")]
    if _is_too_large(schema):
        return [Problem("", TOO_LARGE)]
    return (
        _find_formal_problems(schema)
        or [*find_reference_problems(schema), *find_pattern_problems(schema)]
        or list(find_expansion_problems(schema))
        or list(_find_rule_problems(schema, descriptions))
    )


def _find_formal_problems(schema: Schema) -> list[Problem]:
    """By the rules of JSON Schema itself, which reach what a $ref names in a place of its own, such as $defs."""
    problems = [
        Problem(place, f"{place or 'The schema'}: {error.message[:300]}")
        for where, part in [("", schema), *iterate_targets_elsewhere(schema)]
        for error in iterate_formal_errors(part)
        for place in [join_path(where, _join_steps(error.absolute_path))]
    ]
    return sorted(problems, key=lambda problem: problem.where)


def _find_envelope_problems(value: object) -> Iterator[Problem]:
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


def _find_size_problems(value: object) -> Iterator[Problem]:
    try:
        size = len(json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass"))
    except RecursionError:
        yield Problem("", TOO_LARGE)
        return
    if size > MAX_BYTES:
        limit = f"{MAX_BYTES // 1024:,} kB is the most"
        yield Problem("", f"The schema has {size // 1024:,} kB; {limit}. Shorten its descriptions, or make two of it.")


def _find_rule_problems(schema: Schema, descriptions: bool) -> Iterator[Problem]:
    if schema.get("type") != "object":
        yield Problem("type", 'The top of the schema must be of type "object" with its fields in properties.')
        return
    if not schema.get("properties"):
        yield Problem("properties", "properties must name at least one field.")
    if sum(1 for _ in islice(iterate_paths(schema), MAX_FIELDS + 1)) > MAX_FIELDS:
        yield Problem("properties", f"There are more than {MAX_FIELDS} fields, too many to extract at once.")
        return
    yield from _find_object_problems(schema, schema, "", 1, descriptions)


def _find_object_problems(here: Schema, root: Schema, path: str, level: int, descriptions: bool) -> Iterator[Problem]:
    properties = here.get("properties") or {}
    if level > MAX_LEVELS:
        yield Problem(path, f"{path} lies more than {MAX_LEVELS} levels deep; flatten the schema.")
        return
    for name, field in properties.items():
        yield from _find_name_problems(name, path)
        yield from _find_field_problems(field, root, join_path(path, name), level, descriptions)


def _find_name_problems(name: str, path: str) -> Iterator[Problem]:
    where = join_path(path, name)
    if not name.strip() or name != name.strip() or len(name) > MAX_NAME:
        yield Problem(where, f'The field name "{name}" must have 1 to {MAX_NAME} characters without spaces around it.')
    elif _UNADDRESSABLE.search(name) or name.isdecimal():
        yield Problem(
            where, f'The field name "{name}" must hold no dot or bracket and be no number; try {_suggest_name(name)}.'
        )


def _suggest_name(name: str) -> str:
    return f"field_{name}" if name.isdecimal() else re.sub(r"[.\[\]]+", "_", name).strip("_") or "field"


def _find_field_problems(field: object, root: Schema, where: str, level: int, descriptions: bool) -> Iterator[Problem]:
    if not isinstance(field, dict):
        yield Problem(where, f"{where} must be an object with a type and a description.")
        return
    whole = resolve_plain(field, root)
    described = str(whole.get("description") or field.get("description") or "").strip()
    if not any(word in field for word in _TYPE_KEYWORDS):
        yield Problem(where, f"{where} has no type; give {_TYPES}.")
    if descriptions and not described:
        yield Problem(where, f"{where} has no description; say in a sentence what to look for on the page.")
    yield from _find_inner_problems(whole, root, where, level, descriptions)


def _find_inner_problems(whole: Schema, root: Schema, where: str, level: int, descriptions: bool) -> Iterator[Problem]:
    kinds = whole.get("type") if isinstance(whole.get("type"), list) else [whole.get("type")]
    if "array" in (kinds or ()):
        items = whole.get("items")
        if not isinstance(items, dict) or not any(word in items for word in _TYPE_KEYWORDS):
            yield Problem(join_path(where, "items"), f"{where} is an array; items must say the type of its entries.")
        else:
            yield from _find_inner_problems(resolve_plain(items, root), root, f"{where}.items", level, descriptions)
    if "object" in (kinds or ()):
        if not whole.get("properties"):
            yield Problem(where, f"{where} is an object; properties must name its fields.")
        yield from _find_object_problems(whole, root, where, level + 1, descriptions)


def _is_too_large(schema: Schema) -> bool:
    letters = 0
    for count, (level, place) in enumerate(measure_nodes(schema), start=1):
        letters += place
        if count > MAX_NODES or level > MAX_DEPTH or letters > MAX_PLACE_LETTERS:
            return True
    return False


def _join_steps(path: Any) -> str:
    return ".".join(str(step) for step in path)


__all__ = [
    "check_response_format",
    "check_value",
    "find_nearest_paths",
    "find_problems",
    "find_result_problems",
    "find_schema_problems",
    "find_value_problems",
    "get_field",
    "iterate_paths",
]
