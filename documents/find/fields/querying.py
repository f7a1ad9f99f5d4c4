"""Rows, groups and sums of the current values of many documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from django.db.models import Count, QuerySet

from accounts.actor import Actor
from documents.find.fields.aggregating import MAX_DOCUMENTS, Aggregation, ComputedRow
from documents.find.fields.columns import COLUMNS, check_fields
from documents.find.fields.explaining import explain_conditions
from documents.find.fields.query import Aggregate, FieldQuery, Function, parse_query
from documents.find.fields.records import Record, RecordSource, Value
from documents.find.fields.tables import FieldCell, FieldRow, FieldSum, FieldTable
from documents.find.fields.written_values import WrittenValues
from documents.index.values.indexing import MAX_VALUES as MAX_VALUES_A_DOCUMENT
from documents.models import CurrentValue, Document
from kit.errors import Invalid
from printed.currencies import names_money

MAX_LIMIT, MAX_SKIP = 200, 2_000
VALUES_A_CELL, LETTERS_A_VALUE = 20, 500
MAX_NAMED_SOURCES = 200
EVERYTHING = "all documents"
SUMMED: tuple[Function, ...] = ("sum", "avg", "count")


def query_fields(
    actor: Actor,
    *,
    filters: object = None,
    columns: object = None,
    group: object = None,
    aggregates: object = None,
    documents: QuerySet[Document] | None = None,
    limit: int = 50,
    skip: int = 0,
) -> FieldTable:
    """Columns of the documents that fulfil all filters, the newest first; or what is computed of all of them.

    `filters`, `columns`, `group` and `aggregates` are plain JSON as `parse_query` checks it. Where a field stands in
    rows of a table, there is a row of the answer for each of them. `documents` narrows them further. Raises Invalid
    with a sentence for whatever cannot be asked.
    """
    if not 0 < limit <= MAX_LIMIT or not 0 <= skip <= MAX_SKIP:
        raise Invalid(f"A query answers 1 to {MAX_LIMIT} rows at once, and skips {MAX_SKIP:,} at most.")
    query = parse_query(filters=filters, columns=columns, group=group, aggregates=aggregates)
    check_fields(actor.organization, query.fields)
    visible = Document.objects.for_org(actor.organization)
    rows = visible if documents is None else visible.filter(pk__in=documents.order_by().values("pk"))
    source = RecordSource.prepare(actor.organization, query, rows)
    table = (_compute if query.aggregates else _list)(source, slice(skip, skip + limit))
    if not table.rows or not table.total_documents:
        return replace(table, notes=[*table.notes, *_explain_nothing(source)])
    return table


def _list(source: RecordSource, window: slice) -> FieldTable:
    keys = source.list_keys(MAX_DOCUMENTS)
    records = list(islice(source.iterate_records(keys), window.start, window.stop + 1))
    listed = records[: window.stop - window.start]
    written = WrittenValues([v for record in listed for values in record.values.values() for v in values], listed)
    names = source.query.columns
    rows = [_make_row(record, names, written) for record in listed]
    total = len(keys) if len(keys) < MAX_DOCUMENTS else source.documents.count()
    notes = _list_cut(source, [record.document.pk for record in listed if record.row])
    return FieldTable(names, rows, total, describe_filters(source.query), len(records) > len(listed), notes)


def sum_fields(actor: Actor, *, fields: Sequence[str], documents: QuerySet[Document]) -> list[FieldSum]:
    """Sum, mean and number of the values that these documents have of each field, of which there may be none.

    Raises Invalid with a sentence for more documents or values than are added up.
    """
    aggregates = [each for name in fields for each in map(partial(Aggregate, field=name), SUMMED)]
    visible = Document.objects.for_org(actor.organization).filter(pk__in=documents.order_by().values("pk"))
    source = RecordSource.prepare(actor.organization, FieldQuery(aggregates=aggregates), visible)
    aggregation = Aggregation(source.query)
    [computed] = aggregation.run(source.iterate_records(_list_all_keys(source)))
    cells = computed.row.cells
    return [
        FieldSum(
            name,
            total=cells[Aggregate("sum", name).title],
            mean=cells[Aggregate("avg", name).title],
            number=cells[Aggregate("count", name).title],
            notes=list(aggregation.list_notes_of(name)),
            is_bare=names_money(name) and not aggregation.has_currency(name),
        )
        for name in fields
    ]


def _list_all_keys(source: RecordSource) -> list[str]:
    keys = source.list_keys(MAX_DOCUMENTS + 1)
    if len(keys) > MAX_DOCUMENTS:
        raise Invalid(f"More than {MAX_DOCUMENTS:,} documents match. Narrow the query by a filter.")
    return keys


def _compute(source: RecordSource, window: slice) -> FieldTable:
    keys = _list_all_keys(source)
    aggregation = Aggregation(source.query)
    tables: set[str] = set()
    computed = aggregation.run(_note_tables(source.iterate_records(keys), tables))
    notes = [*aggregation.list_notes(), *_list_cut(source, tables)]
    group = [source.query.group.title] if source.query.group else []
    columns = [*group, *(aggregate.title for aggregate in source.query.aggregates)]
    searched = describe_filters(source.query)
    by_value = source.query.group.title if source.query.group and source.query.group.by == "value" else ""
    rows = _add_blocks(computed[window], by_value)
    return FieldTable(columns, rows, len(aggregation.documents), searched, len(computed) > window.stop, notes)


def _add_blocks(computed: Sequence[ComputedRow], by_value: str) -> list[FieldRow]:
    """The lines of what was computed, of the first rows; of a cell all or none, so that they give the same result. The
    cells under `by_value` are the values of groups, as they are written."""
    chosen: dict[int, Mapping[str, Sequence[Value]]] = {}
    for at, each in enumerate(computed):
        if sum(len(values) for row in (*chosen.values(), each.sources) for values in row.values()) > MAX_NAMED_SOURCES:
            break
        chosen[at] = each.sources
    written = WrittenValues([value for row in chosen.values() for values in row.values() for value in values])
    return [_describe_computed(each.row, chosen.get(at, {}), written, by_value) for at, each in enumerate(computed)]


def _describe_computed(
    row: FieldRow, sources: Mapping[str, Sequence[Value]], written: WrittenValues, by_value: str
) -> FieldRow:
    cells = dict(row.cells)
    if names := [written.get(value) for value in sources.get(by_value, ()) if value.prompt_id]:
        cells[by_value] = names
    return replace(row, cells=cells, blocks=dict(_find_blocks(sources, written)))


def _find_blocks(sources: Mapping[str, Sequence[Value]], written: WrittenValues) -> Iterator[tuple[str, list[str]]]:
    for name, values in sources.items():
        blocks = [written.find_block(value) for value in values]
        if blocks and all(blocks):
            yield name, blocks


def describe_filters(query: FieldQuery) -> str:
    return " and ".join(condition.words for condition in query.filters)[:1_000] or EVERYTHING


def _make_row(record: Record, names: Iterable[str], written: WrittenValues) -> FieldRow:
    cells = {name: _make_cell(record, name, written) for name in names}
    first = {name: record.values[name][0] for name in names if cells[name] and record.values.get(name)}
    blocks = {name: [block] for name, value in first.items() if (block := written.find_block(value))}
    return FieldRow(cells, record.document.pk, record.document.name, record.row, blocks)


def _make_cell(record: Record, name: str, written: WrittenValues) -> FieldCell:
    if name in COLUMNS:
        return [reading.day or reading.text for reading in record.columns[name][:VALUES_A_CELL] if reading.text]
    values = [written.get(value) for value in record.values.get(name, ())[:VALUES_A_CELL] if value.text]
    return [value[:LETTERS_A_VALUE] if isinstance(value, str) else value for value in values]


def _note_tables(records: Iterable[Record], documents: set[str]) -> Iterator[Record]:
    for record in records:
        if record.row:
            documents.add(record.document.pk)
        yield record


def _list_cut(source: RecordSource, document_ids: Iterable[str]) -> list[str]:
    """Documents whose tables have more values than can be asked for."""
    rows = CurrentValue.objects.for_org(source.organization).filter(document__in=list(dict.fromkeys(document_ids)))
    counts = rows.values("document_id").annotate(number=Count("pk")).filter(number__gte=MAX_VALUES_A_DOCUMENT)
    names = Document.objects.filter(pk__in=counts.values("document_id")).values_list("name", flat=True)[:5]
    return [f"{name} has more values than the {MAX_VALUES_A_DOCUMENT:,} that are compared." for name in names]


def _explain_nothing(source: RecordSource) -> Iterator[str]:
    """What was asked for, and what of it cannot leave anything."""
    yield f"Nothing was left of the documents by: {describe_filters(source.query)}."
    yield from explain_conditions(source)
