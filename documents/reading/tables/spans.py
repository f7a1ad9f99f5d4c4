"""Cells of rows as programs take them that know spans: a place is of one cell, or empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from documents.reading.tables.structure import Cell, TableRow

Place = tuple[int, int]


class PlacedCell(NamedTuple):
    text: str
    column: int
    row_span: int = 1
    col_span: int = 1


def place_rows(rows: Sequence[TableRow], width: int) -> list[list[PlacedCell]]:
    """Every place once: in a cell, below or beside one that goes over it, or in an empty cell."""
    cells = {(at, cell.column): cell for at, row in enumerate(rows) for cell in row.cells}
    covered: set[Place] = set()
    placed: list[list[PlacedCell]] = []
    for at in range(len(rows)):
        line: list[PlacedCell] = []
        for column in range(width):
            if (at, column) in covered:
                continue
            cell = cells.get((at, column))
            spans = measure_spans(cell, (at, column), cells, covered, (len(rows), width)) if cell else (1, 1)
            covered.update((at + down, column + across) for down in range(spans[0]) for across in range(spans[1]))
            line.append(PlacedCell(cell.text if cell else "", column, *spans))
        placed.append(line)
    return placed


def measure_spans(
    cell: Cell, place: Place, cells: dict[Place, Cell], covered: set[Place], size: Place
) -> tuple[int, int]:
    """Rows and columns, as far as nothing else stands there."""
    row, column = place

    def is_free(down: int, across: int) -> bool:
        other = row + down, column + across
        return other[0] < size[0] and other[1] < size[1] and other not in cells and other not in covered

    across = 1
    while across < cell.col_span and is_free(0, across):
        across += 1
    down = 1
    while down < cell.row_span and all(is_free(down, beside) for beside in range(across)):
        down += 1
    return down, across
