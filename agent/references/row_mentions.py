"""Rows of a list that a person's message names: by their key, by a number of it, by their place, by another value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from documents.values import StoredRow
from documents.values.row_keys import find_key_column, list_telling_columns, read_cells
from printed.dates import PrintedDate, find_dates, overlaps_date
from printed.folding import compact_text, fold_letters, read_digits, split_names
from printed.references.row_words import (
    LAST,
    find_ordinal_rows,
    find_twist,
    joins_rows,
    names_page,
    names_row,
    spans_rows,
)

MIN_LETTERS = 3
"""A value other than the key names a row from this length on."""
MAX_LETTERS = 20_000
_TOKEN = re.compile(r"\w[\w/.-]*\w|\w")
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LAST_NUMBER = re.compile(r"(?P<rest>.*?)(?P<number>\d{1,12})")


@dataclass(frozen=True)
class RowMention:
    """`positions`: the rows that may be meant, none for a key that no row has. `twist`: words before it by which it is
    another row that is meant, or none: "not A5", "after A5". `level`: how surely it names a row.
    """

    start: int
    end: int
    positions: frozenset[int]
    level: int
    written: str
    twist: str = ""
    is_span: bool = False

    @property
    def is_vague(self) -> bool:
        return len(self.positions) > 1 and not self.is_span


BARE_NUMBER, OTHER_VALUE, PLACE, KEY = range(4)


@dataclass
class RowNaming:
    """A message beside the rows of one list, called as in the path of its values."""

    message: str
    array: str
    rows: Sequence[StoredRow]

    def list_mentions(self) -> list[RowMention]:
        """In the order of the message; of several in one place the longest."""
        candidates = [*self._find_cells(), *self._find_numbers(), *self._find_places()]
        chosen: list[RowMention] = []
        for mention in sorted(candidates, key=lambda each: (each.start - each.end, -each.level)):
            if not any(mention.start < other.end and other.start < mention.end for other in chosen):
                chosen.append(mention)
        return [self._add_twist(each) for each in sorted(chosen, key=lambda each: each.start)]

    def join_spans(self, mentions: Sequence[RowMention]) -> list[RowMention]:
        """With all rows from the first to the last one where the message says so."""
        joined: list[RowMention] = []
        for mention in mentions:
            if joined and self._is_span(joined[-1], mention):
                joined[-1] = _span(joined[-1], mention)
            else:
                joined.append(mention)
        return joined

    def _is_span(self, first: RowMention, last: RowMention) -> bool:
        is_one_each = len(first.positions) == len(last.positions) == 1
        return is_one_each and spans_rows(self.text[first.end : last.start])

    @cached_property
    def text(self) -> str:
        """Folded letter by letter, so that places are those of the message."""
        return fold_letters(read_digits(self.message[:MAX_LETTERS]))

    @cached_property
    def _column(self) -> str:
        return find_key_column(self.rows)

    @cached_property
    def _keys(self) -> list[str]:
        return [fold_letters(key) for key in read_cells(self.rows, self._column)] if self._column else []

    def _find_cells(self) -> Iterator[RowMention]:
        for column in list_telling_columns(self.rows):
            is_key = column == self._column
            for position, cell in enumerate(read_cells(self.rows, column)):
                if not _PLAIN_NUMBER.fullmatch(cell) and len(cell) >= (1 if is_key else MIN_LETTERS):
                    for start, end in self._find_text(fold_letters(cell)):
                        yield self._mention(start, end, [position], KEY if is_key else OTHER_VALUE)

    def _find_text(self, cell: str) -> Iterator[tuple[int, int]]:
        if cell in self.text:
            pattern = rf"(?<![\w.,/-]){re.escape(cell)}(?![\w]|[./,-]\w)"
            yield from (match.span() for match in re.finditer(pattern, self.text))

    def _find_numbers(self) -> Iterator[RowMention]:
        """Keys that are written otherwise, 105 or a-105 for A0105; keys of their form that no row has; and places."""
        split = [_split_key(key) for key in self._keys]
        shapes = {
            re.sub(r"\d", "0", key) for key in self._keys if re.search(r"\d", key) and re.search(r"[^\W\d_]", key)
        }
        for match in _TOKEN.finditer(self.text):
            token, start, end = match[0], match.start(), match.end()
            rest, number = _split_key(token)
            if number < 0:
                continue
            fitting = [at for at, each in enumerate(split) if each == (rest, number)]
            if not rest and self._is_elsewhere(start, end):
                continue
            if not rest:
                fitting = fitting or [at for at, each in enumerate(split) if each[1] == number]
                level = BARE_NUMBER if self._find_word(start) is None else KEY
                if fitting or level > BARE_NUMBER:
                    yield self._mention(start, end, fitting or self._list_place(number), level)
            elif fitting or re.sub(r"\d", "0", token) in shapes:
                yield self._mention(start, end, fitting, KEY)

    def _find_places(self) -> Iterator[RowMention]:
        for position, start, end in find_ordinal_rows(self.text):
            at = len(self.rows) - 1 if position == LAST else position - 1
            yield self._mention(start, end, [at] if at < len(self.rows) else [], PLACE)

    def _is_elsewhere(self, start: int, end: int) -> bool:
        """In a date, an amount of money or the number of a page."""
        near = self.text[max(start - 1, 0) : start] + self.text[end : end + 2].strip()[:1]
        return overlaps_date(self._dates, start, end) or bool(set(near) & set("%€$£¥")) or names_page(self.text[:start])

    @cached_property
    def _dates(self) -> list[PrintedDate]:
        return list(find_dates(self.text))

    def _list_place(self, number: int) -> list[int]:
        return [number - 1] if 0 < number <= len(self.rows) else []

    def _find_word(self, start: int) -> int | None:
        """Where the word for a row begins that stands before a number at this place, or before a list that it ends.

        Without one the number may be anything.
        """
        before = self.text[:start]
        if match := names_row(before, self._nouns):
            return start - len(match[0])
        earlier = re.search(r"(?<!\w)\d{1,12}(?P<gap>\D{1,8})$", before)
        if earlier and (joins_rows(earlier["gap"]) or spans_rows(earlier["gap"])):
            return self._find_word(earlier.start())
        return None

    @cached_property
    def _nouns(self) -> list[str]:
        """Words for a row of this very list: asset of "assets", no of its column "no"."""
        words = [*split_names(self.array.rpartition(".")[2]), *split_names(self._column)]
        return [form for word in words for form in (word, word.removesuffix("s"))]

    def _mention(self, start: int, end: int, positions: Iterable[int], level: int) -> RowMention:
        return RowMention(start, end, frozenset(positions), level, self.message[start:end])

    def _add_twist(self, mention: RowMention) -> RowMention:
        before = self.text[: mention.start]
        word = names_row(before, self._nouns)
        begin = mention.start - len(word[0]) if word else mention.start
        if twist := find_twist(self.text[:begin]):
            return replace(mention, twist=" ".join(self.message[begin - len(twist) : mention.end].split()))
        return mention


def _split_key(key: str) -> tuple[str, int]:
    """Take the number at its end apart from what stands before it, as letters and digits alone; -1 for none."""
    match = _LAST_NUMBER.fullmatch(key)
    return (compact_text(match["rest"]), int(match["number"])) if match else (key, -1)


def _span(first: RowMention, last: RowMention) -> RowMention:
    ends = first.positions | last.positions
    positions = frozenset(range(min(ends), max(ends) + 1))
    return replace(first, end=last.end, positions=positions, written=f"{first.written} to {last.written}", is_span=True)
