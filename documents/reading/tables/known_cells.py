"""Tables of files that know their cells: sheets, Word files, web pages, CSV. Each word says which cell it is of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from documents.reading.tables.printed_cells import PrintedCell
from documents.reading.tables.structure import Cell, Table, TableRow
from reader.words import CellPlace, Word, parse_cell_place

MAX_HEADS = 3


def make_known_table(page: int, words: Sequence[Word]) -> Table:
    """words: of one table."""
    parts: dict[CellPlace, list[Word]] = {}
    for word in words:
        parts.setdefault(parse_cell_place(word.cell), []).append(word)
    rows = [list(row) for _, row in groupby(sorted(parts), key=lambda place: place.row)]
    known = tuple(make_known_row(row, parts) for row in rows)
    width = max(place.column + place.columns - 1 for place in parts)
    heads = sum(all(place.is_head for place in row) for row in rows[:MAX_HEADS])
    table = rows[0][0].table
    return Table(page, known, width, heads or count_known_heads(rows, parts), number=table)


def make_known_row(places: Sequence[CellPlace], parts: dict[CellPlace, list[Word]]) -> TableRow:
    line = min(word.line for place in places for word in parts[place])
    return TableRow(line, tuple(Cell(tuple(parts[at]), at.column - 1, at.rows, at.columns) for at in places))


def count_known_heads(rows: Sequence[Sequence[CellPlace]], parts: dict[CellPlace, list[Word]]) -> int:
    """Rows of words above rows of figures, if the table begins on this page."""
    if rows[0][0].row != 1:
        return 0
    with_figures = (any(PrintedCell(parts[place]).is_figure for place in row) for row in rows)
    first = next((at for at, has_figures in enumerate(with_figures) if has_figures), 0)
    return first if first <= MAX_HEADS else 0


def group_tables(words: Iterable[Word]) -> list[tuple[int, list[Word]]]:
    """(number of the table, 0 for what is in none; its words), in the order of the page."""
    return [(number, list(part)) for number, part in groupby(words, key=get_table_number)]


def get_table_number(word: Word) -> int:
    return parse_cell_place(word.cell).table if word.cell else 0
