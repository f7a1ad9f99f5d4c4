"""What a list is narrowed or sorted by, in each of its rows: the value of the field as the document has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Min, Q
from django.http import QueryDict

from documents.extractions.extraction_view.value_text import format_value
from documents.find.field_conditions import FieldCondition
from documents.find.filters import Term
from documents.find.filters.value_conditions import parse_condition
from documents.index.values.indexing import METADATA, find_written
from documents.models import CurrentValue, Document
from documents.values import Stored
from kit.errors import Invalid

# Of the fields that are filtered by: a row has one line for them.
MAX_FIELDS = 3


class RowValue(NamedTuple):
    path: str
    text: str


def list_comparisons(terms: Iterable[Term]) -> list[FieldCondition]:
    """Of each field the first one, which the list is sorted by. What has to be empty has nothing to show."""
    by_path: dict[str, FieldCondition] = {}
    for comparison in (term.comparison for term in terms if term.comparison):
        if not comparison.is_for_empty_values:
            by_path.setdefault(comparison.field, comparison)
    return list(by_path.values())[:MAX_FIELDS]


def parse_comparisons(list_query: str) -> list[FieldCondition]:
    """The same from the address of a list, of which no other term is looked at."""
    terms = []
    for text in QueryDict(list_query).getlist("value"):
        try:
            terms.append(Term("value", text, text, Q(), parse_condition(text)))
        except Invalid:
            continue
    return list_comparisons(terms)


def load_row_values(
    documents: Sequence[Document], comparisons: Sequence[FieldCondition], stored: Mapping[str, Stored]
) -> dict[str, list[RowValue]]:
    """By document, in the order of the filters, by one statement; `stored` is what its newest run says."""
    values: defaultdict[str, list[RowValue]] = defaultdict(list)
    if not comparisons or not documents:
        return values
    texts = _load_texts(documents, comparisons)
    for document in documents:
        for path in (comparison.field for comparison in comparisons):
            if text := texts.get((document.pk, path)):
                source = choose_source(path, document, stored.get(document.pk))
                values[document.pk].append(RowValue(path, format_value(find_written(source, path, text), "")))
    return values


def choose_source(path: str, document: Document, stored: Stored) -> Stored:
    """Where a value of this path is written: the document's metadata, or what a run says."""
    return {METADATA: document.metadata} if path.startswith(f"{METADATA}.") else stored


def _load_texts(documents: Sequence[Document], comparisons: Sequence[FieldCondition]) -> dict[tuple[str, str], str]:
    """Of each document and field the first value that fulfils the condition."""
    condition = Q()
    for comparison in comparisons:
        condition |= Q(comparison.compile(), path=comparison.field)
    matching = CurrentValue.objects.filter(condition, document__in=[document.pk for document in documents])
    firsts = matching.values("document", "path").annotate(first=Min("pk")).values("first")
    rows = CurrentValue.objects.filter(pk__in=firsts).values_list("document_id", "path", "text")
    return {(document_id, path): text for document_id, path, text in rows}
