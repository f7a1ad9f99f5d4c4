"""What a table consists of, wherever it was read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reader.words import Word


@dataclass(frozen=True)
class Cell:
    """column: from 0. row_span, col_span: over how many rows and columns it goes."""

    words: tuple[Word, ...]
    column: int
    row_span: int = 1
    col_span: int = 1

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True)
class TableRow:
    """Its filled cells, from left to right. line: the first of the page that it stands on."""

    line: int
    cells: tuple[Cell, ...]

    @property
    def words(self) -> list[Word]:
        return [word for cell in self.cells for word in cell.words]

    @property
    def indent(self) -> int:
        """The spaces that stand before it in its file; the first word has them."""
        return next((word.indent for cell in self.cells for word in cell.words), 0)

    def list_texts(self, width: int, *, repeats: bool = False) -> list[str]:
        """A text for each column; empty ones where no cell is. repeats: a cell stands in all columns it goes over."""
        texts = [""] * width
        for cell in self.cells:
            for column in range(cell.column, cell.column + cell.col_span if repeats else cell.column + 1):
                texts[column] = cell.text
        return texts


@dataclass(frozen=True)
class Table:
    """heads: how many of its first rows name the columns. edges: left and right of each column, as page fractions.

    carried: of a table that goes on from an earlier page, the rows there that name the columns, and which page it is.
    """

    page: int
    rows: tuple[TableRow, ...]
    width: int
    heads: int = 0
    edges: tuple[tuple[float, float], ...] = ()
    number: int = 0
    """In a file that knows its tables; 0 where it was found by the places of words."""
    carried: tuple[TableRow, ...] = ()
    carried_page: int = 0

    @property
    def head_rows(self) -> Sequence[TableRow]:
        return self.rows[: self.heads]

    @property
    def names(self) -> Sequence[TableRow]:
        """The rows that name the columns, wherever they stand."""
        return [*self.carried, *self.head_rows]

    @property
    def body(self) -> Sequence[TableRow]:
        return self.rows[self.heads :]


@dataclass(frozen=True)
class TextLine:
    number: int
    cells: tuple[tuple[Word, ...], ...]
    """Its words, parted where the gap is a column's."""

    @property
    def words(self) -> list[Word]:
        return [word for cell in self.cells for word in cell]

    @property
    def indent(self) -> int:
        """The spaces that stand before it in its file; the first word has them."""
        return next((word.indent for cell in self.cells for word in cell), 0)

    def join_cells(self, separator: str) -> str:
        return separator.join(join_words(cell) for cell in self.cells)


Block = TextLine | Table
# Between the cells of a line in a text for people.
CELL_GAP = "  "


def join_words(words: Iterable[Word]) -> str:
    return " ".join(word.text for word in words)
