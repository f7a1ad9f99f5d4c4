"""Local references of a schema, followed, and the subschema that describes a value when there is one."""

from __future__ import annotations

from documents.values.stored import Schema
from kit.json_types import Json


def resolve_reference(schema: Schema, root: Schema) -> Schema:
    """Follow local references (`#/definitions/…`, `#/$defs/…`). Other objects stay as they are; true says nothing."""
    for _ in range(20):
        if not isinstance(schema, dict):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        schema = get_target(reference, root)
    return {}


def get_target(reference: str, root: Schema) -> Schema:
    """What a local reference names, empty when that is no object."""
    target: Json = root
    for name in reference[2:].split("/"):
        target = target.get(name.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
    return target if isinstance(target, dict) else {}


def resolve_plain(schema: Schema, root: Schema) -> Schema:
    """The subschema that describes a value when there is one: references followed, `null` alternatives left out."""
    layers = list_layers(schema, root)
    return {**layers[0], **layers[1]} if len(layers) > 1 else layers[0]


def list_layers(schema: Schema, root: Schema) -> list[Schema]:
    """What `resolve_plain` puts together: the subschema, and where it has one alternative only, that on top."""
    schema = resolve_reference(schema, root)
    for word in ("anyOf", "oneOf", "allOf"):
        options = [resolve_reference(option, root) for option in schema.get(word, ()) if isinstance(option, dict)]
        options = [option for option in options if option.get("type") != "null"]
        if len(options) == 1:
            return [schema, options[0]]
    return [schema]
