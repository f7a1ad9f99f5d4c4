"""CSV as the sheet that it is. Whether a text is one shows at its rows: most have the same number of cells.

Lines may stand above the table, as in what banks export, or a sum below it.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from reader.gaps import Gap
from reader.kinds import HEAD_BYTES
from reader.layout.blocks import Block
from reader.markup.plain_lines import list_lines, read_text
from reader.office.sheets import Sheet
from reader.pages import Limits
from reader.texts import decode

DELIMITERS = (";", "\t", ",", "|")
SAMPLE_ROWS = 60
# Python reads no longer fields of CSV.
MAX_LINE = 100_000
# Above the table; and below it in the sample.
MAX_OTHER_LINES = 20
# Excel's own line before the first: `sep=;`.
DECLARED = re.compile(r"\ufeff?\"?sep=(.)\"?\s*", re.I)
# A number that a program protects from being counted with: '00123 and ="00123".
PROTECTED = re.compile(r"'(?=[\d+=-])|=\"(?=[^\"]*\"$)")
# A sheet of this size is set in some two seconds. A larger one is shown as lines of text, of which more fit on pages.
MAX_ROWS, MAX_CELLS = 10_000, 100_000


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    """Read what is broken, or more than a sheet may hold, as the text that it is."""
    decoded = read_text(file, limits)
    yield from decoded.list_gaps()
    lines = decoded.text.splitlines(keepends=True)
    delimiter = find_delimiter([line.rstrip("\r\n") for line in lines[:SAMPLE_ROWS]])
    sheet = read_sheet(lines[bool(find_declared(lines)) :], delimiter) if delimiter else None
    yield from [sheet.make_table()] if sheet and sheet.texts else list_lines(decoded.text)


def is_csv(head: bytes) -> bool:
    """head: the beginning of the file, whose last line may be cut."""
    lines = decode(head).splitlines()
    is_cut = len(head) >= HEAD_BYTES and len(lines) > 2
    return find_delimiter((lines[:-1] if is_cut else lines)[:SAMPLE_ROWS]) is not None


def find_delimiter(lines: Sequence[str]) -> str | None:
    if declared := find_declared(lines):
        return declared
    lines = [line[:MAX_LINE] for line in lines]
    written = "".join(lines)
    met = [each for each in DELIMITERS if each in written]
    return next((each for each in met if separates(each, lines)), None) or next(
        (each for each in met if separates_below_others(each, lines)), None
    )


def find_declared(lines: Sequence[str]) -> str:
    match = DECLARED.fullmatch(lines[0]) if lines else None
    return match[1] if match else ""


def separates(delimiter: str, lines: Sequence[str]) -> bool:
    counts = {len(row) for row in csv.reader(lines, delimiter=delimiter)}
    return len(lines) > 1 and len(counts) == 1 and min(counts) > 1 and not is_prose(delimiter, lines)


def is_prose(delimiter: str, lines: Sequence[str]) -> bool:
    """In sentences a space follows the comma; tables of Markdown begin their lines with a bar."""
    if delimiter == "|":
        return any(line.startswith("|") for line in lines)
    return delimiter == "," and any(", " in line and '"' not in line for line in lines)


def separates_below_others(delimiter: str, lines: Sequence[str]) -> bool:
    """Three cells or more in most lines, without a break from the first such line to the last."""
    counts = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
    met = Counter(count for count in counts if count > 2).most_common(1)
    if not met:
        return False
    columns = met[0][0]
    first, last = counts.index(columns), len(counts) - 1 - counts[::-1].index(columns)
    rows, others = last + 1 - first, first + len(counts) - 1 - last
    is_whole = set(counts[first : last + 1]) == {columns} and max(counts) == columns
    return is_whole and 1 < rows >= others / 4 and first <= MAX_OTHER_LINES and not is_prose(delimiter, lines)


def read_sheet(lines: Sequence[str], delimiter: str) -> Sheet | None:
    sheet = Sheet("")
    try:
        for number, row in enumerate(csv.reader(lines, delimiter=delimiter)):
            if number == MAX_ROWS or len(sheet.texts) + len(row) > MAX_CELLS:
                return None
            for column, cell in enumerate(row):
                sheet.add(number, column, strip_protection(cell.strip()))
    except csv.Error:
        return None
    return sheet


def strip_protection(cell: str) -> str:
    match = PROTECTED.match(cell) if cell[:1] in ("'", "=") else None
    if match is None:
        return cell
    return cell[match.end() :].removesuffix('"') if match[0] == '="' else cell[match.end() :]
