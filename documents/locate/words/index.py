"""The words of a reading, indexed once: by text, by number, by date."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from documents.locate.words.flows import Flow, build_flow, order_by_column, order_by_row
from documents.locate.words.joined_numbers import iterate_joined_numbers, list_cut_up
from documents.locate.words.joined_words import join_words
from documents.locate.words.pages import Line, Page, Span, make_page
from printed.amounts import find_amounts
from printed.confusable import read_letters_as_digits
from printed.dates import PrintedDate, find_dates, find_partial_dates
from printed.folding import split_parts
from printed.numbers import Number, find_decimal_mark, parse_numbers
from printed.periods import find_periods
from reader.words import Word


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
            by_row = order_by_row(page)
            self._add_flow(at, page, by_row)
            by_column = order_by_column(page)
            if by_column != by_row:
                self._add_flow(at, page, by_column)
            self._add_numbers(at, page, mark)
            self._add_dates(at, page)
        self._decide_day_order()

    @cached_property
    def _lines_by_text(self) -> dict[str, list[Line]]:
        lines: defaultdict[str, list[Line]] = defaultdict(list)
        for at, page in enumerate(self.pages):
            for line in page.lines:
                lines[page.read_line(line)].append((at, line))
        return lines

    def list_same_lines(self, line: Line) -> list[Line]:
        """The other lines with the same words."""
        return [each for each in self._lines_by_text[self.pages[line[0]].read_line(line[1])] if each != line]

    @cached_property
    def confused(self) -> dict[object, list[tuple[Span, str]]]:
        """By a number or day the words that say it if letters among their digits are digits, and how they read then."""
        confused: defaultdict[object, list[tuple[Span, str]]] = defaultdict(list)
        for at, page in enumerate(self.pages):
            for word, text in enumerate(page.texts):
                read = read_letters_as_digits(text)
                if read != text:
                    for number in parse_numbers(read):
                        confused[number.value].append((Span(at, (word,)), read))
                    for day in (day for printed in find_dates(read) for day in printed.days):
                        confused[day].append((Span(at, (word,)), read))
        return confused

    def _add_flow(self, at: int, page: Page, order: list[int]) -> None:
        flow = build_flow(at, page, order)
        for offset, end in zip(flow.starts, flow.ends, strict=True):
            self.parts[flow.text[offset:end]].append(Start(len(self.flows), offset))
        self.flows.append(flow)

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
