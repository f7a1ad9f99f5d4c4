"""Why a query of values left nothing: what cannot be compared, and what stands there in place of what was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from django.db.models import QuerySet

from documents.find.field_conditions import FieldCondition
from documents.find.fields.columns import COLUMNS
from documents.find.fields.records import RecordSource
from documents.models import CurrentValue, Document
from kit.rows.models import fold_case

MAX_COMPARED, MAX_PROPOSED, MAX_LETTERS, MIN_LIKENESS = 2_000, 5, 60, 0.5


def explain_conditions(source: RecordSource) -> Iterator[str]:
    for condition in source.query.filters:
        if condition.field in COLUMNS:
            continue
        values = _list_values(source, condition.field)
        column = condition.column
        if column != "text":
            if not values.filter(**{f"{column}__isnull": False}).exists():
                yield f"No value of {condition.field} can be read as a {column}."
        elif condition.operator in ("eq", "in", "contains") and not values.filter(condition.compile()).exists():
            yield _propose_values(condition, values)


def _propose_values(condition: FieldCondition, values: QuerySet[CurrentValue]) -> str:
    """Those that are much alike, else some."""
    written = list(values.exclude(text="").order_by().values_list("text", flat=True).distinct()[:MAX_COMPARED])
    asked = fold_case(str(condition.choices[0]))
    near = get_close_matches(asked, written, n=MAX_PROPOSED, cutoff=MIN_LIKENESS) or sorted(written)[:MAX_PROPOSED]
    proposed = ", ".join(f"“{text[:MAX_LETTERS]}”" for text in near)
    return f"No value of {condition.field} is like that; there are {proposed or 'none'}."


def _list_values(source: RecordSource, field: str) -> QuerySet[CurrentValue]:
    visible = Document.objects.for_org(source.organization)
    rows = CurrentValue.objects.for_org(source.organization).filter(path=field)
    return rows.filter(document__in=visible.order_by().values("pk"))
