"""The schema templates, read once from the JSON files beside this module."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from documents.definitions.schema_fields import count_fields
from kit.errors import NotFound
from kit.json_types import JsonObject, JsonSchema

FOLDER = Path(__file__).parent
Catalogue: TypeAlias = MappingProxyType[str, "SchemaTemplate"]


@dataclass(frozen=True)
class SchemaTemplate:
    """`key` names it in requests; `prompt` is the text of the prompt that fills its fields.

    `document_types` are the keys of types that it is for; None where they say nothing.
    """

    key: str
    title: str
    summary: str
    prompt: str
    schema: JsonSchema
    value_checks: list[JsonObject]
    document_types: list[str] | None

    @property
    def response_format(self) -> JsonObject:
        return {"type": "json_schema", "json_schema": {"name": self.key, "strict": True, "schema": self.schema}}

    @property
    def field_count(self) -> int:
        return count_fields(self.schema)


@cache
def list_templates() -> Catalogue:
    """All of them by key, in the order in which they are offered."""
    contents = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
    ordered = sorted(contents.items(), key=lambda item: item[1].pop("position"))
    return MappingProxyType({key: SchemaTemplate(key, **content) for key, content in ordered})


def get_template(key: str) -> SchemaTemplate:
    """Raises NotFound with the keys that there are."""
    try:
        return list_templates()[key]
    except KeyError:
        raise NotFound(
            f"There is no schema template {key[:40]!r}. There are: {', '.join(list_templates())}.",
            code="template",
        ) from None
