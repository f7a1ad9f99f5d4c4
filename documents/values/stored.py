"""How a result is kept: arrays are lists of rows, each with an id of its own. Positions exist only on the wire.

Stored: {"line_items": [{"row_id": "6570…", "value": {"sku": "X1"}}], "total": 5}
Wire:   {"line_items": [{"sku": "X1"}], "total": 5}
"""

from __future__ import annotations

from typing import TypeAlias, TypedDict

from kit.ids import new_id
from kit.json_types import Json, JsonSchema

Stored: TypeAlias = Json
"""JSON, but every list consists of rows (`Row`) and nothing else."""

Schema: TypeAlias = JsonSchema


class StoredRow(TypedDict):
    row_id: str
    value: Stored


def add_row_ids(result: Json, schema: Schema | None = None) -> Stored:
    """Give every array item a new row id. With the schema, objects keep its order of fields; unknown fields go last."""
    schema = schema if isinstance(schema, dict) else {}
    if isinstance(result, dict):
        properties = schema.get("properties") or {}
        ordered = [name for name in properties if name in result]
        ordered += [name for name in result if name not in properties]
        return {name: add_row_ids(result[name], properties.get(name)) for name in ordered}
    if isinstance(result, list):
        return [make_row(item, schema.get("items")) for item in result]
    return result


def make_row(item: Json, schema: Schema | None = None, *, row_id: str | None = None) -> StoredRow:
    return {"row_id": row_id or new_id(), "value": add_row_ids(item, schema)}


def strip_row_ids(stored: Stored) -> Json:
    if isinstance(stored, dict):
        return {name: strip_row_ids(value) for name, value in stored.items()}
    if isinstance(stored, list):
        return [strip_row_ids(row["value"]) for row in stored]
    return stored
