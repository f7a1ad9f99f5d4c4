"""Rows that name the columns: how many there are, and which of their cells go over several columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from documents.reading.tables.columns import Edges, find_column, find_overlapping
from documents.reading.tables.printed_cells import PrintedCell, PrintedRow
from documents.reading.tables.structure import Cell, TableRow
from reader.words import Word

MAX_HEADS = 3
YEAR = re.compile(r"\W*\d{4}\W*")
# Edges that differ by less are the same, as a page fraction.
NEAR = 0.006


def count_heads(rows: Sequence[PrintedRow]) -> int:
    """Rows of words above rows of figures. Where there are no figures this cannot be told."""
    first = next((at for at, row in enumerate(rows) if row.has_figures), 0)
    # A heading of some rows stands alone below the names.
    while first > 1 and len(rows[first - 1].cells) == 1:
        first -= 1
    heads = rows[:first]
    if first > MAX_HEADS or any(is_label_with_value(row) for row in heads):
        return 0
    named = max((len(row.cells) for row in heads), default=0)
    return first if 2 * named >= max(len(row.cells) for row in rows) else 0


def find_inner_head(rows: Sequence[PrintedRow]) -> int:
    """The row that names the columns of a table right below other rows with figures, such as the data of an invoice
    above its goods; 0 where there is none."""
    fullest = max(len(row.cells) for row in rows)
    above = next((at for at, row in enumerate(rows) if row.has_figures), len(rows))
    named = (at for at in range(above + 1, len(rows)) if len(rows[at].cells) == fullest and not rows[at].has_figures)
    first = next(named, 0)
    return first if first and all(len(row.cells) < fullest for row in rows[:first]) else 0


def is_label_with_value(row: PrintedRow) -> bool:
    """Such as an invoice's number, right above the names of the columns. A year is a name of columns."""
    if len(row.cells) != 2 or YEAR.fullmatch(row.cells[1].text):
        return False
    label, value = (any(letter.isdigit() for letter in cell.text) for cell in row.cells)
    return value and not label


def make_head_rows(heads: Sequence[PrintedRow], columns: Sequence[Edges]) -> list[TableRow]:
    """The last row names each column, those above it groups of columns; or all of them are lines of one name each."""
    if not heads:
        return []
    levels = [{find_column(columns, cell): cell for whole in heads[-1].cells for cell in split_names(whole, columns)}]
    rows: list[dict[int, tuple[PrintedCell, int]]] = []
    for upper in reversed(heads[:-1]):
        groups = group_columns(upper, levels[0], columns)
        if groups is None:
            levels[0] = join_names(upper, levels[0], columns)
        else:
            rows.insert(0, groups)
    rows.append({column: (cell, 1) for column, cell in levels[0].items()})
    return [make_head_row(heads, rows, at) for at in range(len(rows))]


def group_columns(
    upper: PrintedRow, named: dict[int, PrintedCell], columns: Sequence[Edges]
) -> dict[int, tuple[PrintedCell, int]] | None:
    """First column → name and number of columns; None where no name goes over several."""
    alone = {column: cell for cell in upper.cells if (column := find_alone(cell, named, columns)) is not None}
    groups = [cell for cell in upper.cells if cell not in alone.values()]
    if not groups or not is_grouping(groups, named, columns):
        return None
    choose = choose_last if are_set_left(groups, named, columns) else choose_nearest
    owners = {column: choose(groups, columns[column]) for column in named}
    placed: dict[int, tuple[PrintedCell, int]] = {column: (cell, 1) for column, cell in alone.items()}
    for number, cell in enumerate(groups):
        own = sorted(column for column, owner in owners.items() if owner == number)
        own = own if number else drop_outer(own, cell, columns)
        if own:
            placed[own[0]] = cell, own[-1] - own[0] + 1
    return placed


