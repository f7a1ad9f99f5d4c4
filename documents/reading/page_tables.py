"""Tables of a page, found by where its words stand: rows of cells that keep to the same columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import NamedTuple

from documents.backends.words import Word, group_lines, list_widths, split_row
from documents.models import Reading
from documents.reading import pages

# Two rows of three cells are a table; what has two columns needs a third row, else it is a label and its value.
_ROWS_NEEDED = {2: 3}
_FEWEST_ROWS = 2


class Cell(NamedTuple):
    text: str
    left: float
    right: float


@dataclass(frozen=True)
class Table:
    page: int
    rows: list[list[str]]
    """Each has as many cells as there are columns; empty ones are empty texts."""


Block = str | Table


def find_tables(reading: Reading) -> list[Table]:
    return [block for _, blocks in iterate_pages(reading) for block in blocks if isinstance(block, Table)]


def iterate_pages(reading: Reading) -> Iterator[tuple[int, list[Block]]]:
    """(page number, its lines of text and its tables from top to bottom). Hidden words are left out."""
    for page in reading.pages.order_by("number").iterator():
        yield page.number, find_blocks(page.number, [word for word in pages.unpack_words(page) if not word.hidden])


def find_blocks(page: int, words: list[Word]) -> list[Block]:
    usual = median(list_widths(words) or [0.0])
    rows = [_split_cells(row, usual) for _, row in group_lines(words)]
    blocks: list[Block] = []
    for is_parted, run in groupby(rows, key=lambda row: len(row) > 1):
        together = list(run)
        blocks += (
            [Table(page, _align_rows(together))] if is_parted and _is_table(together) else map(_join_cells, together)
        )
    return blocks


def _split_cells(row: list[Word], usual: float) -> list[Cell]:
    return [
        Cell(" ".join(word.text for word in cell), cell[0].x0, max(word.x1 for word in cell))
        for cell in split_row(row, usual)
    ]


def _join_cells(row: Iterable[Cell]) -> str:
    return "  ".join(cell.text for cell in row)


def _is_table(rows: list[list[Cell]]) -> bool:
    return len(rows) >= _ROWS_NEEDED.get(max(map(len, rows)), _FEWEST_ROWS)


def _align_rows(rows: list[list[Cell]]) -> list[list[str]]:
    """Every cell in the column that it stands in or nearest to; the fullest row says what the columns are."""
    columns = max(rows, key=len)
    aligned = []
    for row in rows:
        texts = [""] * len(columns)
        for cell in row:
            at = _find_column(cell, columns)
            texts[at] = f"{texts[at]} {cell.text}".strip()
        aligned.append(texts)
    return aligned


def _find_column(cell: Cell, columns: list[Cell]) -> int:
    """The column with the most overlap; where there is none this is the smallest distance below zero."""
    shared = [min(cell.right, column.right) - max(cell.left, column.left) for column in columns]
    return shared.index(max(shared))
