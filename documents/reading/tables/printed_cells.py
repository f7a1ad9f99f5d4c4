"""Cells, rows and runs of rows as they are printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from documents.reading.tables.structure import TextLine, join_words
from reader.words import Word

_YEAR = re.compile(r"(19|20)\d\d")


@dataclass
class PrintedCell:
    words: list[Word]

    @cached_property
    def left(self) -> float:
        return min(word.x0 for word in self.words)

    @cached_property
    def right(self) -> float:
        return max(word.x1 for word in self.words)

    @cached_property
    def text(self) -> str:
        return join_words(self.words)

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    @cached_property
    def is_figure(self) -> bool:
        """An amount, a quantity, a date; a year alone may name a column."""
        digits = sum(char.isdigit() for char in self.text)
        letters = sum(char.isalpha() for char in self.text)
        return digits > 0 and digits >= letters and not _YEAR.fullmatch(self.text)

    def overlaps(self, left: float, right: float) -> bool:
        return self.left < right and left < self.right

    def extend(self, words: Sequence[Word]) -> None:
        self.words = [*self.words, *words]
        for name in ("left", "right", "text", "is_figure"):
            self.__dict__.pop(name, None)


@dataclass
class PrintedRow:
    lines: list[TextLine]
    cells: list[PrintedCell] = field(default_factory=list)

    @property
    def has_figures(self) -> bool:
        return any(cell.is_figure for cell in self.cells)

    @property
    def bottom(self) -> float:
        return max(word.y1 for cell in self.lines[-1].cells for word in cell)

    @property
    def top(self) -> float:
        return min(word.y0 for cell in self.lines[0].cells for word in cell)


@dataclass
class Run:
    """Rows under each other that may be a table. lines: all that are in them."""

    rows: list[PrintedRow] = field(default_factory=list)

    @property
    def lines(self) -> list[TextLine]:
        return [line for row in self.rows for line in row.lines]

    @property
    def fullest(self) -> PrintedRow:
        return max(self.rows, key=lambda row: len(row.cells))

    def is_table(self) -> bool:
        """Two rows of three cells are a table; what has two columns needs a third row, else it is a label and its
        value."""
        return len(self.rows) >= (3 if len(self.fullest.cells) < 3 else 2)
