"""What a tool's server says of it, made fit for a model and a card: bounded, visible, and only what is understood."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass

from jsonschema import Draft7Validator
from jsonschema.exceptions import SchemaError

from agent.toolkit.registry import OUTSIDE_SIGN
from documents.reading.page_text import neutralize, neutralize_json
from kit import sanitize
from kit.errors import Invalid
from kit.json_types import Json, JsonObject, JsonSchema

MAX_NAME, MAX_TOOL_NAME = 200, 64
MAX_DESCRIPTION, MAX_SCHEMA = 2_000, 10_000
MAX_NODES, MAX_LEVELS = 2_000, 20
# What the server checks itself and what takes long to check, such as patterns, is left to the server.
_PLAIN = (
    *("type", "description", "title", "default", "enum", "const", "required"),
    *("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"),
)
_ONE, _SEVERAL, _NAMED = ("items", "additionalProperties"), ("anyOf", "oneOf", "allOf"), ("properties",)
_DEFINITIONS = re.compile(r"#/(\$defs|definitions)/([^/]+)")


@dataclass(frozen=True)
class ListedTool:
    """As the server lists it."""

    name: str
    description: str
    schema: Json

    @property
    def digest(self) -> str:
        """Of everything the server says, also of what is shown to nobody."""
        text = json.dumps([self.name, self.description, self.schema], sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


def clean_description(text: str) -> str:
    """In one paragraph, without signs that nobody sees and without markers of ours."""
    words = " ".join(sanitize.text(sanitize.visible_only(text[: 4 * MAX_DESCRIPTION])).split())
    words = neutralize(words)
    return words if len(words) <= MAX_DESCRIPTION else f"{words[: MAX_DESCRIPTION - 1]}…"


def clean_schema(schema: Json) -> JsonSchema:
    """The part of it that says which arguments there are. Raises Invalid for one that cannot be used."""
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        raise Invalid("Its arguments are no object.")
    if len(json.dumps(schema)) > 4 * MAX_SCHEMA or sanitize.deeper_than(schema, 4 * MAX_LEVELS):
        raise Invalid("The description of its arguments is too large.")
    cleaned = _Cleaner(schema).clean(schema, 0)
    whole: JsonSchema = {"properties": {}, "required": [], **cleaned, "type": "object"}
    text = neutralize_json(json.dumps(sanitize.value(sanitize.visible_only(whole)), ensure_ascii=False))
    if len(text) > MAX_SCHEMA:
        raise Invalid("The description of its arguments is too large.")
    readable: JsonSchema = json.loads(text)
    try:
        Draft7Validator.check_schema(readable)
    except SchemaError:
        raise Invalid("The description of its arguments is no JSON Schema.") from None
    return readable


class _Cleaner:
    def __init__(self, root: JsonObject) -> None:
        self.root, self.nodes = root, 0

    def clean(self, schema: Json, level: int) -> Json:
        """References are put in place; one that leads back to itself, or too deep, stands for anything."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise Invalid("The description of its arguments is too large.")
        if not isinstance(schema, dict) or level > MAX_LEVELS:
            return schema if isinstance(schema, bool) else {}
        if "$ref" in schema:
            return self.clean(self.find(schema["$ref"]), level + 1)
        cleaned = {name: schema[name] for name in _PLAIN if name in schema}
        for name in _ONE:
            if name in schema:
                cleaned[name] = self.clean(schema[name], level + 1)
        for name in _SEVERAL:
            if isinstance(schema.get(name), list):
                cleaned[name] = [self.clean(each, level + 1) for each in schema[name]]
        for name in _NAMED:
            if isinstance(schema.get(name), dict):
                cleaned[name] = {key: self.clean(each, level + 1) for key, each in schema[name].items()}
        return cleaned

    def find(self, reference: Json) -> Json:
        match = _DEFINITIONS.fullmatch(reference) if isinstance(reference, str) else None
        inside = self.root.get(match[1]) if match else None
        return inside.get(match[2], {}) if match and isinstance(inside, dict) else {}


def make_tool_name(prefix: str, name: str) -> str:
    """As providers take names: letters, digits, _ and -, at most 64. What was cut or replaced gets a digest's end."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    whole = f"{prefix}{OUTSIDE_SIGN}{plain}"
    if plain == name and len(whole) <= MAX_TOOL_NAME:
        return whole
    end = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{whole[: MAX_TOOL_NAME - 9]}_{end}"
