"""The words of a reading, indexed once: by text, by number, by date, in rows, cells and columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from statistics import median
from typing import NamedTuple

from documents.locate.words.glued import cut_glued
from documents.locate.words.joined_numbers import iterate_joined_numbers, list_cut_up
from documents.locate.words.joined_words import join_words
from printed.amounts import find_amounts
from printed.dates import PrintedDate, find_dates, find_partial_dates
from printed.folding import compact_text, read_digits, split_names, split_parts
from printed.numbers import Number, find_decimal_mark, parse_numbers
from printed.periods import find_periods
from reader.words import COLUMN_GAP, HIDDEN, Word, list_widths, make_block_id

Spot = tuple[int, int]
"""(page index, word index): one visible word of the reading."""


class Span(NamedTuple):
    """Neighbouring words that read as one thing."""

    page: int
    words: tuple[int, ...]


class NumberSpan(NamedTuple):
    span: Span
    percent: bool
    certain: bool
    currency: str


class DateSpan(NamedTuple):
    span: Span
    printed: PrintedDate
    in_own_digits: bool
    """In digits of another script, whose dates say nothing of the order of the others."""


class Start(NamedTuple):
    """Where a part of a word begins in the text of a flow."""

    flow: int
    offset: int


@dataclass
class Flow:
    """A page's words in one reading order, as one text of letters and digits."""

    page: int
    text: str
    ends: dict[int, int]
    """Offset just after a part of a word → place of the word in `words`."""
    starts: dict[int, int]
    words: list[int]


@dataclass
class Page:
    number: int
    words: list[Word]
    """Visible words only."""
    blocks: list[str]
    rows: dict[int, list[int]] = field(default_factory=dict)
    """Visual line → its words, left to right."""
    cells: list[list[int]] = field(default_factory=list)
    cell_of: list[int] = field(default_factory=list)
    width: float = 0.0
    """The usual width of a character."""

    @cached_property
    def texts(self) -> list[str]:
        """Each word as numbers are read from it."""
        return [read_digits(word.text) for word in self.words]

    @cached_property
    def lines(self) -> list[int]:
        return sorted(self.rows)

    @cached_property
    def names(self) -> list[list[str]]:
        """For each word the folded names that it may add to a label."""
        return [split_names(word.text) for word in self.words]


def make_page(number: int, words: Sequence[Word]) -> Page:
    page = Page(number, [], [])
    place: defaultdict[int, int] = defaultdict(int)
    for word in words:
        place[word.line] += 1
        if not word.flags & HIDDEN and word.text.strip():
            for part in cut_glued(word):
                page.rows.setdefault(word.line, []).append(len(page.words))
                page.words.append(part)
                page.blocks.append(make_block_id(number, word.line, place[word.line]))
    page.width = median(list_widths(page.words) or [0.0])
    page.cell_of = [0] * len(page.words)
    for row in page.rows.values():
        row.sort(key=lambda at: page.words[at].x0)
        _cut_cells(page, row)
    return page


def _cut_cells(page: Page, row: list[int]) -> None:
    widths = median(list_widths(page.words[at] for at in row) or [page.width])
    threshold = COLUMN_GAP * max(widths, page.width * 0.7)
    edge = None
    for at in row:
        word = page.words[at]
        if edge is None or word.x0 - edge > threshold:
            page.cells.append([])
        page.cells[-1].append(at)
        page.cell_of[at] = len(page.cells) - 1
        edge = max(edge or 0.0, word.x1)


def order_by_row(page: Page) -> list[int]:
    return [at for line in page.lines for at in page.rows[line]]


def order_by_column(page: Page) -> list[int]:
    """Cells chained downwards where one stands under the other: a block of text reads on past its neighbours."""
    below: dict[int, int] = {}
    last: dict[int, list[int]] = {}
    for line in page.lines:
        here = list(dict.fromkeys(page.cell_of[at] for at in page.rows[line]))
        above = [cell for cells in last.values() for cell in cells]
        for cell in here:
            upper = next((other for other in above if other not in below and _is_continued(page, other, cell)), None)
            if upper is not None:
                below[upper] = cell
        last = {kept: last[kept] for kept in sorted(last)[-1:]} | {line: here}
    started = set(below.values())
    order: list[int] = []
    for cell in range(len(page.cells)):
        following = None if cell in started else cell
        while following is not None:
            order += page.cells[following]
            following = below.get(following)
    return order


def _is_continued(page: Page, upper: int, lower: int) -> bool:
    one, other = page.words[page.cells[upper][0]], page.words[page.cells[lower][0]]
    height = max(one.y1 - one.y0, other.y1 - other.y0)
    return abs(one.x0 - other.x0) < 2 * page.width and 0 <= other.y0 - one.y0 < 2.5 * height


