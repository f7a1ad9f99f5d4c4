"""An example for every body and answer, put together from `VALUES`.

A value `…` says that the table lacks the name; a test finds it.
"""

from __future__ import annotations

from collections.abc import Mapping

from docrouter.openapi.example_data.example_values import VALUES
from kit.json_types import JsonObject

UNKNOWN = "…"


def example_of(schema: JsonObject, shapes: Mapping[str, JsonObject], name: str = "", inside: str = "") -> object:
    """`inside` is the shape whose field this is."""
    value = next((VALUES[key] for key in (f"{inside}.{name}", name) if key in VALUES), UNKNOWN)
    if "examples" in schema:
        return schema["examples"][0]
    if "const" in schema:
        return schema["const"]
    if "$ref" in schema:
        shape = schema["$ref"].rpartition("/")[2]
        return example_of(shapes[shape], shapes, "", shape)
    if _has_fields(schema):
        inside = schema.get("title", inside)
        return {field: example_of(part, shapes, field, inside) for field, part in schema["properties"].items()}
    if _has_fields(schema.get("items", {})) or "$ref" in schema.get("items", {}):
        return [example_of(schema["items"], shapes, "", inside)]
    for several in ("allOf", "oneOf", "anyOf"):
        if several in schema:
            return example_of(schema[several][0], shapes, name, inside)
    fits = value is not UNKNOWN and value in schema.get("enum", [value])
    return value if fits else _plain(schema)


def _has_fields(schema: JsonObject) -> bool:
    return bool(schema.get("properties"))


def _plain(schema: JsonObject) -> object:
    """What needs no value of its own: a choice, a truth, a count."""
    kinds = schema.get("type", "object")
    kind = kinds[0] if isinstance(kinds, list) else kinds
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "integer":
        return schema.get("minimum", 1)
    return {"boolean": True, "object": {}, "array": [], "number": 1.0, "null": None}.get(kind, UNKNOWN)
