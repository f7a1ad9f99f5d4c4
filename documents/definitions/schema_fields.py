"""A JSON Schema as a person reads it: one line a field, and what changed between two revisions in plain words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from documents.values.fields import get_properties
from documents.values.references import resolve_plain, resolve_reference
from documents.values.stored import Schema
from kit.json_types import Json, JsonObject

_FORMATS = {"date": "date", "date-time": "date and time", "email": "e-mail address", "uri": "web address"}
_TYPES = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "yes or no",
    "object": "group",
    "array": "list",
}
_ICONS = {
    "text": "type",
    "number": "hash",
    "whole number": "hash",
    "yes or no": "toggle-left",
    "date": "calendar",
    "date and time": "clock",
    "e-mail address": "at-sign",
    "web address": "link",
    "one of": "list-checks",
    "group": "layers",
    "list of rows": "rows-3",
}
_DESCRIBED_ELSEWHERE = frozenset(
    (
        *("type", "description", "properties", "items", "required", "enum", "const", "$ref", "anyOf", "oneOf"),
        *("allOf", "additionalProperties", "definitions", "$defs", "title"),
    )
)
_LONGEST = 160
OR_EMPTY = ", or empty"


@dataclass(frozen=True)
class FieldLine:
    """`level` is 0 at the top; `limits` are further rules by their JSON Schema word; `choices` the allowed values."""

    where: str
    name: str
    level: int
    type: str
    description: str
    required: bool
    choices: tuple[str, ...] = ()
    limits: dict[str, str] = field(default_factory=dict)

    @property
    def icon(self) -> str:
        words = self.type.removesuffix(OR_EMPTY)
        return "list" if words.startswith("list: ") else _ICONS.get(words, "braces")


@dataclass(frozen=True)
class FieldChange:
    """`name` is the dotted place of the field, empty for the whole schema."""

    kind: Literal["add", "cut", "mod"]
    name: str
    words: str


def list_field_lines(schema: Schema) -> list[FieldLine]:
    """Every field in the order of the schema, those of groups and list rows behind their own."""
    return list(_iterate_lines(schema, schema, "", 0))


def count_fields(schema: Schema) -> int:
    """As a person counts them: a group or a table is one field, whatever it holds."""
    return sum(line.level == 0 for line in list_field_lines(schema))


def list_field_changes(before: JsonObject, after: JsonObject) -> list[FieldChange]:
    """What differs between two response formats, field by field. What no field shows is not in it."""
    old = {line.where: line for line in list_field_lines(before["json_schema"]["schema"])}
    new = {line.where: line for line in list_field_lines(after["json_schema"]["schema"])}
    changes = [FieldChange("add", where, f"added, {_summarize(new[where])}") for where in new if where not in old]
    changes += [FieldChange("cut", where, "removed") for where in old if where not in new]
    for where in new:
        if where in old:
            changes += [FieldChange("mod", where, words) for words in _iterate_differences(old[where], new[where])]
    if [where for where in old if where in new] != [where for where in new if where in old]:
        changes.append(FieldChange("mod", "", "The order of the fields differs."))
    return changes + list(_iterate_envelope_changes(before["json_schema"], after["json_schema"]))


def _iterate_lines(here: Schema, root: Schema, path: str, level: int) -> Iterator[FieldLine]:
    required = resolve_plain(here, root).get("required") or ()
    for name, given in get_properties(here, root).items():
        if not isinstance(given, dict):
            continue
        whole, where = resolve_plain(given, root), f"{path}.{name}" if path else name
        yield FieldLine(
            where=where,
            name=name,
            level=level,
            type=_describe_type(given, root),
            description=str(given.get("description") or whole.get("description") or "").strip(),
            required=name in required,
            choices=tuple(_shorten(choice) for choice in whole.get("enum") or () if choice is not None),
            limits={word: _shorten(value) for word, value in whole.items() if _is_limit(word, value)},
        )
        yield from _iterate_lines(_find_inner_schema(whole, root), root, where, level + 1)


def _is_limit(word: str, value: Json) -> bool:
    return word not in _DESCRIBED_ELSEWHERE and not (word == "format" and value in _FORMATS)


def _find_inner_schema(whole: Schema, root: Schema) -> Schema:
    """What contains the inner fields: the group itself, or for a list what its entries are."""
    while isinstance(whole.get("items"), dict):
        whole = resolve_plain(whole["items"], root)
    return whole


def _describe_type(given: Schema, root: Schema) -> str:
    whole = resolve_plain(given, root)
    words = _describe_kind(whole, root)
    return f"{words}{OR_EMPTY}" if _may_be_empty(given, root) else words


def _describe_kind(whole: Schema, root: Schema) -> str:
    if "enum" in whole:
        return "one of"
    if "const" in whole:
        return f"always {_shorten(whole['const'])}"
    declared = whole.get("type")
    kinds = [kind for kind in (declared if isinstance(declared, list) else [declared]) if kind not in (None, "null")]
    if kinds == ["array"]:
        items = whole.get("items")
        inner = _describe_type(items, root) if isinstance(items, dict) else "any value"
        return "list of rows" if inner == "group" else f"list: {inner}"
    if kinds == ["string"] and whole.get("format") in _FORMATS:
        return _FORMATS[whole["format"]]
    return " or ".join(_TYPES.get(str(kind), str(kind)) for kind in kinds) or "any value"


def _may_be_empty(given: Schema, root: Schema) -> bool:
    here = resolve_reference(given, root)
    options = [option for word in ("anyOf", "oneOf") for option in here.get(word) or () if isinstance(option, dict)]
    kinds = [here.get("type"), *(resolve_reference(option, root).get("type") for option in options)]
    return any(kind == "null" or (isinstance(kind, list) and "null" in kind) for kind in kinds)


def _iterate_differences(old: FieldLine, new: FieldLine) -> Iterator[str]:
    if old.type != new.type:
        yield f"was “{old.type}”, is now “{new.type}”"
    if old.required != new.required:
        yield "is now required" if new.required else "is no longer required"
    if old.description != new.description:
        yield _describe_rewording("description", old.description, new.description)
    if old.choices != new.choices:
        yield _describe_rewording("choices", ", ".join(old.choices), ", ".join(new.choices))
    for word in sorted(old.limits.keys() | new.limits.keys()):
        if old.limits.get(word) != new.limits.get(word):
            yield _describe_rewording(word, old.limits.get(word, ""), new.limits.get(word, ""))


def _iterate_envelope_changes(old: JsonObject, new: JsonObject) -> Iterator[FieldChange]:
    for word in ("name", "strict"):
        if old.get(word) != new.get(word):
            words = _describe_rewording(word, _shorten(old.get(word, "")), _shorten(new.get(word, "")))
            yield FieldChange("mod", "", f"Of the format: {words}")


def _describe_rewording(what: str, old: str, new: str) -> str:
    if not old:
        return f"{what} added: “{new}”"
    return f"{what} “{old}” is now “{new}”" if new else f"{what} “{old}” removed"


def _summarize(line: FieldLine) -> str:
    return f"{line.type}, {'required' if line.required else 'not required'}"


def _shorten(value: Json) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