def drop_outer(own: list[int], cell: PrintedCell, columns: Sequence[Edges]) -> list[int]:
    """Without columns at the left that are in no group, such as the one that names the rows."""
    while len(own) > 1 and not cell.overlaps(*columns[own[0]]):
        with_it, without = ((columns[first][0] + columns[own[-1]][1]) / 2 for first in own[:2])
        width = columns[own[-1]][1] - columns[own[0]][0]
        if abs(with_it - cell.middle) - abs(without - cell.middle) < 0.15 * width:
            break
        own = own[1:]
    return own


def find_alone(cell: PrintedCell, named: dict[int, PrintedCell], columns: Sequence[Edges]) -> int | None:
    """The one column that the name is for, which has no name below it."""
    first, end = find_overlapping(columns, cell)
    return first if end - first == 1 and first not in named else None


def is_grouping(groups: Sequence[PrintedCell], named: dict[int, PrintedCell], columns: Sequence[Edges]) -> bool:
    """A name over one column alone, and over no name that comes twice, is but its first line."""
    texts = [cell.text for cell in named.values()]
    return len(set(texts)) < len(texts) or any(not is_over_one(cell, columns) for cell in groups)


def is_over_one(cell: PrintedCell, columns: Sequence[Edges]) -> bool:
    first, end = find_overlapping(columns, cell)
    if end - first != 1:
        return False
    left, right = columns[first]
    distances = cell.left - left, cell.right - right, cell.middle - (left + right) / 2
    return min(map(abs, distances)) < NEAR or (left <= cell.left and cell.right <= right)


def are_set_left(groups: Sequence[PrintedCell], named: dict[int, PrintedCell], columns: Sequence[Edges]) -> bool:
    """Whether each name of a group begins where that of its first column does."""
    firsts = [find_overlapping(columns, cell)[0] for cell in groups]
    return all(
        first in named and abs(cell.left - named[first].left) < NEAR for cell, first in zip(groups, firsts, strict=True)
    )


def choose_last(groups: Sequence[PrintedCell], edges: Edges) -> int | None:
    """Of names set at the left the last one that begins before the column ends."""
    return max((at for at, cell in enumerate(groups) if cell.left < edges[1]), default=None)


def choose_nearest(groups: Sequence[PrintedCell], edges: Edges) -> int:
    """The name that stands over the column, else the nearest."""
    middle = (edges[0] + edges[1]) / 2
    over = [at for at, cell in enumerate(groups) if cell.overlaps(*edges)]
    return over[0] if len(over) == 1 else min(range(len(groups)), key=lambda at: abs(groups[at].middle - middle))


def join_names(upper: PrintedRow, named: dict[int, PrintedCell], columns: Sequence[Edges]) -> dict[int, PrintedCell]:
    joined = dict(named)
    for cell in upper.cells:
        column = find_column(columns, cell)
        joined[column] = PrintedCell([*cell.words, *joined[column].words]) if column in joined else cell
    return joined


def split_names(cell: PrintedCell, columns: Sequence[Edges]) -> list[PrintedCell]:
    """Names that stand so close that they look like one, each over its own column."""
    first, end = find_overlapping(columns, cell)
    words: dict[int, list[Word]] = {}
    for word in cell.words:
        words.setdefault(find_column(columns, PrintedCell([word])), []).append(word)
    return [PrintedCell(part) for part in words.values()] if set(words) >= set(range(first, end)) else [cell]


def make_head_row(heads: Sequence[PrintedRow], rows: Sequence[dict[int, tuple[PrintedCell, int]]], at: int) -> TableRow:
    line = heads[at].lines[0].number if len(rows) == len(heads) else heads[0].lines[0].number
    cells = []
    for column, (cell, width) in sorted(rows[at].items()):
        is_single = width == 1 and all(column not in below for below in rows[at + 1 :])
        cells.append(Cell(tuple(cell.words), column, len(rows) - at if is_single else 1, width))
    return TableRow(line, tuple(cells))
