"""What a card shows of a call before it runs: made by the tool from its arguments and live data, never by the model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Literal, NotRequired, TypedDict

from kit.json_types import JsonObject


class FieldRow(TypedDict):
    """One line of a schema: name, type in plain words, description; `columns` names the fields of each list row."""

    name: str
    type: str
    description: str
    columns: list[str]


class ArgumentRow(TypedDict):
    """`color` asks for a swatch before the value."""

    name: str
    value: str
    color: NotRequired[str]


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


class ChangeRow(TypedDict):
    """One of several values that change together; a colour asks for a swatch before its side. `note`: beside it."""

    name: str
    old: str
    new: str
    old_color: NotRequired[str]
    new_color: NotRequired[str]
    note: NotRequired[str]
    crop: NotRequired[Crop]


class FieldChangeRow(TypedDict):
    """One field of a schema added, cut or modified; `name` is empty for the whole schema."""

    kind: Literal["add", "cut", "mod"]
    name: str
    words: str


class LineRow(TypedDict):
    """One line of a changed text; `skipped` stands for lines that are the same, and says how many."""

    kind: Literal["same", "add", "cutout", "skipped"]
    text: str


class FirstPage(TypedDict):
    """A page to show whole and small; `height` where it is 160 wide."""

    document_id: str
    reading_id: str
    page: int
    height: int


class Preview(TypedDict, total=False):
    """`problem` says why the call cannot be approved as it stands; `ended` is `done` once the job has ended."""

    title: str
    done: str
    ended: str
    subtitle: str
    rows: list[ArgumentRow]
    fields: list[FieldRow]
    text: str
    change: Change | None
    changes: list[ChangeRow]
    field_changes: list[FieldChangeRow]
    lines: list[LineRow]
    crop: Crop | None
    first_pages: list[FirstPage]
    used_by: list[str]
    effect: str
    warnings: list[str]
    is_free: bool
    problem: str


def name_outcome(preview: Mapping[str, object], result: Mapping[str, object] | None) -> str:
    """The title of a call that succeeded. A job that reached only some of its documents says so."""
    result = result or {}
    if "job_id" not in result or "done" not in result or not preview.get("ended"):
        return str(preview.get("done") or preview.get("title") or "")
    done, documents = result["done"], result.get("documents", result["done"])
    return str(preview["ended"]) if done == documents else f"{preview['ended']}: {done} of {documents}"


def format_value(value: object, maximum: int = 400) -> str:
    """A value as a person reads it."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= maximum else f"{text[:maximum]}… ({len(text)} characters)"


def format_count(number: int, noun: str) -> str:
    """ "1 prompt", "1,200 documents" """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def quote_names(names: Iterable[str], maximum: int = 5) -> str:
    """ "“A”, “B” and 3 more"; empty for none."""
    names = list(names)
    listed = ", ".join(f"“{name}”" for name in names[:maximum])
    return f"{listed} and {len(names) - maximum} more" if len(names) > maximum else listed


def change_row(name: str, old: object, new: object) -> ChangeRow:
    return {"name": name, "old": format_value(old), "new": format_value(new)}


def argument_rows(arguments: JsonObject) -> list[ArgumentRow]:
    return [{"name": name, "value": format_value(value)} for name, value in arguments.items()]


def plain_preview(title: str, arguments: JsonObject) -> Preview:
    return {"title": title, "done": title, "rows": argument_rows(arguments), "warnings": []}
