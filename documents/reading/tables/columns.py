"""Columns of printed rows: where cells stand under each other, each in the column that it stands in or nearest to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from documents.reading.tables.printed_cells import PrintedCell, PrintedRow
from reader.words import Word, list_widths

MAX_COLUMNS = 400
# A word begins at the edge of a column: how near, as a page fraction, and after which gap, in widths of a character.
AT_EDGE, EDGE_GAP = 0.003, 1.1

Edges = tuple[float, float]


def find_columns(rows: Sequence[PrintedRow], heads: Sequence[PrintedRow]) -> list[Edges]:
    """heads: those of the rows that name columns."""
    columns = merge_pieces(cluster(cell for row in rows for cell in row.cells), rows)
    return merge_unnamed(columns, rows[len(heads) :], heads) if heads else columns


def cluster(cells: Iterable[PrintedCell]) -> list[Edges]:
    """Narrow cells first: one that reaches over two columns makes none of its own."""
    columns: list[Edges] = []
    for cell in sorted(cells, key=lambda cell: cell.right - cell.left):
        first, end = find_overlapping(columns, cell)
        if end - first < 2:
            near = columns[first:end] or [(cell.left, cell.right)]
            columns[first:end] = [(min(near[0][0], cell.left), max(near[0][1], cell.right))]
    return columns


def find_overlapping(columns: Sequence[Edges], cell: PrintedCell) -> tuple[int, int]:
    """(first, end) of the columns that the cell stands in, which are sorted and apart."""
    first = bisect_left(columns, cell.left, key=lambda edges: edges[1])
    while first < len(columns) and columns[first][1] <= cell.left:
        first += 1
    end = first
    while end < len(columns) and columns[end][0] < cell.right:
        end += 1
    return first, end


def merge_pieces(columns: list[Edges], rows: Sequence[PrintedRow]) -> list[Edges]:
    """Neighbours that more cells reach over than stand apart in are one column, in which some texts have gaps."""
    over, apart = [0] * len(columns), [0] * len(columns)
    for row in rows:
        filled = [find_overlapping(columns, cell) for cell in row.cells]
        for first, end in filled:
            for at in range(first, end - 1):
                over[at] += 1
        for (_, end), (first, _) in pairwise(filled):
            if first == end:
                apart[first - 1] += 1
    return join_columns(columns, [over[at] > apart[at] for at in range(len(columns))])


def merge_unnamed(columns: list[Edges], body: Sequence[PrintedRow], heads: Sequence[PrintedRow]) -> list[Edges]:
    """A name that stands beside the figures that it names, as left above right, is of their column."""
    named, filled = list_filled(columns, heads), list_filled(columns, body)
    names, figures = named - filled, filled - named
    with_next = [False] * len(columns)
    for at in range(len(columns) - 1):
        is_pair = (at in names and at + 1 in figures) or (at in figures and at + 1 in names)
        with_next[at] = is_pair and not (at and with_next[at - 1])
    return join_columns(columns, with_next)


def list_filled(columns: Sequence[Edges], rows: Sequence[PrintedRow]) -> set[int]:
    return {at for row in rows for cell in row.cells for at in range(*find_overlapping(columns, cell))}


def join_columns(columns: Sequence[Edges], with_next: Sequence[bool]) -> list[Edges]:
    joined: list[Edges] = []
    for at, edges in enumerate(columns):
        if at and with_next[at - 1]:
            joined[-1] = joined[-1][0], edges[1]
        else:
            joined.append(edges)
    return joined


def find_column(columns: Sequence[Edges], cell: PrintedCell) -> int:
    """The column with the most overlap; where there is none this is the smallest distance below zero."""
    first, end = find_overlapping(columns, cell)
    near = range(max(first - 1, 0), min(end + 1, len(columns)))
    return max(near, key=lambda at: min(cell.right, columns[at][1]) - max(cell.left, columns[at][0]))


def split_at_edges(cell: PrintedCell, columns: Sequence[Edges]) -> list[PrintedCell]:
    """A text that goes on until close to the next column, apart from what begins right at that column's edge."""
    first, end = find_overlapping(columns, cell)
    edges = [left for left, _ in columns[first + 1 : end]]
    width = median(list_widths(cell.words) or [0.0])
    parts: dict[float, list[Word]] = {cell.left: []}
    last, place = cell.words[0], cell.left
    for word in cell.words:
        if word.line != last.line:
            place = cell.left
        elif word.x0 - last.x1 > EDGE_GAP * width:
            place = next((edge for edge in edges if abs(word.x0 - edge) < AT_EDGE), place)
        parts.setdefault(place, []).append(word)
        last = word
    return [PrintedCell(words) for words in parts.values()]
