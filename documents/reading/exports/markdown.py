"""Markdown: a heading for each page, its lines and its tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from documents.models import Reading
from documents.reading.tables.reading_tables import iterate_pages
from documents.reading.tables.structure import CELL_GAP, Block, Table, TableRow, TextLine

# CommonMark 0.31.2, 2.4: a backslash makes a punctuation mark a letter. What means something anywhere, with the tables
# and lines through words that GitHub adds, and what is a character's name:
_MARKS = re.compile(r"[\\`*_\[\]<|~]|&(?=#?\w+;)")
# And what begins a heading, a quotation, an item of a list or a line across: of a number, the mark behind it.
_LEADING = re.compile(r"^(?:(\d{1,9})(?=[.)](?:\s|$))|(?=>|#{1,6}(?:\s|$)|[+-](?:\s|$)|-[ -]*$))")


def export_markdown(reading: Reading) -> str:
    """A heading for each page, a line for each line, and pipe tables, whose first row names the columns."""
    return "\n".join(
        f"## Page {number}\n\n" + "\n\n".join(_format_markdown(block) for block in blocks) + "\n"
        for number, blocks in iterate_pages(reading)
    )


def _format_markdown(block: Block) -> str:
    if isinstance(block, TextLine):
        return escape_line(block.join_cells(CELL_GAP))
    heads = block.names or block.rows[:1]
    body = block.body if block.names else block.rows[1:]
    lines = [row.list_texts(block.width) for row in body]
    head, *rest = [
        "| " + " | ".join(map(escape_marks, texts)) + " |" for texts in (_name_columns(block, heads), *lines)
    ]
    return "\n".join([head, "|" + " --- |" * block.width, *rest])


def _name_columns(table: Table, heads: Sequence[TableRow]) -> list[str]:
    """Markdown has one row of heads and no spans: a column has the names of its groups before its own."""
    levels = [row.list_texts(table.width, repeats=True) for row in heads]
    return [" ".join(filter(None, names)) for names in zip(*levels, strict=True)]


def escape_line(text: str) -> str:
    """A paragraph that says this text and nothing else."""
    return _LEADING.sub(r"\1\\", escape_marks(" ".join(text.split())))


def escape_marks(text: str) -> str:
    """So that the text of a document is text, and no markup of its own."""
    return _MARKS.sub(r"\\\g<0>", text)
