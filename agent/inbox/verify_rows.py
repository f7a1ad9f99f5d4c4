"""The lines of documents to verify: which values they ask about, and how far that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.inbox.inbox_rows import InboxRow
from documents.extractions.edits.changing import get_schema
from documents.extractions.extraction_view.value_text import format_value
from documents.models import Document, Extraction, SchemaRevision
from documents.values import get_value, has_value, iterate_leaves
from documents.values.addresses import RowStep, split_steps
from documents.values.fields import get_field
from documents.values.stored import Schema
from documents.values.titles import make_title
from documents.views.row_facts import load_facts
from documents.views.value_counts import ValueCounts
from kit.errors import Invalid

MAX_VALUES, MAX_LETTERS = 3, 40


def add_values(rows: Sequence[InboxRow], documents: dict[str, Document]) -> list[InboxRow]:
    """Name the doubtful values of each document with their titles, else its first values."""
    facts = load_facts(list(documents.values()))
    extractions = [each.extraction for each in facts.values() if each.extraction]
    revisions = SchemaRevision.objects.in_bulk({each.schema_revision_id for each in extractions})
    for extraction in extractions:
        extraction.schema_revision = revisions.get(extraction.schema_revision_id or "")
    return [_add_values(row, facts[row.pk].extraction, facts[row.pk].value_counts) for row in rows]


def _add_values(row: InboxRow, extraction: Extraction | None, counts: ValueCounts) -> InboxRow:
    named = name_values(extraction, counts) if extraction else ""
    return replace(row, about=named, note=_describe_progress(counts), icon=counts.icon)


def name_values(extraction: Extraction, counts: ValueCounts) -> str:
    if counts.doubtful:
        return ", ".join(_name_value(extraction, where) for where in counts.doubtful[:MAX_VALUES])
    filled = (
        value for where, value in iterate_leaves(extraction.current) if value not in (None, "") and _is_top(where)
    )
    return ", ".join(_shorten(format_value(value, "")) for value, _ in zip(filled, range(MAX_VALUES), strict=False))


def _is_top(where: str) -> bool:
    return not any(isinstance(step, RowStep) for step in split_steps(where))


def _name_value(extraction: Extraction, where: str) -> str:
    steps = split_steps(where)
    path = ".".join("0" if isinstance(step, RowStep) else step for step in steps)
    name = next(step for step in reversed(steps) if not isinstance(step, RowStep))
    title = _find_title(get_schema(extraction), path, name)
    value = get_value(extraction.current, where) if has_value(extraction.current, where) else None
    return f"{title} {_shorten(format_value(value, '')) or 'is empty'}"


def _find_title(schema: Schema, path: str, name: str) -> str:
    """From the name alone where the schema of the run has no such field."""
    try:
        return make_title(name, get_field(schema, path))
    except Invalid:
        return make_title(name, {})


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_LETTERS else f"{text[:MAX_LETTERS].rstrip()}…"


def _describe_progress(counts: ValueCounts) -> str:
    words = counts.describe_doubts() or ("Free text" if counts.is_prose else "All located")
    return f"{words}, {counts.verified} of {counts.total} verified"
