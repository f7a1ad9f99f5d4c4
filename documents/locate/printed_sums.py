"""What the pages print beside a table: its totals, and amounts in its columns that stand in none of its rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby, zip_longest
from statistics import median
from typing import NotRequired, TypeAlias

from typing_extensions import TypedDict

from documents.values.addresses import RowStep, Where, iterate_leaves, split_steps
from documents.values.provenance import Location
from documents.values.stored import Stored
from printed.currencies import read_currency
from printed.languages import write_pattern
from printed.numbers import find_decimal_mark, parse_number, parse_numbers
from reader.words import HIDDEN, Word

Band: TypeAlias = tuple[float, float]
"""Left and right edge, in fractions of the page's width."""

MAX_LINES = 200
MAX_WORDS = 80
MIN_CELLS = 2
ALIGNED = 0.03
"""Of the page's width: how far the edges of one column's cells lie apart."""

_CARRIED = re.compile(write_pattern(lambda language: language.carried), re.IGNORECASE)
_SUM_ROW = re.compile(rf"\s*\W*{write_pattern(lambda language: language.sum_rows)}", re.IGNORECASE)
_TOTAL = re.compile(write_pattern(lambda language: language.totals), re.IGNORECASE)
_ADJUSTING = re.compile(write_pattern(lambda language: language.adjustments), re.IGNORECASE)


class PrintedAmount(TypedDict):
    """`amount` is a number as text; `words` begin its line, and `currency` is the one that the line names, if any."""

    page: int
    amount: str
    words: str
    currency: NotRequired[str]


class PrintedSums(TypedDict, total=False):
    """`totals`: amounts on lines that say so. `adjustments`: taxes, discounts, payments. `unused`: by the path of a
    column amounts under it on lines that no row stands on, nor a total, nor a sum that is carried on."""

    totals: list[PrintedAmount]
    adjustments: list[PrintedAmount]
    unused: dict[str, list[PrintedAmount]]


@dataclass
class _Column:
    path: str
    cells: list[Location] = field(default_factory=list)

    @property
    def right(self) -> float:
        return median(max(box[2] for box in cell.boxes) for cell in self.cells)

    @property
    def has_decimals(self) -> bool:
        return sum(1 for cell in self.cells if {".", ","} & set(cell.words)) * 2 > len(self.cells)

    def find_band(self) -> Band | None:
        """Left and right edge of the cells that stand under one another."""
        edges = [(min(box[0] for box in cell.boxes), max(box[2] for box in cell.boxes)) for cell in self.cells]
        left, right = (median(side) for side in zip(*edges, strict=True))
        aligned = [edge for edge in edges if abs(edge[0] - left) < ALIGNED or abs(edge[1] - right) < ALIGNED]
        return (min(edge[0] for edge in aligned), max(edge[1] for edge in aligned)) if aligned else None


def is_sum_row(text: str) -> bool:
    """Whether a row is none: it says what rows before it add up to."""
    return bool(_CARRIED.search(text) or _SUM_ROW.match(text))


def collect_printed_sums(
    stored: Stored, provenance: Mapping[Where, Location], pages: Iterable[tuple[int, Sequence[Word]]]
) -> PrintedSums:
    """Of the tables among the values. Empty where the pages print no total."""
    columns = _list_columns(stored, provenance)
    bands = {column.path: band for column in columns if (band := column.find_band())}
    # The pages are opened for tables alone.
    lines = [_SumLine(number, row) for number, words in pages for row in _split_lines(words)] if columns else []
    used = _list_used(provenance)
    beside = [line for line in lines if (line.page, line.number) not in used]
    for line in beside:
        line.mark(list(bands.values()))
    totals = [amount for line in beside if line.kind is _SumKind.TOTAL for amount in line.read_all()]
    if not totals:
        return {}
    adjustments = [amount for line in beside if line.kind is _SumKind.ADJUSTMENT for amount in line.read_all()]
    unused = {
        column.path: list(_iterate_unused(lines, bands[column.path], used))[:MAX_LINES]
        for column in _list_amount_columns(columns)
        if column.path in bands
    }
    return {
        "totals": totals[:MAX_LINES],
        "adjustments": adjustments[:MAX_LINES],
        "unused": {path: amounts for path, amounts in unused.items() if amounts},
    }


class _SumKind(Enum):
    CARRIED, TOTAL, ADJUSTMENT, OTHER = range(4)


