"""Every place of a reading that says a value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

from documents.locate.words.flows import Flow
from documents.locate.words.index import Index, Start
from documents.locate.words.pages import Page, Span, Spot
from printed.confusable import Difference
from printed.currencies import CODES, is_shared, list_marks, may_be_same
from printed.dates import parse_dates
from printed.folding import compact_text, digits_agree, split_names, trim_text
from printed.numbers import parse_money, parse_number
from printed.periods import parse_period
from printed.stopwords import NO, YES

LONGEST_START = 48
SHORT_TEXT = 8

BOX_SIGNS = "[(☐☑☒□▢✓✔✗✘"
_YES = YES | {"x", "✓", "✔", "☑", "☒"}
_NO = NO | {"☐"}


@dataclass(eq=False)
class Match:
    """Words that say the value. `note` says what a reader must know, such as a date that can be read two ways."""

    page: Page
    span: Span
    kind: str
    exact: bool = False
    percent: bool = False
    note: str = ""
    differences: tuple[Difference, ...] = ()
    """Letters by which the words are only similar to the value."""
    repeats: tuple[Match, ...] = ()
    """Other places that say the same of the same."""

    @cached_property
    def lines(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.page.words[at].line for at in self.span.words))

    @cached_property
    def spots(self) -> frozenset[Spot]:
        return frozenset((self.span.page, at) for at in self.span.words)

    @cached_property
    def sides(self) -> tuple[float, float]:
        """Left and right edge."""
        words = [self.page.words[at] for at in self.span.words]
        return min(word.x0 for word in words), max(word.x1 for word in words)

    @property
    def quote(self) -> str:
        """As the page has it: parts of one word with no space between."""
        texts: list[str] = []
        for before, at in zip((-1, *self.span.words), self.span.words, strict=False):
            is_one_word = before >= 0 and self.page.blocks[before] == self.page.blocks[at]
            texts += ["" if is_one_word or not texts else " ", self.page.words[at].text]
        return "".join(texts)

    @property
    def line_text(self) -> str:
        return self.page.read_line(self.lines[0])

    @property
    def word_count(self) -> int:
        return len({self.page.blocks[at] for at in self.span.words})

    @property
    def addresses(self) -> tuple[str, ...]:
        """Each once, in reading order; none where the file has no names for its places."""
        named = (self.page.words[at].address for at in self.span.words)
        return tuple(dict.fromkeys(address for address in named if address))

    @property
    def order(self) -> tuple[int, int, float]:
        return self.span.page, self.lines[0], self.sides[0]


class Matcher:
    """Finds matches and remembers them: equal values are looked up once."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._all: dict[tuple[type, object], list[Match]] = {}
        self._by_line: dict[tuple[type, object], dict[tuple[int, int], list[Match]]] = {}

    def find_all(self, value: object) -> list[Match]:
        """In reading order; exact ones and normalized ones."""
        key = (type(value), value)
        if key not in self._all:
            best: dict[frozenset[Spot], Match] = {}
            for match in self._search(value):
                known = best.get(match.spots)
                if known is None or (match.exact and not known.exact):
                    best[match.spots] = match
            self._all[key] = sorted(best.values(), key=lambda match: match.order)
        return self._all[key]

    def on_line(self, value: object, page: int, line: int) -> list[Match]:
        key = (type(value), value)
        if key not in self._by_line:
            grouped: defaultdict[tuple[int, int], list[Match]] = defaultdict(list)
            for match in self.find_all(value):
                for at in match.lines:
                    grouped[match.span.page, at].append(match)
            self._by_line[key] = grouped
        return self._by_line[key].get((page, line), [])

    def _search(self, value: object) -> Iterator[Match]:
        if isinstance(value, bool):
            yield from self._answers(value)
        elif (number := parse_number(value)) is not None:
            yield from self._numbers(number, value)
        elif isinstance(value, str) and value.strip():
            amounts = parse_money(value)
            # As letters and digits alone €8.20 would equal £8.20, so an amount is only compared as one.
            yield from (match for match in self._texts(value) if match.exact or not amounts)
            yield from self._dates(value)
            yield from self._yearless_dates(value)
            yield from self._spans("period", self.index.periods.get(parse_period(value), ()))
            yield from self._currencies(value)
            for amount in amounts:
                yield from self._numbers(amount.value, value, amount.currency)

    def _answers(self, value: bool) -> Iterator[Match]:
        for word in sorted(_YES if value else _NO):
            for match in self._texts(word):
                is_whole = len(match.span.words) == 1 and _normalize_word(match.quote) == word
                if is_whole and not _is_before_label(match):
                    match.kind, match.exact = "answer", False
                    yield match

    def _numbers(self, number: Decimal, value: object, currency: str = "") -> Iterator[Match]:
        plain = {str(value), str(int(value))} if isinstance(value, float) and value.is_integer() else {str(value)}
        for candidate in self.index.numbers.get(number, ()):
            if currency and candidate.currency and not may_be_same(currency, candidate.currency):
                continue
            match = Match(self.index.pages[candidate.span.page], candidate.span, "number", percent=candidate.percent)
            match.exact = trim_text(match.quote) in plain
            if not candidate.certain:
                match.note = "Its one separator was read so that the value fits; it could be read the other way too."
            yield match

    def _dates(self, value: str) -> Iterator[Match]:
        for day in sorted(parse_dates(value)):
            for candidate in self.index.dates.get(day, ()):
                if not self._order_fits(day, candidate.printed.day_first, candidate.printed.month_first):
                    continue
                match = Match(self.index.pages[candidate.span.page], candidate.span, "date")
                match.exact = trim_text(match.quote) == trim_text(value)
                if candidate.printed.is_ambiguous and self.index.day_first is None and not match.exact:
                    match.note = "Day and month could be the other way round; nothing on the pages decides it."
                yield match

    def find_against_order(self, value: object) -> list[Match]:
        """Dates that say the value if day and month stand there the other way round than elsewhere on the pages.

        Only beside one that says it in the usual order: by itself, an odd order is more likely a wrong value.
        """
        if not isinstance(value, str) or all(match.kind != "date" for match in self.find_all(value)):
            return []
        spans = [
            candidate.span
            for day in sorted(parse_dates(value))
            for candidate in self.index.dates.get(day, ())
            if not self._order_fits(day, candidate.printed.day_first, candidate.printed.month_first)
        ]
        return list(self._spans("date", spans, "Day and month are the other way round here than elsewhere."))

    def find_confused(self, value: object) -> list[Match]:
        """Amounts and dates that say the value if letters among their digits are read as digits."""
        text = value if isinstance(value, str) else ""
        number = parse_number(value)
        amounts: list[object] = [number] if number is not None else [each.value for each in parse_money(text)]
        matches = []
        for each in [*amounts, *sorted(parse_dates(text))]:
            for span, read in self.index.confused.get(each, ()):
                match = Match(self.index.pages[span.page], span, "number")
                match.differences = tuple(
                    Difference(digit, letter)
                    for digit, letter in zip(read, match.quote, strict=False)
                    if digit != letter
                )
                matches.append(match)
        return sorted(matches, key=lambda match: match.order)

    def _yearless_dates(self, value: str) -> Iterator[Match]:
        """Only where all dates of the reading are of the year of the value."""
        for day in sorted(parse_dates(value)):
            if self.index.years == {day.year}:
                spans = self.index.yearless.get((day.month, day.day), ())
                yield from self._spans("date", spans, "The year is not printed here; it is that of the other dates.")

    def _spans(self, kind: str, spans: Iterable[Span], note: str = "") -> Iterator[Match]:
        for span in spans:
            yield Match(self.index.pages[span.page], span, kind, note=note)

    def _order_fits(self, day: date, day_first: date | None, month_first: date | None) -> bool:
        if self.index.day_first is None or day_first is None or month_first is None:
            return True
        return day == (day_first if self.index.day_first else month_first)

    def _currencies(self, value: str) -> Iterator[Match]:
        code = value.strip()
        if code not in CODES:
            return
        for mark in list_marks(code):
            spans = [(span, mark) for span in self.index.currencies.get(mark, ())]
            if not compact_text(mark):
                spans += [(span, mark) for span in self._bare_marks(mark)]
            for span, printed in spans:
                match = Match(self.index.pages[span.page], span, "currency")
                if is_shared(printed):
                    match.note = f"{printed} is printed for several currencies."
                yield match
            if mark != code and compact_text(mark):
                for match in self._texts(mark):
                    if match.exact:
                        match.kind, match.exact = "currency", False
                        yield match

    def _bare_marks(self, mark: str) -> Iterator[Span]:
        for at, page in enumerate(self.index.pages):
            for place, word in enumerate(page.words):
                if word.text == mark:
                    yield Span(at, (place,))

    def _texts(self, value: str) -> Iterator[Match]:
        compact = compact_text(value)
        if not compact:
            return
        limit = len(value.split()) if len(compact) < SHORT_TEXT else None
        plain = trim_text(value)
        for start in self._starts(compact):
            flow = self.index.flows[start.flow]
            span = _make_span(flow, start.offset, len(compact))
            if span is None:
                continue
            match = Match(self.index.pages[span.page], span, "text")
            if limit and match.word_count > limit + value.count("-") + value.count("/"):
                continue
            if not digits_agree(value, match.quote) or _joins_cells(match, value):
                continue
            match.exact = trim_text(match.quote) == plain
            if plain in CODES:
                match.kind = "currency"
            yield match

    def _starts(self, compact: str) -> Iterator[Start]:
        for length in range(1, min(len(compact), LONGEST_START) + 1):
            for start in self.index.parts.get(compact[:length], ()):
                if self.index.flows[start.flow].text.startswith(compact, start.offset):
                    yield start


def _make_span(flow: Flow, offset: int, length: int) -> Span | None:
    last = flow.ends.get(offset + length)
    if last is None:
        return None
    return Span(flow.page, tuple(flow.words[flow.starts[offset] : last + 1]))


def _joins_cells(match: Match, value: str) -> bool:
    """True when the words stand in different cells of one line although the value has no space there."""
    words = match.span.words
    if match.word_count < 2 or len(value.split()) >= match.word_count:
        return False
    cells = match.page.cell_of
    return any(
        cells[one] != cells[two] and match.page.words[one].line == match.page.words[two].line
        for one, two in pairwise(words)
    )


def _is_before_label(match: Match) -> bool:
    """Whether it is one of the boxes of a row in which each stands before its words: [ ] Insured [x] Fragile."""
    first = match.page.words[match.page.rows[match.lines[0]][0]].text
    return first[0] in BOX_SIGNS and match.quote[0] in BOX_SIGNS


def _normalize_word(text: str) -> str:
    return " ".join(split_names(text)) or trim_text(text)
