"""Rows, groups and sums of the tables of a file: the same conditions and arithmetic as for values of documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from documents.find.field_conditions import ValueReading
from documents.find.fields.aggregating import Aggregation
from documents.find.fields.query import MAX_COLUMNS, FieldQuery, parse_query
from documents.find.fields.records import Record, Value
from documents.find.fields.tables import FieldCell
from documents.find.tables.cells import CellLine
from documents.find.tables.rows import FileRow, NamedTable, TableCell
from documents.index.values.indexing import read_day
from documents.models import CurrentValue, Document
from kit.errors import Invalid
from kit.processes.computing import limit_computing
from kit.rows.models import fold_case
from printed.currencies import CURRENCY_NAMES, read_currency

SHEET = "sheet"
MAX_LIMIT, MAX_NAMED_LINES = 200, 200
MAX_LETTERS = 300
SHOWN_NAMES, SHOWN_LETTERS, COMPARED_NAMES = 40, 60, 500
SLOW = "The tables of this file take too long to be read. Name one sheet, or ask for fewer columns."


@dataclass(frozen=True)
class TableLine:
    """A row of the answer. `lines`: by column those on the pages that its value stands in, or comes of."""

    cells: Mapping[str, FieldCell]
    lines: Mapping[str, Sequence[CellLine]] = field(default_factory=dict)


@dataclass(frozen=True)
class TableAnswer:
    rows: Sequence[TableLine]
    total_rows: int
    has_more: bool
    notes: Sequence[str] = ()


@dataclass
class TableRecords:
    """Rows as records of a query; `cells` by the key of a value, for its text as written and its line."""

    document: Document
    tables: Sequence[NamedTable]
    names: Sequence[str]
    cells: list[TableCell] = field(default_factory=list)

    def iterate(self) -> Iterator[Record]:
        for table in self.tables:
            columns = {name: table.find_column(name) for name in self.names}
            money = _find_currency_column(table)
            for row in limit_computing(table.rows, sentence=SLOW):
                values = {name: [*self._read(row, column, name)] for name, column in columns.items() if column}
                if SHEET in self.names and SHEET not in values:
                    name_cell = TableCell(table.table.name, _first(row).source, None)
                    values[SHEET] = [self._make_value(row, SHEET, name_cell)]
                beside = row.cells.get(money) if money else None
                if beside:
                    values["currency"] = [*values.get("currency", ()), self._make_value(row, "currency", beside)]
                yield Record(self.document, "", values, counted=f"{table.table.number}.{row.number}")

    def _read(self, row: FileRow, column: int, name: str) -> Iterator[Value]:
        if cell := row.cells.get(column):
            yield self._make_value(row, name, cell)

    def _make_value(self, row: FileRow, name: str, cell: TableCell) -> Value:
        self.cells.append(cell)
        text = fold_case(cell.text)[: CurrentValue.MAX_TEXT]
        key = len(self.cells) - 1
        return Value(key, self.document.pk, None, name, str(row.number), text, cell.number, read_day(cell.text))

    def write(self, value: Value) -> str:
        return self.cells[value.key].text[:MAX_LETTERS]

    def find_line(self, value: Value) -> CellLine:
        return self.cells[value.key].source.place

    def find_currency(self, record: Record, name: str, reading: ValueReading | Value) -> str:
        """Looks in the cell, in the head of its column, and in the column of currencies."""
        if not isinstance(reading, Value):
            return ""
        beside = next((self.write(each) for each in record.values.get("currency", ())), "")
        return read_currency(self.write(reading)) or read_currency(self._find_head(name)) or read_currency(beside)

    def _find_head(self, name: str) -> str:
        columns = ((table, table.find_column(name)) for table in self.tables)
        return next((table.names[column] for table, column in columns if column), "")


def _first(row: FileRow) -> TableCell:
    return next(iter(row.cells.values()))


def _find_currency_column(table: NamedTable) -> int | None:
    return next((column for column, name in table.names.items() if fold_case(name) in CURRENCY_NAMES), None)


def query_tables(
    document: Document,
    tables: Sequence[NamedTable],
    *,
    filters: object = None,
    columns: object = None,
    group: object = None,
    aggregates: object = None,
    limit: int = 50,
    skip: int = 0,
) -> TableAnswer:
    """Raises Invalid with a sentence that names the columns there are."""
    if not 0 < limit <= MAX_LIMIT or skip < 0:
        raise Invalid(f"A query answers 1 to {MAX_LIMIT} rows at once.")
    query = parse_table_query(tables, filters=filters, columns=columns, group=group, aggregates=aggregates)
    records = TableRecords(document, tables, query.fields)
    kept = [each for each in records.iterate() if all(c.holds(each.list_readings(c.field)) for c in query.filters)]
    notes = [*describe_left_out(tables), *_describe_missing(tables, query)]
    window = slice(skip, skip + limit)
    if query.aggregates:
        return _compute(records, query, kept, window, notes)
    lines = [_list_line(records, query, record) for record in kept[window]]
    return TableAnswer(lines, len(kept), len(kept) > window.stop, notes)


def parse_table_query(tables: Sequence[NamedTable], **asked: object) -> FieldQuery:
    if not (asked.get("columns") or asked.get("group") or asked.get("aggregates")):
        asked = {**asked, "columns": list_names(tables)[:MAX_COLUMNS]}
    query = parse_query(**asked)
    check_columns(tables, query.fields)
    return replace(query, aggregates=[replace(each, counted="rows") for each in query.aggregates], counted="rows")


def list_names(tables: Sequence[NamedTable]) -> list[str]:
    return list(dict.fromkeys(name for table in tables for name in table.names.values()))


def check_columns(tables: Sequence[NamedTable], names: Iterable[str]) -> None:
    for name in names:
        if name != SHEET and not any(table.find_column(name) for table in tables):
            known = list_names(tables)
            near = get_close_matches(name, known[:COMPARED_NAMES], n=5, cutoff=0.6)
            listed = ", ".join(each[:SHOWN_LETTERS] for each in near or known[:SHOWN_NAMES])
            raise Invalid(f"There is no column “{name[:60]}”. {'Near it are' if near else 'There are'} {listed}.")


def describe_left_out(tables: Sequence[NamedTable]) -> Iterator[str]:
    for table in tables:
        for total in table.totals:
            wrong = "; ".join(
                f"it says {printed}, the rows above come to {summed}" for printed, summed in total.wrong.values()
            )
            says = f", although {wrong}" if wrong else ", which adds up the rows above"
            yield f"{table.table.name}, row {total.row}: “{total.name[:60]}” is left out as a total{says}."
        if not table.has_head:
            yield f"{table.table.name} has no row that names its columns: they are called A, B and so on."


def _describe_missing(tables: Sequence[NamedTable], query: FieldQuery) -> Iterator[str]:
    for name in query.fields:
        without = [table.table.name for table in tables if name != SHEET and not table.find_column(name)]
        if without:
            yield f"No column {name} in {', '.join(without[:10])}: their rows have no value of it."


def _list_line(records: TableRecords, query: FieldQuery, record: Record) -> TableLine:
    values = {name: record.values[name][0] for name in query.columns if record.values.get(name)}
    cells: dict[str, FieldCell] = {name: [] for name in query.columns}
    cells |= {name: [records.write(value)] for name, value in values.items()}
    return TableLine(cells, {name: [records.find_line(value)] for name, value in values.items() if name != SHEET})


def _compute(
    records: TableRecords, query: FieldQuery, kept: Sequence[Record], window: slice, notes: Sequence[str]
) -> TableAnswer:
    aggregation = Aggregation(query, records.find_currency)
    computed = aggregation.run(kept)
    lines, room = [], MAX_NAMED_LINES
    for row in computed[window]:
        cells = dict(row.row.cells)
        group = query.group.title if query.group and query.group.by == "value" else ""
        if group and (example := row.sources.get(group)):
            cells[group] = [records.write(example[0])]
        sources = {name: values for name, values in row.sources.items() if name != group and values}
        shown = {name: [records.find_line(value) for value in values] for name, values in sources.items()}
        room -= sum(map(len, shown.values()))
        lines.append(TableLine(cells, shown if room >= 0 else {}))
    all_notes = [*notes, *aggregation.list_notes()]
    return TableAnswer(lines, len(kept), len(computed) > window.stop, all_notes)
