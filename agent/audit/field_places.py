"""Titles of the fields that entries of the audit are about, by the schema of their run."""

from __future__ import annotations

from collections.abc import Iterable

from accounts.models import AuditEntry
from documents.models import Extraction
from documents.values.addresses import RowStep, split_steps
from documents.values.fields import get_field
from documents.values.stored import Schema
from documents.values.titles import make_title
from kit.errors import Invalid


def name_places(entries: Iterable[AuditEntry]) -> dict[str, str]:
    """By the id of the entry; entries about no single value have none."""
    about = [entry for entry in entries if entry.target_kind == "extraction" and entry.detail.get("where")]
    runs = Extraction.objects.select_related("schema_revision").in_bulk({entry.target_id for entry in about})
    return {
        entry.pk: describe_place(str(entry.detail["where"]), _get_schema(runs.get(entry.target_id))) for entry in about
    }


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
