"""Visible words of a page in rows and cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import NamedTuple

from documents.locate.words.glued import cut_glued
from printed.folding import compact_text, read_digits, split_names, split_parts
from reader.words import COLUMN_GAP, HIDDEN, Word, list_widths, make_block_id

Spot = tuple[int, int]
"""(page index, word index): one visible word of the reading."""
Line = tuple[int, int]
"""(page index, visual line)."""


class Span(NamedTuple):
    """Neighbouring words that read as one thing."""

    page: int
    words: tuple[int, ...]


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
    def parts(self) -> list[list[str]]:
        """For each word the letters and digits of what may be a value of its own."""
        return [list(filter(None, map(compact_text, split_parts(word.text)))) for word in self.words]

    @cached_property
    def names(self) -> list[list[str]]:
        """For each word the folded names that it may add to a label."""
        return [split_names(word.text) for word in self.words]

    def read_line(self, line: int) -> str:
        return " ".join(self.words[at].text for at in self.rows[line])


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
