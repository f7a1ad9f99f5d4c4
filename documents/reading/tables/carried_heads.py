"""Tables that go on over pages: what names their columns stands on an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from documents.reading.tables.columns import Edges
from documents.reading.tables.structure import Block, Table, TableRow

# Lines of text, such as a page's head or foot, between a table's end and its going on.
MAX_BETWEEN = 6


def continue_table(blocks: list[Block], last: Table | None) -> list[Block]:
    """The blocks of a page; if the first table goes on with the last one of the page before, it has its head."""
    at, table = find_first_table(blocks)
    if last is None or table is None or not goes_on(last, table):
        return blocks
    rows, page = (tuple(last.head_rows), last.page) if last.heads else (last.carried, last.carried_page)
    continued = replace(table, carried=rows, carried_page=page, width=max(table.width, measure_width(rows)))
    return [*blocks[:at], continued, *blocks[at + 1 :]]


def measure_width(rows: Sequence[TableRow]) -> int:
    return max(cell.column + cell.col_span for row in rows for cell in row.cells)


def has_open_table(blocks: list[Block]) -> bool:
    """Whether the page begins with a table that does not name its columns."""
    _, table = find_first_table(blocks)
    return table is not None and not table.heads


def is_open_throughout(blocks: list[Block]) -> bool:
    """Whether the table that the page ends with may be the one that it begins with, gone on from before."""
    _, first = find_first_table(blocks)
    return first is not None and not first.heads and first is find_last_table(blocks)


def find_first_table(blocks: list[Block]) -> tuple[int, Table | None]:
    """Where it stands, and the table; None where the page does not begin with one."""
    for at, block in enumerate(blocks[: MAX_BETWEEN + 1]):
        if isinstance(block, Table):
            return at, block
    return 0, None


def find_last_table(blocks: list[Block]) -> Table | None:
    """The one that the page ends with."""
    return next((block for block in reversed(blocks[-MAX_BETWEEN - 1 :]) if isinstance(block, Table)), None)


def goes_on(last: Table, table: Table) -> bool:
    if table.heads or not (last.heads or last.carried):
        return False
    if last.number or table.number:
        return last.number == table.number
    return are_alike(last.edges, table.edges)


def are_alike(one: Sequence[Edges], other: Sequence[Edges]) -> bool:
    """Whether columns stand under columns."""
    if len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    over = sum(left < upper_right and upper_left < right for (left, right), (upper_left, upper_right) in pairs)
    return over >= 0.7 * len(one)
