"""Heads of a table's columns, in the languages of `printed`: “Prijs per stuk” names a unit price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from documents.locate.words.pages import Page
from printed.column_heads import LONGEST_HEAD, find_columns
from printed.folding import split_names

ROW_GAP = 2.5
"""Heights of a line between the two lines of one head."""


@dataclass(frozen=True)
class Head:
    """`columns`: the names that so many of its words are known for."""

    words: tuple[str, ...]
    left: float
    right: float
    columns: frozenset[str] = frozenset()
    known_words: int = 0

    @property
    def share(self) -> float:
        return self.known_words / len(self.words) if self.words else 0.0


def find_heads(page: Page, line: int) -> list[Head]:
    """The heads on a line, each with what stands right above or below it."""
    single = list(_iterate_heads(page, page.rows[line]))
    options = [single]
    at = page.lines.index(line)
    for other in (page.lines[at - 1] if at else None, page.lines[at + 1] if at + 1 < len(page.lines) else None):
        if other is not None and _is_beside(page, line, other):
            first, second = sorted((line, other))
            options.append(list(_stack(page, page.rows[first], page.rows[second])))
    return max(options, key=lambda heads: sum(head.share for head in heads))


def _is_beside(page: Page, one: int, other: int) -> bool:
    tops = [page.words[page.rows[line][0]].y0 for line in (one, other)]
    word = page.words[page.rows[one][0]]
    has_digits = any(char.isdigit() for at in page.rows[other] for char in page.words[at].text)
    return not has_digits and abs(tops[0] - tops[1]) < ROW_GAP * (word.y1 - word.y0)


def _iterate_heads(page: Page, row: Sequence[int]) -> Iterator[Head]:
    """Cells, and where one holds several heads that are known, each of them."""
    for cell in _split_cells(page, row):
        yield from _split_heads(page, cell)


def _split_cells(page: Page, row: Sequence[int]) -> list[list[int]]:
    cells: list[list[int]] = []
    for place, at in enumerate(row):
        if not place or page.cell_of[row[place - 1]] != page.cell_of[at]:
            cells.append([])
        cells[-1].append(at)
    return cells


def _split_heads(page: Page, cell: Sequence[int]) -> Iterator[Head]:
    known = _find_known(page, cell)
    if len(known) < 2:
        yield _make_head(page, cell, known)
        return
    # Words behind a known head belong to it: “Price per piece net | Amount”.
    starts = [0, *(start for start, _, _ in known[1:]), len(cell)]
    for number, (first, last) in enumerate(pairwise(starts)):
        start, end, columns = known[number]
        yield _make_head(page, cell[first:last], [(start - first, end - first, columns)])


def _find_known(page: Page, cell: Sequence[int]) -> list[tuple[int, int, frozenset[str]]]:
    """Start, end and columns of known heads, the longest first where several begin at one word."""
    known = []
    at = 0
    while at < len(cell):
        for end in range(min(len(cell), at + LONGEST_HEAD), at, -1):
            columns = find_columns(_read_words(page, cell[at:end]))
            if columns:
                known.append((at, end, columns))
                at = end
                break
        else:
            at += 1
    return known


def _make_head(page: Page, cell: Sequence[int], known: Sequence[tuple[int, int, frozenset[str]]]) -> Head:
    words = [page.words[at] for at in cell]
    start, end, columns = known[0] if known else (0, 0, frozenset())
    known_words = len(_read_words(page, cell[start:end]))
    left, right = min(word.x0 for word in words), max(word.x1 for word in words)
    return Head(_read_words(page, cell), left, right, columns, known_words)


def _stack(page: Page, upper: Sequence[int], lower: Sequence[int]) -> Iterator[Head]:
    """Cells of the upper line with those under them; a cell of the lower line that is under none stands alone."""
    below = _split_cells(page, lower)
    for cell in _split_cells(page, upper):
        under = [each for each in below if _overlap(page, cell, each)]
        if len(under) > 1:  # a head over several columns, which names none of them
            continue
        yield from _read_stacked(page, [*cell, *(under[0] if under else ())])
        below = [each for each in below if each not in under]
    for cell in below:
        yield from _split_heads(page, cell)


def _read_stacked(page: Page, words: Sequence[int]) -> Iterator[Head]:
    known = _find_known(page, words)
    yield _make_head(page, words, known[:1])


def _overlap(page: Page, one: Sequence[int], other: Sequence[int]) -> bool:
    return page.words[one[0]].x0 < page.words[other[-1]].x1 and page.words[other[0]].x0 < page.words[one[-1]].x1


def _read_words(page: Page, cell: Sequence[int]) -> tuple[str, ...]:
    return tuple(name for at in cell for name in split_names(page.words[at].text))
