"""The lines of a reading's pages, without those that stand at the head or foot of page after page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median

from rapidfuzz.distance import Levenshtein

from documents.comparing.words import ComparedWord, make_word
from documents.models import Reading
from documents.reading import pages
from kit.errors import TooLarge
from kit.processes.computing import limit_computing
from printed.languages import list_words
from reader.words import Word, group_lines, list_widths, parse_cell_place, split_row

MAX_PAGES = 500
MAX_WORDS = 200_000
SLOW = "These texts take too long to be compared. Compare shorter ones, or search for what may have changed."
EDGE_LINES = 3
MIN_REPEATS = 3
# Share of the pages from the first to the last that have it: heads may stand on every other page.
MIN_SHARE = 0.45
MIN_LIKENESS = 0.8
MIN_CELLS = 3
_NUMBER = re.compile(r"\d{1,5}")
_OF_NUMBERS = frozenset(list_words(lambda language: f"{language.pages} {language.page_joiners}"))


@dataclass(frozen=True)
class PageLine:
    """`is_row`: of a table. The edges are fractions of the page."""

    words: tuple[ComparedWord, ...]
    page: int
    left: float
    right: float
    top: float
    bottom: float
    is_row: bool = False

    @property
    def text(self) -> str:
        return " ".join(word.exact for word in self.words)


def read_lines(reading: Reading) -> list[PageLine]:
    """Raises TooLarge for more than is compared at once."""
    if (reading.page_count or 0) > MAX_PAGES:
        raise TooLarge(f"Texts of up to {MAX_PAGES} pages are compared; this one has {reading.page_count}.")
    lines, count = [], 0
    stored = reading.pages.order_by("number").only("reading", "number", "words").iterator(chunk_size=20)
    for page in limit_computing(stored, sentence=SLOW):
        words = [word for word in pages.unpack_words(page) if not word.hidden]
        count += len(words)
        if count > MAX_WORDS:
            raise TooLarge(f"Texts of up to {MAX_WORDS:,} words are compared; this one is longer.")
        lines.append(list(_list_page_lines(page.number, words)))
    return drop_running_lines(lines)


def _list_page_lines(page: int, words: Sequence[Word]) -> Iterator[PageLine]:
    usual, numbers = median(list_widths(words) or [0.0]), _number_words(words)
    for table_row, some in groupby(words, key=_find_row):
        listed = list(some)
        if table_row:
            yield from _make_line(page, sorted(listed, key=_find_column), numbers, is_row=True)
            continue
        for _, row in group_lines(listed):
            is_row = len(row) >= MIN_CELLS and len(split_row(row, usual)) >= MIN_CELLS
            yield from _make_line(page, row, numbers, is_row=is_row)


def _number_words(words: Sequence[Word]) -> dict[int, int]:
    """By the identity of a word its number in its line, as blocks count them."""
    return {id(word): number for _, line in group_lines(words) for number, word in enumerate(line, 1)}


def _find_row(word: Word) -> tuple[int, int] | None:
    place = parse_cell_place(word.cell) if word.cell else None
    return (place.table, place.row) if place else None


def _find_column(word: Word) -> int:
    return parse_cell_place(word.cell).column


def _make_line(page: int, row: Sequence[Word], numbers: Mapping[int, int], *, is_row: bool) -> Iterator[PageLine]:
    words = tuple(word for each in row if (word := make_word(each, page, numbers[id(each)])))
    if words:
        box = min(w.x0 for w in row), max(w.x1 for w in row), min(w.y0 for w in row), max(w.y1 for w in row)
        yield PageLine(words, page, *box, is_row)


def drop_running_lines(by_page: Sequence[Sequence[PageLine]]) -> list[PageLine]:
    """Keeps the first of the lines that are repeated at the edge of pages, without the page's number, so that a change
    of it is seen once."""
    kept: dict[int, PageLine | None] = {}
    slots = _list_slots(by_page)
    for slot in slots.values():
        for family in _find_families(slot):
            kept |= dict.fromkeys(map(id, [*family, *_find_misread(slot, family)]))
            kept[id(family[0])] = _strip_page_numbers(family, len(by_page))
    lines = (kept.get(id(line), line) for lines in by_page for line in lines)
    return [line for line in lines if line]


def _list_slots(by_page: Sequence[Sequence[PageLine]]) -> dict[int, list[PageLine]]:
    """By how far from the top, or below zero from the bottom, they stand on their pages."""
    slots: defaultdict[int, list[PageLine]] = defaultdict(list)
    for lines in by_page:
        edge = min(EDGE_LINES, len(lines))
        for at in range(-edge, edge):
            slots[at].append(lines[at])
    return slots


def _find_families(slot: Sequence[PageLine]) -> Iterator[list[PageLine]]:
    families: defaultdict[str, list[PageLine]] = defaultdict(list)
    for line in slot:
        families[_mask(line)].append(line)
    for family in families.values():
        pages = family[-1].page - family[0].page + 1
        if len(family) >= max(MIN_REPEATS, MIN_SHARE * pages) and _counts_pages(family):
            yield family


def _mask(line: PageLine) -> str:
    return _NUMBER.sub("#", line.text.casefold())


def _find_misread(slot: Sequence[PageLine], family: Sequence[PageLine]) -> list[PageLine]:
    """Finds lines that a scan has had read as almost the same."""
    masked, own = _mask(family[0]), {line.page for line in family}
    others = (line for line in slot if line.page not in own and line.words[0].is_recognized)
    return [line for line in others if Levenshtein.normalized_similarity(_mask(line), masked) >= MIN_LIKENESS]


def _counts_pages(family: Sequence[PageLine]) -> bool:
    """Its numbers are the same on each page, or go up with the pages: what varies otherwise is text."""
    return all(
        len(set(column)) == 1 or len({number - line.page for number, line in zip(column, family, strict=True)}) == 1
        for column in _list_columns(family)
    )


def _list_columns(family: Sequence[PageLine]) -> list[tuple[int, ...]]:
    """Gives for each number in the lines its values on the pages."""
    return list(zip(*([int(number) for number in _NUMBER.findall(line.text)] for line in family), strict=True))


def _strip_page_numbers(family: Sequence[PageLine], page_count: int) -> PageLine | None:
    columns = _list_columns(family)
    if all(len(set(column)) == 1 for column in columns):
        return family[0]
    of_pages = {str(column[0]) for column in columns if len(set(column)) > 1} | {str(page_count)}
    words = tuple(word for word in family[0].words if not of_pages & set(_NUMBER.findall(word.exact)))
    return replace(family[0], words=words) if {word.key for word in words} - _OF_NUMBERS else None
