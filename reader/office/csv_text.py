"""CSV as the sheet that it is. Whether a text is one shows at its first rows: all have the same number of cells."""

import csv
from collections.abc import Iterator
from typing import BinaryIO

from reader.layout.blocks import Block
from reader.markup.plain_lines import list_lines, read_text
from reader.office.sheets import Sheet
from reader.pages import Limits
from reader.texts import decode

DELIMITERS = (";", "\t", ",")
SAMPLE_ROWS = 20
# A sheet of this size is set in some two seconds. A larger one is shown as lines of text, of which more fit on pages.
MAX_ROWS, MAX_CELLS = 10_000, 100_000


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    """Read what is broken, or more than a sheet may hold, as the text that it is."""
    text = read_text(file)
    delimiter = find_delimiter(text.splitlines()[:SAMPLE_ROWS])
    sheet = read_sheet(text, delimiter) if delimiter else None
    return iter([sheet.make_table()]) if sheet and sheet.texts else list_lines(text)


def is_csv(head: bytes) -> bool:
    """head: the beginning of the file, whose last line may be cut."""
    lines = decode(head).splitlines()
    return find_delimiter(lines[:-1][:SAMPLE_ROWS] if len(lines) > 2 else lines) is not None


def find_delimiter(lines: list[str]) -> str | None:
    for delimiter in DELIMITERS:
        counts = {len(row) for row in csv.reader(lines, delimiter=delimiter)}
        # In sentences a space follows the comma.
        is_prose = delimiter == "," and any(", " in line and '"' not in line for line in lines)
        if len(lines) > 1 and len(counts) == 1 and min(counts) > 1 and not is_prose:
            return delimiter
    return None


def read_sheet(text: str, delimiter: str) -> Sheet | None:
    sheet = Sheet("")
    try:
        for number, row in enumerate(csv.reader(text.splitlines(keepends=True), delimiter=delimiter)):
            if number == MAX_ROWS or len(sheet.texts) + len(row) > MAX_CELLS:
                return None
            for column, cell in enumerate(row):
                sheet.add(number, column, cell.strip())
    except csv.Error:
        return None
    return sheet
