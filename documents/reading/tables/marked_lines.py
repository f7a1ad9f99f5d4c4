"""What models read of a page: a row a line, with its number and a bar between cells, empty ones too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from documents.reading.tables.structure import Block, Table, TableRow, TextLine
from reader.words import CELL_SEPARATOR


def mark_lines(page: int, blocks: Iterable[Block]) -> list[str]:
    """`[page.line] cell | cell`. What goes on below a cell is in its row, which has the number of its first line.

    A table that goes on from an earlier page begins with the rows that name its columns, numbered as they are there.
    """
    return [line for block in blocks for line in mark_block(page, block)]


def mark_block(page: int, block: Block) -> Iterator[str]:
    if isinstance(block, TextLine):
        yield f"[{page}.{block.number}] {block.join_cells(CELL_SEPARATOR)}"
        return
    for row in block.carried:
        yield mark_row(block.carried_page, block, row, repeats=True)
    for at, row in enumerate(block.rows):
        yield mark_row(page, block, row, repeats=at < block.heads)


def mark_row(page: int, table: Table, row: TableRow, *, repeats: bool) -> str:
    """repeats: a name over several columns is written for each of them."""
    is_whole = len(row.cells) == 1 and row.cells[0].col_span == table.width
    texts = [row.cells[0].text] if is_whole else row.list_texts(table.width, repeats=repeats)
    return f"[{page}.{row.line}] {CELL_SEPARATOR.join(texts)}"