class Index:
    """Everything the locator looks up. Building it is linear in the number of words."""

    def __init__(self, pages: Iterable[tuple[int, Sequence[Word]]]) -> None:
        self.pages = [make_page(number, words) for number, words in pages]
        self.flows: list[Flow] = []
        self.parts: defaultdict[str, list[Start]] = defaultdict(list)
        self.numbers: defaultdict[Decimal, list[NumberSpan]] = defaultdict(list)
        self.dates: defaultdict[date, list[DateSpan]] = defaultdict(list)
        self.currencies: defaultdict[str, list[Span]] = defaultdict(list)
        self.periods: defaultdict[str, list[Span]] = defaultdict(list)
        self.yearless: defaultdict[tuple[int, int], list[Span]] = defaultdict(list)
        """By month and day."""
        self.day_first: bool | None = None
        self.years: set[int] = set()
        mark = find_decimal_mark(text for page in self.pages for text in page.texts if text[-1:] in "0123456789)-%€£$")
        for at, page in enumerate(self.pages):
            word_parts = [[compact_text(part) for part in split_parts(word.text)] for word in page.words]
            by_row = order_by_row(page)
            self._add_flow(at, by_row, word_parts)
            by_column = order_by_column(page)
            if by_column != by_row:
                self._add_flow(at, by_column, word_parts)
            self._add_numbers(at, page, mark)
            self._add_dates(at, page)
        self._decide_day_order()

    def _add_flow(self, at: int, order: list[int], word_parts: list[list[str]]) -> None:
        number, offset = len(self.flows), 0
        texts: list[str] = []
        starts: dict[int, int] = {}
        ends: dict[int, int] = {}
        for place, word in enumerate(order):
            for part in word_parts[word]:
                if part:
                    starts[offset] = place
                    self.parts[part].append(Start(number, offset))
                    offset += len(part)
                    ends[offset] = place
                    texts.append(part)
        self.flows.append(Flow(at, "".join(texts), ends, starts, order))

    def _add_numbers(self, at: int, page: Page, mark: str) -> None:
        for row in page.rows.values():
            longer = self._add_amounts(at, page, row, mark) | list_cut_up(page.texts, page.words, row, page.width)
            for place, word in enumerate(row):
                text = page.texts[word]
                if not any(char.isdigit() for char in text) and text != "(":
                    continue
                if word not in longer:
                    followed = place + 1 < len(row) and page.texts[row[place + 1]] == "%"
                    words = (word, row[place + 1]) if followed else (word,)
                    self._add_number(at, words, text + "%" * followed, mark)
                self._add_joined(at, page, row, place, mark)

    def _add_amounts(self, at: int, page: Page, row: list[int], mark: str) -> set[int]:
        """Gives back the words that are a part of one, whose digits alone say another value."""
        line = join_words(page.words, row, page.cell_of)
        longer: set[int] = set()
        for amount in find_amounts(line.text):
            words = line.list_words(amount.start, amount.end)
            longer.update(words if amount.is_sure else ())
            for number in amount.readings:
                self._add_reading(Span(at, words), number, mark)
        return longer

    def _add_number(self, at: int, words: tuple[int, ...], text: str, mark: str) -> None:
        texts = [text] if (whole := parse_numbers(text)) else split_parts(text)
        for part in texts:
            for number in whole or parse_numbers(part):
                self._add_reading(Span(at, words), number, mark)

    def _add_reading(self, span: Span, number: Number, mark: str) -> None:
        if number.implies and mark and number.implies != mark:
            return
        number_span = NumberSpan(span, number.percent, not number.implies or bool(mark), number.currency)
        self.numbers[number.value].append(number_span)
        if number.percent:
            self.numbers[number.value / 100].append(number_span)
        if number.currency:
            self.currencies[number.currency].append(span)

    def _add_joined(self, at: int, page: Page, row: list[int], place: int, mark: str) -> None:
        """A number printed with spaces between its thousands, or cut up by the reader."""
        for words, text in iterate_joined_numbers(page.texts, page.words, row[place : place + 5], page.width):
            self._add_number(at, words, text, mark)

    def _add_dates(self, at: int, page: Page) -> None:
        for row in page.rows.values():
            line = join_words(page.words, row)
            dates = list(find_dates(line.text))
            for printed in dates:
                words = line.list_words(printed.start, printed.end)
                written = "".join(filter(str.isdecimal, line.text[printed.start : printed.end]))
                for day in printed.days:
                    self.dates[day].append(DateSpan(Span(at, words), printed, not written.isascii()))

            dated = {word for printed in dates for word in line.list_words(printed.start, printed.end)}
            for period in find_periods(line.text):
                self.periods[period.name].append(Span(at, line.list_words(period.start, period.end)))
            for partial in find_partial_dates(line.text):
                words = line.list_words(partial.start, partial.end)
                if partial.day and not partial.year and dated.isdisjoint(words):
                    self.yearless[partial.month, partial.day].append(Span(at, words))

    def _decide_day_order(self) -> None:
        """Dates such as 27/12/2026 decide for the whole reading which of 04/05/2026 is the day."""
        orders = {
            date_span.printed.day_first is not None
            for spans in self.dates.values()
            for date_span in spans
            if not date_span.in_own_digits
            and (date_span.printed.day_first is None) != (date_span.printed.month_first is None)
        }
        self.years = {day.year for day in self.dates} | {int(name[:4]) for name in self.periods}
        self.day_first = orders.pop() if len(orders) == 1 else None
