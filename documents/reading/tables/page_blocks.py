"""The lines of text and the tables of a page, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from unicodedata import category

from documents.reading.tables.columns import (
    MAX_COLUMNS,
    Edges,
    find_column,
    find_columns,
    find_overlapping,
    split_at_edges,
)
from documents.reading.tables.heads import count_heads, find_inner_head, make_head_rows
from documents.reading.tables.known_cells import group_tables, make_known_table
from documents.reading.tables.printed_cells import PrintedCell, PrintedRow, Run
from documents.reading.tables.printed_rows import iterate_runs
from documents.reading.tables.structure import Block, Cell, Table, TableRow, TextLine, join_words
from reader.words import Word, group_lines, list_widths, split_row

# Of what is looked at for tables, and of the places of one; where there is more the page has its lines.
MAX_WORDS, MAX_PLACES = 20_000, 100_000
BULLETS = frozenset("•◦‣▪●○■➢")


def find_blocks(page: int, words: Sequence[Word]) -> list[Block]:
    """words: the visible ones, in the order of their lines."""
    character = median(list_widths(words) or [0.0])
    blocks: list[Block] = []
    for number, part in group_tables(words):
        if number:
            blocks += unfold(make_known_table(page, part))
        else:
            blocks += find_printed(page, make_lines(part, character), character)
    return blocks


def make_lines(words: Sequence[Word], character: float) -> list[TextLine]:
    return [TextLine(number, part_cells(row, character)) for number, row in group_lines(words)]


def part_cells(row: Sequence[Word], character: float) -> tuple[tuple[Word, ...], ...]:
    """A bullet is of the item that it stands before, and no column."""
    cells = tuple(map(tuple, split_row(row, character)))
    return (cells[0] + cells[1],) if len(cells) == 2 and is_bullet(join_words(cells[0])) else cells


def is_bullet(text: str) -> bool:
    """Fonts of symbols have theirs in the area of Unicode for private use."""
    return text in BULLETS or (len(text) == 1 and category(text) == "Co")


def unfold(table: Table) -> Iterator[Block]:
    """A table of one column is text, and so is one of more columns than can be shown beside each other."""
    if 1 < table.width <= MAX_COLUMNS and table.width * len(table.rows) <= MAX_PLACES:
        yield table
        return
    for row in table.rows:
        yield TextLine(row.line, tuple(cell.words for cell in row.cells))


def find_printed(page: int, lines: Sequence[TextLine], character: float) -> Iterator[Block]:
    if sum(len(cell) for line in lines for cell in line.cells) > MAX_WORDS:
        yield from lines
        return
    for part in split_runs(iterate_runs(lines, character)):
        table = make_printed_table(page, part) if isinstance(part, Run) else None
        if table:
            yield table
        else:
            yield from part.lines if isinstance(part, Run) else [part]


def split_runs(parts: Iterable[Run | TextLine]) -> Iterator[Run | TextLine]:
    """Where a table begins within a run, it is a run of its own."""
    for part in parts:
        head = find_inner_head(part.rows) if isinstance(part, Run) else 0
        yield from (Run(part.rows[:head]), Run(part.rows[head:])) if isinstance(part, Run) and head else (part,)


def make_printed_table(page: int, run: Run) -> Table | None:
    if not run.is_table():
        return None
    heads = run.rows[: count_heads(run.rows)]
    # Names of groups of columns stand between them, so that they show no column.
    columns = find_columns(run.rows[max(len(heads) - 1, 0) :], heads[-1:])
    if not 1 < len(columns) <= MAX_COLUMNS or len(columns) * len(run.rows) > MAX_PLACES:
        return None
    head_rows = make_head_rows(heads, columns)
    rows = [*head_rows, *(make_row(row, columns) for row in run.rows[len(heads) :])]
    return Table(page, tuple(rows), len(columns), len(head_rows), tuple(columns))


def make_row(row: PrintedRow, columns: Sequence[Edges]) -> TableRow:
    line = row.lines[0].number
    if len(row.cells) == 1:
        first, end = find_overlapping(columns, row.cells[0])
        if end - first > 1:
            return TableRow(line, (Cell(tuple(row.cells[0].words), first, col_span=end - first),))
    by_column: dict[int, list[PrintedCell]] = {}
    for cell in (part for whole in row.cells for part in split_at_edges(whole, columns)):
        by_column.setdefault(find_column(columns, cell), []).append(cell)
    cells = [
        Cell(tuple(word for cell in parts for word in cell.words), column)
        for column, parts in sorted(by_column.items())
    ]
    return TableRow(line, tuple(cells))
