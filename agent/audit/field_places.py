"""Fields that entries of the audit are about: their titles by the schema of the run, and what they said before."""

from __future__ import annotations

from collections.abc import Iterable

from accounts.models import AuditEntry
from documents.extractions.extraction_view.value_text import format_value
from documents.models import Extraction, FieldEdit
from documents.values.addresses import RowStep, split_steps
from documents.values.fields import get_field
from documents.values.stored import Schema
from documents.values.titles import make_title
from kit.errors import Invalid

MAX_VALUE = 60


def name_places(entries: Iterable[AuditEntry]) -> dict[str, str]:
    """By the id of the entry; entries about no single value have none."""
    about = [entry for entry in entries if entry.target_kind == "extraction" and entry.detail.get("where")]
    runs = Extraction.objects.select_related("schema_revision").in_bulk({entry.target_id for entry in about})
    return {
        entry.pk: describe_place(str(entry.detail["where"]), _get_schema(runs.get(entry.target_id))) for entry in about
    }


def describe_changes(entries: Iterable[AuditEntry]) -> dict[str, str]:
    """By the id of an entry about one value that was changed: what it said before and after."""
    about = {(each.target_id, each.detail["number"]): each.pk for each in entries if _is_of_one_edit(each)}
    runs, numbers = {run for run, _ in about}, {number for _, number in about}
    edits = FieldEdit.objects.filter(extraction__in=runs, number__in=numbers, kind=FieldEdit.Kind.SET)
    rows = edits.values_list("extraction_id", "number", "old", "new") if about else ()
    return {
        about[run, number]: f"{_shorten(old)} → {_shorten(new)}"
        for run, number, old, new in rows
        if (run, number) in about
    }


def _is_of_one_edit(entry: AuditEntry) -> bool:
    return entry.target_kind == "extraction" and entry.action == "edited" and "number" in entry.detail


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
