"""Fields that entries of the audit are about: their titles by the schema of the run, and what they said before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accounts.models import AuditEntry
from documents.extractions.extraction_view.value_text import format_value
from documents.models import Extraction, FieldEdit
from documents.values.addresses import RowStep, split_steps
from documents.values.fields import get_field
from documents.values.stored import Schema
from documents.values.titles import make_title
from kit.errors import Invalid

MAX_VALUE = 60
MAX_SHOWN = 3
"""Changed values that one entry names; the others are counted."""


def describe_edits(entries: Iterable[AuditEntry]) -> dict[str, tuple[str, str]]:
    """The place of one value and what changed, by the id of the entry.

    An entry about several values has no place, and names the first of them: "Total 10 → 12, IBAN nothing → DE12 and 3
    more".
    """
    about = [entry for entry in entries if entry.target_kind == "extraction"]
    runs = Extraction.objects.select_related("schema_revision").in_bulk({entry.target_id for entry in about})
    edits = _fetch_edits(about)
    described = {}
    for entry in about:
        schema, where = _get_schema(runs.get(entry.target_id)), str(entry.detail.get("where") or "")
        shown = [edits[key] for number in _list_numbers(entry) if (key := (entry.target_id, number)) in edits]
        change = _list_changes(entry, schema, shown) if "changes" in entry.detail else _join_changes(shown)
        described[entry.pk] = (describe_place(where, schema) if where else "", change)
    return described


def _list_numbers(entry: AuditEntry) -> Sequence[int]:
    """List the edits to show: an entry about many keeps the first and the last."""
    if entry.action != "edited":
        return ()
    if "number" in entry.detail:
        return [int(str(entry.detail["number"]))]
    first, last = int(str(entry.detail.get("first", 1))), int(str(entry.detail.get("last", 0)))
    return range(first, min(last, first + MAX_SHOWN - 1) + 1)


def _fetch_edits(entries: Iterable[AuditEntry]) -> dict[tuple[str, int], FieldEdit]:
    keys = {(entry.target_id, number) for entry in entries for number in _list_numbers(entry)}
    if not keys:
        return {}
    runs, numbers = {run for run, _ in keys}, {number for _, number in keys}
    rows = FieldEdit.objects.filter(extraction__in=runs, number__in=numbers)
    return {(row.extraction_id, row.number): row for row in rows}


def _list_changes(entry: AuditEntry, schema: Schema, shown: Sequence[FieldEdit]) -> str:
    """Nothing where the edits are gone with their run."""
    more = int(str(entry.detail["changes"])) - len(shown)
    listed = "; ".join(f"{describe_place(edit.where, schema)} {_describe_change(edit)}" for edit in shown)
    return f"{listed} and {more} more" if listed and more > 0 else listed


def _join_changes(shown: Sequence[FieldEdit]) -> str:
    return "; ".join(map(_describe_change, shown))


def _describe_change(edit: FieldEdit) -> str:
    if edit.kind != FieldEdit.Kind.SET:
        return "a row added" if edit.kind == FieldEdit.Kind.ADD_ROW else "a row removed"
    return f"{_shorten(edit.old)} → {_shorten(edit.new)}"


def _shorten(value: object) -> str:
    """A table or a group is no text to read in one line."""
    if isinstance(value, dict | list):
        return "rows" if isinstance(value, list) else "a group"
    words = format_value(value, "") or "nothing"
    return words if len(words) <= MAX_VALUE else f"{words[: MAX_VALUE - 1]}…"


def describe_place(where: str, schema: Schema) -> str:
    """ "Line items › Unit price", without the ids of rows."""
    path: list[str] = []
    titles: list[str] = []
    for step in split_steps(where):
        path.append("0" if isinstance(step, RowStep) else step)
        if not isinstance(step, RowStep):
            titles.append(_find_title(schema, path))
    return " › ".join(titles)


def _get_schema(run: Extraction | None) -> Schema:
    return run.schema_revision.json_schema if run and run.schema_revision else {}


def _find_title(schema: Schema, path: list[str]) -> str:
    """A field that the schema does not know is named by its key."""
    try:
        return make_title(path[-1], get_field(schema, ".".join(path)))
    except Invalid:
        return make_title(path[-1], {})
