"""What a card shows of a call before it runs: made by the tool from its arguments and live data, never by the model."""

from __future__ import annotations

import json
from typing import Any, TypedDict


class FieldRow(TypedDict):
    """One line of a schema: name, type in plain words, description; `columns` names the fields of each list row."""

    name: str
    type: str
    description: str
    columns: list[str]


class ArgumentRow(TypedDict):
    name: str
    value: str


class Change(TypedDict):
    old: str
    new: str
    note: str


class Crop(TypedDict):
    """Where the value stands: boxes are left, top, right, bottom in page fractions."""

    document_id: str
    page: int
    boxes: list[list[float]]
    note: str


class Preview(TypedDict, total=False):
    title: str
    done: str
    subtitle: str
    rows: list[ArgumentRow]
    fields: list[FieldRow]
    text: str
    change: Change | None
    crop: Crop | None
    effect: str
    warnings: list[str]


def shown_value(value: object, most: int = 400) -> str:
    """A value as a person reads it."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def argument_rows(arguments: dict[str, Any]) -> list[ArgumentRow]:
    return [{"name": name, "value": shown_value(value)} for name, value in arguments.items()]


def plain_preview(title: str, arguments: dict[str, Any]) -> Preview:
    return {"title": title, "done": title, "rows": argument_rows(arguments), "warnings": []}
