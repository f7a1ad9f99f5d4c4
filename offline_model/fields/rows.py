"""The rows of a table as a schema asks for them: its properties are found in the heads, whatever their language."""

import re

from offline_model.fields.amounts import find_subtotal, find_total, names_amount
from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.search import find_clause
from offline_model.fields.tables import END, Table, find_tables, get_columns, lookup_cell
from offline_model.fields.values import parse_date, parse_number, parse_percent, parse_truth
from offline_model.fields.vocabulary import Field, is_position, join_spoken, lookup_column
from offline_model.schemas import (
    Json,
    Schema,
    get_empty_value,
    get_type,
    list_properties,
    list_required,
    may_be_null,
)
from offline_model.text import split_words, to_readable
from printed.folding import fold_letters

LEADING_NUMBER = re.compile(r"^[^\d(-]{0,3}([-(]?\d[\d.,' ]*)(?:\s*[^\d\s].{0,11})?$")
CENT = 0.015
POSITION = re.compile(r"^\d{1,3}[.)]?\s+(?=\D)")
FACTORS = ("quantity", "unit_price", "amount")
TELLING = frozenset(FACTORS)
MONEY = TELLING | {"tax"}


def extract_rows(layout: Layout, item: Schema) -> list[object] | None:
    if get_type(item) != "object":
        return None
    properties = list_properties(item)
    table = choose_table(layout, properties)
    if table:
        columns = map_columns(table, properties)
        return [_extract_row(_cut_position(table, get_columns(row)), columns, item, layout) for row in table.rows]
    names = {name: known.name for name, part in properties.items() if (known := find_column(name, part))}
    rows = _find_rows_without_heads(layout) if {"description", "amount"} <= set(names.values()) else []
    places = {"description": 0, "amount": 1}
    columns = {name: places[known] for name, known in names.items() if known in places}
    return [_extract_row(row, columns, item, layout) for row in rows] or None


def _cut_position(table: Table, row: tuple[str, ...]) -> tuple[str, ...]:
    """The cells without the number of the row where that shares the column of the description."""
    words = [split_words(head) for head in get_columns(table.header)]
    shared = [len(head) == 2 and is_position(head[0]) for head in words]
    return tuple(POSITION.sub("", cell) if at else cell for at, cell in zip(shared, row, strict=True))


def choose_table(layout: Layout, properties: dict[str, Schema]) -> Table | None:
    """The one with the most of the properties, and of several such the longest."""
    counted = [(len(map_columns(table, properties)), table) for table in find_tables(layout)]
    fitting = [(count, table) for count, table in counted if _fits(count, table, properties)]
    return max(fitting, key=lambda pair: (pair[0], len(pair[1].rows)))[1] if fitting else None


def _fits(count: int, table: Table, properties: dict[str, Schema]) -> bool:
    known = {column.name for name, part in properties.items() if (column := find_column(name, part))}
    shown = {head[0].name for cell in get_columns(table.header) if (head := lookup_cell(cell))} & known
    return count > 0 and (count * 2 >= len(properties) or ("description" in shown and bool(shown & TELLING)))


def find_column(name: str, part: Schema) -> Field | None:
    clause = find_clause(str(part.get("description") or ""))
    spoken = (to_readable(name), str(part.get("title") or ""), clause)
    return next((known for phrase in spoken if phrase and (known := lookup_column(phrase))), None)


def map_columns(table: Table, properties: dict[str, Schema]) -> dict[str, int]:
    """By property the place of its column: the head that says the same words, else the surest that means the same."""
    places = {name: _find_place(table, name, part) for name, part in properties.items()}
    headed = {name: place for name, place in places.items() if place is not None}
    return _multiply_columns(table, headed, {name: find_column(name, part) for name, part in properties.items()})


def _multiply_columns(table: Table, places: dict[str, int], known: dict[str, Field | None]) -> dict[str, int]:
    """With the column that makes quantity times price the amount in every row, where heads name another or none."""
    factors = {field.name: name for name, field in known.items() if field and field.name in TELLING}
    if factors.keys() != TELLING or _is_product(table, *(places.get(factors[each]) for each in FACTORS)):
        return places
    free = set(range(len(table.columns))) - set(places.values())
    for each in FACTORS:
        for place in sorted(free):
            tried = {**places, factors[each]: place}
            if _is_product(table, *(tried.get(factors[factor]) for factor in FACTORS)):
                return tried
    return places


