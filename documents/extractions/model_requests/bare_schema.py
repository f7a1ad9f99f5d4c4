"""A JSON Schema without the words that people and models write into it: what a value may be, and nothing said of it."""

from __future__ import annotations

from documents.definitions.schema_parts import LISTS, MAPS, SINGLE
from documents.values import Schema
from kit.json_types import Json, JsonObject

# Keywords of draft 7 that bind a value besides those that contain schemas. What is none of them, description and title
# among it, can contain any text.
_OF_VALUES = (
    "type",
    "enum",
    "const",
    "required",
    "$ref",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
)


def strip_schema(schema: Json) -> Json:
    """The same schema by its binding keywords alone: it takes and refuses the same values."""
    if isinstance(schema, list):
        return [strip_schema(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        keyword: _strip_part(keyword, part)
        for keyword, part in schema.items()
        if keyword in (*MAPS, *LISTS, *SINGLE, *_OF_VALUES)
    }


def strip_format(response_format: Json) -> JsonObject:
    """The response format around it, under a name of ours."""
    inner = response_format["json_schema"]
    kept: Schema = {"name": "values", "schema": strip_schema(inner["schema"])}
    if "strict" in inner:
        kept["strict"] = inner["strict"]
    return {"type": "json_schema", "json_schema": kept}


def _strip_part(keyword: str, part: Json) -> Json:
    if keyword in MAPS and isinstance(part, dict):
        return {name: strip_schema(inner) for name, inner in part.items()}
    return part if keyword in _OF_VALUES else strip_schema(part)
