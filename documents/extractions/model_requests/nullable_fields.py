"""Let a model answer null where a schema requires a value that the document need not say: else it has to invent one."""

from __future__ import annotations

from documents.definitions.schema_parts import LISTS, MAPS, SINGLE
from documents.values import Schema
from kit.json_types import Json, JsonObject

_SINGLE_VALUES = ("string", "number", "integer", "boolean")


def allow_null(response_format: JsonObject) -> JsonObject:
    """The response format with a schema that takes null for each single value that it requires."""
    inner = response_format["json_schema"]
    return {**response_format, "json_schema": {**inner, "schema": _allow_in(inner["schema"])}}


def _allow_in(schema: Json) -> Json:
    if isinstance(schema, list):
        return [_allow_in(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    allowed = {keyword: _allow_in_part(keyword, part) for keyword, part in schema.items()}
    required, properties = schema.get("required"), allowed.get("properties")
    if isinstance(required, list) and isinstance(properties, dict):
        allowed["properties"] = {
            name: _make_nullable(inner) if name in required else inner for name, inner in properties.items()
        }
    return allowed


def _allow_in_part(keyword: str, part: Json) -> Json:
    if keyword in MAPS and isinstance(part, dict):
        return {name: _allow_in(inner) for name, inner in part.items()}
    return _allow_in(part) if keyword in (*LISTS, *SINGLE) else part


def _make_nullable(schema: Json) -> Json:
    if not isinstance(schema, dict) or schema.get("type") not in _SINGLE_VALUES or "const" in schema:
        return schema
    nullable: Schema = {**schema, "type": [schema["type"], "null"]}
    if isinstance(schema.get("enum"), list):
        nullable["enum"] = [*schema["enum"], None]
    return nullable