class _SumLine:
    def __init__(self, page: int, words: Sequence[Word]) -> None:
        self.page, self.words, self.number = page, words, words[0].line
        self.text = " ".join(word.text for word in words)
        self.kind = _SumKind.OTHER

    def mark(self, bands: Sequence[Band]) -> None:
        """By its words. With numbers in several columns it is more likely a row that has such a word in it."""
        is_like_row = sum(1 for band in bands if any(self.read_within(band, ""))) > 1
        if _SUM_ROW.match(self.text):
            self.kind = _SumKind.TOTAL
        elif not is_like_row:
            patterns = {_CARRIED: _SumKind.CARRIED, _ADJUSTING: _SumKind.ADJUSTMENT, _TOTAL: _SumKind.TOTAL}
            self.kind = next((kind for pattern, kind in patterns.items() if pattern.search(self.text)), _SumKind.OTHER)

    def read_all(self) -> Iterator[PrintedAmount]:
        texts = [word.text for word in self.words]
        for text, following in zip_longest(texts, texts[1:], fillvalue=""):
            if not following.startswith("%"):
                yield from self._read(text, "")

    def read_within(self, band: Band, mark: str) -> Iterator[PrintedAmount]:
        text = " ".join(word.text for word in self.words if band[0] <= (word.x0 + word.x1) / 2 <= band[1])
        return self._read(text, mark)

    def _read(self, text: str, mark: str) -> Iterator[PrintedAmount]:
        """One that can be read in two ways is left out."""
        if not any(char.isdigit() for char in text):
            return
        readings = {
            number.value for number in parse_numbers(text) if not number.percent and number.implies in ("", mark)
        }
        if len(readings) == 1:
            printed: PrintedAmount = {
                "page": self.page,
                "amount": str(readings.pop()),
                "words": self.text[:MAX_WORDS],
            }
            currency = read_currency(text) or read_currency(self.text)
            yield {**printed, "currency": currency} if currency else printed


def _split_lines(words: Sequence[Word]) -> Iterator[list[Word]]:
    shown = sorted((word for word in words if not word.flags & HIDDEN), key=lambda word: (word.line, word.x0))
    return (list(row) for _, row in groupby(shown, key=lambda word: word.line))


def _list_columns(stored: Stored, provenance: Mapping[Where, Location]) -> list[_Column]:
    """Columns of numbers, of lists that stand in no other, with cells that are on the pages."""
    columns: dict[str, _Column] = {}
    for where, value in iterate_leaves(stored):
        location = provenance.get(where)
        if location and location.boxes and parse_number(value) is not None and (path := _find_column(where)):
            columns.setdefault(path, _Column(path)).cells.append(location)
    return [column for column in columns.values() if len(column.cells) >= MIN_CELLS]


def _list_amount_columns(columns: Sequence[_Column]) -> list[_Column]:
    """Numbers without decimals are amounts in the outermost column alone, so that quantities are none."""
    outermost = max((column.right for column in columns), default=0.0)
    return [column for column in columns if column.has_decimals or column.right == outermost]


def _find_column(where: Where) -> str:
    """Its path; empty for what is in no list, or in a list inside another."""
    steps = split_steps(where)
    rows = [at for at, step in enumerate(steps) if isinstance(step, RowStep)]
    if len(rows) != 1 or rows[0] == len(steps) - 1:
        return ""
    return ".".join(str(step) for step in steps if not isinstance(step, RowStep))


def _list_used(provenance: Mapping[Where, Location]) -> set[tuple[int, int]]:
    """Page and line of all that rows say."""
    blocks = [block.split(".") for where, location in provenance.items() if "[" in where for block in location.blocks]
    return {(int(page), int(line)) for page, line, _ in blocks}


def _iterate_unused(lines: Sequence[_SumLine], band: Band, used: set[tuple[int, int]]) -> Iterator[PrintedAmount]:
    """Up to the first total after the last row."""
    mark = find_decimal_mark(
        word.text
        for line in lines
        if (line.page, line.number) in used
        for word in line.words
        if band[0] <= (word.x0 + word.x1) / 2 <= band[1]
    )
    last = max(used)
    for line in lines:
        place = (line.page, line.number)
        if line.kind is _SumKind.TOTAL and place > last and any(line.read_within(band, mark)):
            return
        if line.kind is _SumKind.OTHER and place not in used:
            yield from line.read_within(band, mark)
