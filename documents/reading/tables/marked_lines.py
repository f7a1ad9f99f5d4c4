"""What models read of a page: a row a line, with its number and a bar between cells, empty ones too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from documents.reading.nesting.addresses import find_address
from documents.reading.tables.structure import Block, Table, TableRow, TextLine
from reader.words import CELL_SEPARATOR, Word


def mark_lines(page: int, blocks: Iterable[Block], *, with_addresses: bool = False) -> list[str]:
    """`[page.line] cell | cell`. What goes on below a cell is in its row, which has the number of its first line.

    A line of a file in which spaces mean something is as far in as there. With addresses, `⟨/total⟩` follows it.
    A table that goes on from an earlier page begins with the rows that name its columns, numbered as they are there.
    """
    return [
        f"{line} \u27e8{address}\u27e9" if with_addresses and (address := find_address(words)) else line
        for block in blocks
        for line, words in mark_block(page, block)
    ]


def mark_block(page: int, block: Block) -> Iterator[tuple[str, Sequence[Word]]]:
    """Each line with its words."""
    if isinstance(block, TextLine):
        yield f"[{page}.{block.number}] {' ' * block.indent}{block.join_cells(CELL_SEPARATOR)}", block.words
        return
    for row in block.carried:
        yield mark_row(block.carried_page, block, row, repeats=True)
    for at, row in enumerate(block.rows):
        yield mark_row(page, block, row, repeats=at < block.heads)


def mark_row(page: int, table: Table, row: TableRow, *, repeats: bool) -> tuple[str, Sequence[Word]]:
    """repeats: a name over several columns is written for each of them."""
    is_whole = len(row.cells) == 1 and row.cells[0].col_span == table.width
    texts = [row.cells[0].text] if is_whole else row.list_texts(table.width, repeats=repeats)
    return f"[{page}.{row.line}] {' ' * row.indent}{CELL_SEPARATOR.join(texts)}", row.words
