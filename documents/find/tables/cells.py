"""The tables of a file that knows its cells, whole: over pages, and over the parts that a wide sheet is shown in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from documents.models import Reading
from documents.reading import pages
from kit.errors import Invalid, TooLarge
from kit.processes.computing import limit_computing
from reader.words import CellPlace, Word, parse_cell_place

MAX_CELLS, MAX_TABLES, MAX_PAGES = 200_000, 100, 2_000
SLOW = "The cells of this file take too long to be read. Split it, or read its text."
NO_TABLES = (
    "{name} has no tables of its own: only spreadsheets, CSV, Word files and web pages know their cells. Read its "
    "text, or ask query_fields for values that were extracted."
)
_ADDRESS = re.compile(r"(?:(?P<sheet>.*)!)?(?P<column>[A-Z]{1,3})(?P<row>\d+)")


class CellLine(NamedTuple):
    """The line on a page in which a cell begins."""

    page: int
    line: int


@dataclass(frozen=True)
class TextCell:
    """`rows`, `columns`: over how many it goes. `name` is that of a sheet's cell, such as B7."""

    text: str
    place: CellLine
    rows: int = 1
    columns: int = 1
    name: str = ""


@dataclass
class FileTable:
    """`cells` by row and column, from 1. `sheet` is empty where the file gives it no name."""

    number: int
    sheet: str = ""
    cells: dict[tuple[int, int], TextCell] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.sheet or f"Table {self.number}"

    @property
    def width(self) -> int:
        return max((column + cell.columns - 1 for (_, column), cell in self.cells.items()), default=0)

    def group_rows(self) -> dict[int, dict[int, TextCell]]:
        rows: defaultdict[int, dict[int, TextCell]] = defaultdict(dict)
        for (row, column), cell in sorted(self.cells.items()):
            rows[row][column] = cell
        return rows


def load_tables(reading: Reading) -> list[FileTable]:
    """Raises Invalid for a file without tables, and TooLarge for more cells than are asked at once."""
    tables: dict[int, FileTable] = {}
    count = 0
    _check_pages(reading)
    for page, words in limit_computing(_list_cells(reading), sentence=SLOW):
        for place, some in words.items():
            count += 1
            if count > MAX_CELLS or len(tables) > MAX_TABLES:
                raise TooLarge(f"A file with more than {MAX_CELLS:,} cells or {MAX_TABLES} tables cannot be asked.")
            _add(tables.setdefault(place.table, FileTable(place.table)), page, place, some)
    if not tables:
        raise Invalid(NO_TABLES.format(name=reading.document.name))
    return [tables[number] for number in sorted(tables)]


def _check_pages(reading: Reading) -> None:
    if (reading.page_count or 0) > MAX_PAGES:
        raise TooLarge(f"Tables of up to {MAX_PAGES:,} pages are asked at once; {reading.page_count:,} are too many.")


def _list_cells(reading: Reading) -> Iterator[tuple[int, Mapping[CellPlace, list[Word]]]]:
    for page in reading.pages.order_by("number").only("reading", "number", "words").iterator(chunk_size=20):
        cells: defaultdict[CellPlace, list[Word]] = defaultdict(list)
        for word in pages.unpack_words(page):
            if word.cell and not word.hidden:
                cells[parse_cell_place(word.cell)].append(word)
        yield page.number, cells


def _add(table: FileTable, page: int, place: CellPlace, words: list[Word]) -> None:
    """A cell that goes on over a page has its words on both."""
    text = " ".join(word.text for word in words)
    known = table.cells.get((place.row, place.column))
    if known:
        text, where = f"{known.text} {text}", known.place
    else:
        where = CellLine(page, min(word.line for word in words))
    address = _ADDRESS.fullmatch(words[0].address)
    if address and address["sheet"]:
        table.sheet = table.sheet or address["sheet"].removeprefix("'").removesuffix("'").replace("''", "'")
    name = address["column"] + address["row"] if address else ""
    table.cells[place.row, place.column] = TextCell(text, where, place.rows, place.columns, name)