def _is_product(table: Table, quantity: int | None, price: int | None, amount: int | None) -> bool:
    if quantity is None or price is None or amount is None:
        return False
    comma = sum("," in cell[-3:] for cell in table.column(amount)) > 0
    rows = [[read_number(row[at], comma) for at in (quantity, price, amount)] for row in map(get_columns, table.rows)]
    whole = [(count, one, sum_) for count, one, sum_ in rows if None not in (count, one, sum_)]
    return bool(whole) and all(abs(float(a) * float(b) - float(c)) < CENT for a, b, c in whole if a and b and c)


def _find_place(table: Table, name: str, part: Schema) -> int | None:
    heads = get_columns(table.header)
    spoken = {join_spoken(to_readable(name)), join_spoken(str(part.get("title") or ""))} - {""}
    same = [at for at, head in enumerate(heads) if join_spoken(head) in spoken]
    if same:
        return same[0]
    known = find_column(name, part)
    if not known:
        return next((at for at, column in enumerate(table.columns) if column == name), None)
    named = [(head[1], at) for at, cell in enumerate(heads) if (head := lookup_cell(cell)) and head[0] == known]
    if not named and known.name == "unit_price":
        # “Unit” over amounts is the price of one.
        named = [
            (0, at) for at, column in enumerate(table.columns) if column == "unit" and _holds_numbers(table.column(at))
        ]
    return min(named)[1] if named else None


def _holds_numbers(cells: list[str]) -> bool:
    return all(parse_number(cell) is not None for cell in cells if cell)


def _extract_row(row: tuple[str, ...], columns: dict[str, int], item: Schema, layout: Layout) -> Json:
    values: Json = {}
    for name, part in list_properties(item).items():
        is_rate = "%" in row[columns[name]] if name in columns else False
        is_money = is_rate and (known := find_column(name, part)) is not None and known.name in MONEY
        value = read_cell(row[columns[name]], part, layout) if name in columns and not is_money else None
        if value is None and not may_be_null(part) and name in list_required(item):
            value = get_empty_value(part)
        if value is not None or may_be_null(part):
            values[name] = value
    return values


def read_cell(cell: str, part: Schema, layout: Layout) -> object:
    """The cell in the type of the property; None where it is empty or says something else."""
    kind = get_type(part)
    if kind in {"number", "integer"}:
        number = read_number(cell, layout.decimal_comma)
        return (
            int(number)
            if kind == "integer" and number is not None and number == int(number)
            else number
            if kind == "number"
            else None
        )
    if kind == "boolean":
        return parse_truth(cell)
    if part.get("format") == "date":
        return parse_date(cell, month_first=layout.month_first)
    return cell.strip() or None if kind == "string" and split_words(cell) else None


def read_number(cell: str, comma: bool) -> int | float | None:
    """The number in a cell, also with its unit or sign behind it: `140 m²`, `à 6,80 €`, `21 %`."""
    number = parse_number(cell, comma)
    if number is None and "%" in cell:
        number = parse_percent(cell, comma)
    match = LEADING_NUMBER.match(cell.strip()) if number is None else None
    return parse_number(match.group(1).strip(), comma) if match else number


def _find_rows_without_heads(layout: Layout) -> list[tuple[str, str]]:
    """Lines of a text and an amount where the amounts add up to the sum that stands below them."""
    sums = [
        float(hit.value)
        for hit in (find_subtotal(layout), find_total(layout))
        if hit and isinstance(hit.value, int | float)
    ]
    rows: list[tuple[str, str]] = []
    added = 0.0
    for line in layout.lines:
        pair = _split_row(line, layout.decimal_comma)
        if pair and (END.search(fold_letters(pair[0])) or names_amount(pair[0])):
            rows, added = [], 0.0
        elif pair:
            rows.append(pair)
            added += float(parse_number(pair[1], layout.decimal_comma) or 0)
            if len(rows) > 1 and any(abs(added - each) < CENT for each in sums):
                return rows
        elif rows and len(line.cells) > 1:
            rows, added = [], 0.0
    return []


def _split_row(line: LayoutLine, comma: bool) -> tuple[str, str] | None:
    if len(line.cells) != 2 or not isinstance(parse_number(line.cells[1], comma), float):
        return None
    return (line.cells[0], line.cells[1]) if any(c.isalpha() for c in line.cells[0]) else None
