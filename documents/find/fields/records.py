"""Values of documents side by side: a record for each document, or for each row of a table that a query is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Q, QuerySet

from accounts.models import Organization
from documents.find.field_conditions import FieldCondition, ValueReading
from documents.find.fields.columns import COLUMNS, TAG, TYPE, DocumentColumn
from documents.find.fields.conditions import select_documents
from documents.find.fields.query import FieldQuery
from documents.models import CurrentValue, Document

DOCUMENTS_AT_ONCE = 200


class Value(NamedTuple):
    """One of the table. `key` tells it from others that read alike."""

    key: int
    document_id: str
    prompt_id: str | None
    path: str
    row: str
    text: str
    number: Decimal | None
    day: date | None

    @property
    def reading(self) -> ValueReading:
        return ValueReading(self.text, self.number, self.day)


@dataclass
class Record:
    """`row` is empty for a document as a whole. `values` are by field, `readings` of columns of the document.

    `counted` is the id of what a count counts, where that is not the document.
    """

    document: Document
    row: str
    values: Mapping[str, Sequence[Value]]
    columns: Mapping[str, Sequence[ValueReading]] = field(default_factory=dict)
    counted: str = ""

    @property
    def key(self) -> str:
        return self.counted or self.document.pk

    def list_readings(self, name: str) -> list[ValueReading]:
        return list(self.columns[name]) if name in self.columns else [v.reading for v in self.values.get(name, ())]


@dataclass(frozen=True)
class RecordSource:
    """`documents` may be seen and fulfil what is asked of documents as a whole."""

    organization: Organization
    query: FieldQuery
    documents: QuerySet[Document]

    @classmethod
    def prepare(cls, organization: Organization, query: FieldQuery, documents: QuerySet[Document]) -> RecordSource:
        for condition in query.filters:
            if condition.field in COLUMNS:
                documents = documents.filter(DocumentColumn(condition.field).select_documents(condition))
            elif not (condition.is_negated and _is_of_listed_rows(organization, query, condition)):
                documents = documents.filter(select_documents(organization, condition))
        return cls(organization, query, documents)

    def list_keys(self, maximum: int) -> list[str]:
        """The newest first."""
        return list(self.documents.order_by("-created_at", "-pk").values_list("pk", flat=True)[:maximum])

    def iterate_records(self, keys: Sequence[str]) -> Iterator[Record]:
        for at in range(0, len(keys), DOCUMENTS_AT_ONCE):
            some = keys[at : at + DOCUMENTS_AT_ONCE]
            rows = self.documents.filter(pk__in=some)
            rows = rows.select_related("document_type") if TYPE in self.query.output_fields else rows
            documents = {row.pk: row for row in (rows.prefetch_related("tags") if self._needs_tags else rows)}
            values = self._load_values(some)
            for key in some:
                if key in documents:
                    yield from self._make_records(documents[key], values[key])

    @property
    def _needs_tags(self) -> bool:
        return TAG in self.query.output_fields

    def _load_values(self, keys: Sequence[str]) -> defaultdict[str, list[Value]]:
        values: defaultdict[str, list[Value]] = defaultdict(list)
        paths = [name for name in self.query.fields if name not in COLUMNS] + self.query.currency_fields
        if paths:
            rows = CurrentValue.objects.for_org(self.organization).filter(document__in=keys, path__in=paths)
            for row in rows.order_by("pk").values_list("pk", *Value._fields[1:]):
                values[row[1]].append(Value(*row))
        return values

    def _make_records(self, document: Document, values: Sequence[Value]) -> Iterator[Record]:
        names = self.query.output_fields
        columns = {name: DocumentColumn(name).read(document) for name in names if name in COLUMNS}
        conditions = [condition for condition in self.query.filters if condition.field not in COLUMNS]
        for row in _list_leaf_rows(value.row for value in values if value.path in names):
            related = [value for value in values if _is_related(value.row, row)]
            if all(_holds(condition, row, related, values, names) for condition in conditions):
                yield Record(document, row, _sort_by_path(related), columns)


def _holds(
    condition: FieldCondition, row: str, related: Sequence[Value], values: Sequence[Value], names: Sequence[str]
) -> bool:
    own = [value.reading for value in related if value.path == condition.field]
    if not own and row and not _shares_table(condition.field, names):
        # It stands in another table of the document, which fulfils it as a whole.
        own = [value.reading for value in values if value.path == condition.field]
    return condition.holds(own)


def _is_of_listed_rows(organization: Organization, query: FieldQuery, condition: FieldCondition) -> bool:
    """Then other rows may have what this one must not."""
    if not _shares_table(condition.field, query.output_fields):
        return False
    rows = CurrentValue.objects.for_org(organization).filter(path=condition.field)
    return rows.filter(~Q(row="")).exists()


def _shares_table(name: str, names: Iterable[str]) -> bool:
    table = name.partition(".")[0]
    return any(table == other.partition(".")[0] for other in names)


def _list_leaf_rows(rows: Iterable[str]) -> list[str]:
    """Without those that others stand in; the whole document where no value stands in a row."""
    listed = list(dict.fromkeys(rows))
    outer = {" ".join(ids[:number]) for ids in map(str.split, listed) for number in range(len(ids))}
    return [row for row in listed if row and row not in outer] or [""]


def _is_related(one: str, other: str) -> bool:
    """One of the rows stands in the other."""
    shorter, longer = sorted((one.split(), other.split()), key=len)
    return longer[: len(shorter)] == shorter


def _sort_by_path(values: Iterable[Value]) -> dict[str, list[Value]]:
    by_path: defaultdict[str, list[Value]] = defaultdict(list)
    for value in values:
        by_path[value.path].append(value)
    return dict(by_path)
