"""The rows of a join: of a table, and of the values of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice

from django.db.models import QuerySet

from accounts.actor import Actor
from documents.find.fields.aggregating import MAX_DOCUMENTS, find_currency_beside
from documents.find.fields.columns import check_fields
from documents.find.fields.query import Aggregate, FieldQuery
from documents.find.fields.records import Record, RecordSource, Value
from documents.find.fields.written_values import WrittenValues
from documents.find.tables.joining import MAX_SIDE, JoinedSide
from documents.find.tables.querying import TableRecords, parse_table_query
from documents.find.tables.rows import NamedTable
from documents.models import Document, Reading


def list_table_sides(
    reading: Reading, tables: Sequence[NamedTable], key: str, compare: str, filters: object = None
) -> list[JoinedSide]:
    """Rows that have a key. Raises Invalid with the columns there are."""
    names = list(dict.fromkeys(filter(None, (key, compare))))
    query = parse_table_query(tables, filters=filters, columns=names)
    records = TableRecords(reading.document, tables, query.fields)
    kept = (each for each in records.iterate() if all(c.holds(each.list_readings(c.field)) for c in query.filters))
    return list(islice(_read_table_sides(reading, records, kept, key, compare), MAX_SIDE + 1))


def _read_table_sides(
    reading: Reading, records: TableRecords, kept: Iterator[Record], key: str, compare: str
) -> Iterator[JoinedSide]:
    for record in kept:
        key_value = next(iter(record.values.get(key, ())), None)
        amount = next(iter(record.values.get(compare, ())), None)
        if key_value is None:
            continue
        lines = [records.find_line(value) for value in (key_value, amount) if value]
        blocks = [f"{reading.pk}.{line.page}.{line.line}" for line in lines]
        currency = records.find_currency(record, compare, amount) if amount else ""
        written = records.write(key_value)
        yield JoinedSide(
            "", write_key(key_value, written), amount.number if amount else None, currency, blocks, written
        )


def list_value_sides(
    actor: Actor, key: str, compare: str, documents: QuerySet[Document] | None = None
) -> list[JoinedSide]:
    """Gives each document, or each row of its table, that has the field. Raises Invalid with the fields there are."""
    aggregates = [Aggregate("sum", compare)] if compare else []
    query = FieldQuery(columns=[key], aggregates=aggregates)
    check_fields(actor.organization, query.fields)
    rows = Document.objects.for_org(actor.organization)
    rows = rows if documents is None else rows.filter(pk__in=documents.order_by().values("pk"))
    source = RecordSource.prepare(actor.organization, query, rows)
    records = list(islice(source.iterate_records(source.list_keys(MAX_DOCUMENTS)), MAX_SIDE + 1))
    with_key = [record for record in records if any(value.text for value in record.values.get(key, ()))]
    written = WrittenValues([v for r in with_key for name in (key, compare) for v in r.values.get(name, ())], with_key)
    return [_read_value_side(record, written, key, compare) for record in with_key]


def _read_value_side(record: Record, written: WrittenValues, key: str, compare: str) -> JoinedSide:
    key_value = next(value for value in record.values[key] if value.text)
    amount = next((value for value in record.values.get(compare, ()) if value.text), None)
    blocks = [block for value in (key_value, amount) if value and (block := written.find_block(value))]
    currency = find_currency_beside(record, compare, amount) if amount else ""
    text = str(written.get(key_value))
    return JoinedSide(
        record.document.name, write_key(key_value, text), amount.number if amount else None, currency, blocks, text
    )


def write_key(value: Value, text: str) -> str:
    """An amount is compared as a number, however it is written, and without its sign."""
    if value.number is None or not any(sign in text for sign in ".,"):
        return text
    return f"{abs(value.number).normalize():f}" if value.number else str(Decimal(0))
