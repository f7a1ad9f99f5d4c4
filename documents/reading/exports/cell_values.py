"""Numbers and days of exported cells, with a format that shows them nearly as they are printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from documents.reading.tables.spans import PlacedCell
from printed.dates import PrintedDate, find_dates
from printed.numbers import Number, find_decimal_mark, parse_numbers

# A sheet keeps no more digits of a number, and no days before that.
MAX_DIGITS, FIRST_DAY = 15, date(1900, 3, 1)
_MAX_LETTERS = 40
# Numbers of accounts and articles keep their zeros; a number in brackets alone is mostly that of a note.
_IDENTIFIER = re.compile(r"\+|0\d|\(\d+\)$")


class CellValue(NamedTuple):
    value: int | float | date
    number_format: str


@dataclass(frozen=True)
class _Order:
    """The number of a date that comes first in this column; both are possible where nothing tells."""

    day_first: bool
    month_first: bool


class ColumnValues:
    """The body of a table, whose columns tell how their numbers and days are meant."""

    def __init__(self, rows: Iterable[Sequence[PlacedCell]], width: int) -> None:
        texts: list[list[str]] = [[] for _ in range(width)]
        for row in rows:
            for placed in row:
                texts[placed.column].append(placed.text.strip()[:_MAX_LETTERS])
        whole = find_decimal_mark(text for column in texts for text in column)
        self.marks = [find_decimal_mark(column) or whole for column in texts]
        self.orders = [_find_order(column) for column in texts]

    def read(self, cell: PlacedCell) -> CellValue | None:
        """None for a cell that is text, or that can mean several numbers or days."""
        text = cell.text.strip()
        if not text or len(text) > _MAX_LETTERS or not any(map(str.isdigit, text)):
            return None
        if day := _read_day(text, self.orders[cell.column]):
            return CellValue(day, "yyyy-mm-dd")
        return read_number(text, self.marks[cell.column])


def _find_order(texts: Sequence[str]) -> _Order:
    days = [printed for text in texts if (printed := _find_whole_date(text)) and not printed.is_ambiguous]
    orders = {(printed.day_first is not None, printed.month_first is not None) for printed in days}
    return _Order(orders != {(False, True)}, orders != {(True, False)})


def _find_whole_date(text: str) -> PrintedDate | None:
    return next((printed for printed in find_dates(text) if (printed.start, printed.end) == (0, len(text))), None)


def _read_day(text: str, order: _Order) -> date | None:
    printed = _find_whole_date(text)
    if printed is None:
        return None
    if printed.is_ambiguous:
        meant = {printed.day_first if order.day_first else None, printed.month_first if order.month_first else None}
        days = [day for day in meant if day is not None]
    else:
        days = list(printed.days)
    return days[0] if len(days) == 1 and days[0] >= FIRST_DAY else None


def read_number(text: str, mark: str = "") -> CellValue | None:
    """None for what is no number, or can mean several. `mark`: the decimal mark of its column, where it is known."""
    if _IDENTIFIER.match(text) or sum(map(str.isdigit, text)) > MAX_DIGITS:
        return None
    readings = [number for number in parse_numbers(text) if number.implies in ("", mark)]
    values = {number.value for number in readings}
    if not readings or len({abs(value) for value in values}) > 1:
        return None
    return _make_value(min(readings, key=lambda number: number.value), text)


def _make_value(number: Number, text: str) -> CellValue:
    value = number.value / 100 if number.percent else number.value
    code = _make_code(number.value, text)
    if number.percent:
        return CellValue(float(value), f"{code}%")
    if number.currency:
        currency = number.currency.replace('"', "")
        code = f'"{currency}" {code}' if text.startswith(number.currency) else f'{code} "{currency}"'
    return CellValue(float(value) if value.as_tuple().exponent else int(value), code)


def _make_code(value: Decimal, text: str) -> str:
    decimals = max(0, -int(value.as_tuple().exponent))
    groups = "#,##0" if abs(value) >= 1000 and re.search(r"\d[.,'’\s]\d{3}", text) else "0"
    return f"{groups}.{'0' * decimals}" if decimals else groups
