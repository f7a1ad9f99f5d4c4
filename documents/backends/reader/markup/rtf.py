"""RTF through striprtf: its text, and its tables, whose cells it ends with a bar each."""

from collections.abc import Iterator
from itertools import groupby
from typing import BinaryIO

from striprtf.striprtf import rtf_to_text

from documents.backends.reader.layout.blocks import Block, Cell, Paragraph, Table
from documents.backends.reader.markup.plain_lines import read_bytes
from documents.backends.reader.pages import Limits

CELL_END = "|"


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    # An RTF file is ASCII; what is not is meant in the code page that it names.
    text: str = rtf_to_text(read_bytes(file).decode("latin-1"), encoding="cp1252", errors="replace")
    lines = (line.rstrip() for line in text.split("\n"))
    for is_row, run in groupby(lines, key=lambda line: line.endswith(CELL_END)):
        if is_row:
            yield Table([[Cell(cell.strip()) for cell in line.split(CELL_END)[:-1]] for line in run])
        else:
            yield from (Paragraph(line) for line in run if line.strip())
