"""Names in `required` that no property declares. JSON Schema allows them, so schemas made elsewhere have them.

They are told as warnings when a schema is stored, and asked of no value: every extraction would fail on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from documents.values.references import list_layers
from documents.values.stored import Schema
from kit.json_types import Json, JsonObject

MAX_OBJECTS = 5_000
"""More than any schema that can be stored has, each $ref counted in its place."""
MAX_LEVELS = 20


class UndeclaredName(NamedTuple):
    """`object_path` is the object's dotted place, with `items` for the entries of an array; `holder` requires it."""

    object_path: str
    name: str
    holder: Schema


def find_undeclared_names(schema: Schema) -> Iterator[UndeclaredName]:
    for path, layers in islice(_iterate_objects(schema), MAX_OBJECTS):
        declared = _properties_of(layers)
        for layer in layers:  # values have to fit all of them
            names = layer.get("required")
            yield from (
                UndeclaredName(path, name, layer)
                for name in (names if isinstance(names, list) else ())
                if isinstance(name, str) and name not in declared
            )


def relax_required(schema: Schema) -> Schema:
    """The same schema without them; the very same object where there are none."""
    undeclared: dict[int, set[str]] = {}
    for each in find_undeclared_names(schema):
        undeclared.setdefault(id(each.holder), set()).add(each.name)
    return _without(schema, undeclared) if undeclared else schema


def relax_format(response_format: JsonObject) -> JsonObject:
    """The response format with its schema relaxed: what a model is asked for, which in strict mode its provider would
    refuse otherwise."""
    inner = response_format["json_schema"]
    return {**response_format, "json_schema": {**inner, "schema": relax_required(inner["schema"])}}


def _iterate_objects(schema: Schema) -> Iterator[tuple[str, list[Schema]]]:
    """The places where an extraction has an object, with the layers that describe it."""
    waiting = [("", schema, 0)]
    while waiting:
        path, here, level = waiting.pop()
        layers = list_layers(here, schema)
        properties = _properties_of(layers)
        if properties:
            yield path, layers
        if level >= MAX_LEVELS:
            continue
        inside = [*properties.items(), ("items", _find_word(layers, "items"))]
        waiting += [
            (f"{path}.{name}" if path else name, inner, level + 1) for name, inner in inside if isinstance(inner, dict)
        ]


def _properties_of(layers: list[Schema]) -> Mapping[str, Json]:
    properties = _find_word(layers, "properties")
    return properties if isinstance(properties, dict) else {}


def _find_word(layers: list[Schema], word: str) -> Json:
    return next((layer[word] for layer in reversed(layers) if word in layer), None)


def _without(part: Json, undeclared: Mapping[int, set[str]]) -> Json:
    if isinstance(part, list):
        return [_without(inner, undeclared) for inner in part]
    if not isinstance(part, dict):
        return part
    kept = {word: _without(inner, undeclared) for word, inner in part.items()}
    if names := undeclared.get(id(part)):
        kept["required"] = [name for name in kept["required"] if name not in names]
    return kept
