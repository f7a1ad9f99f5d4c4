"""Results as a workbook: numbers are numbers, days are days, and no text of a document is a formula."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import IO, Any

from documents.index.values.indexing import read_day
from documents.reading.exports.cell_values import FIRST_DAY, MAX_DIGITS, CellValue, read_number
from documents.reading.exports.sheet_cells import MAX_NAME, MAX_TEXT, make_text_cell, make_value_cell, write_text
from documents.results.loading import ResultDocument
from documents.results.omissions import IN_PART, Omission
from documents.results.tables import Cell, ResultTable, Tabulator
from documents.results.writing.base import ResultWriter, Summary
from kit.http.streamed_files import BLOCK_BYTES

MAX_ROWS = 1_048_576
LEFT_OUT = "Left out"
_SIGNS_OF_NAMES = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
_LARGEST = 10**MAX_DIGITS
_WIDTH, _MAX_WIDTH, _LETTERS_OF_DAY, _LONGEST_READ = 12, 40, 10, 60
CUT = f"A text of column “{{}}” has more than the {MAX_TEXT:,} letters of a cell; its end is not here."


@dataclass
class _Pages:
    """Sheets of one table: the next begins where the one before is full."""

    name: str
    heads: Sequence[str]
    kinds: Sequence[str]
    sheet: Any = None
    rows: int = 0
    number: int = 0


class WorkbookFile(ResultWriter):
    """`max_rows`: of a sheet, the head among them. `notes` are of what did not fit into a cell."""

    def __init__(
        self, tabulator: Tabulator, note_work: Callable[[], None] = lambda: None, *, max_rows: int = MAX_ROWS
    ) -> None:
        from openpyxl import Workbook  # noqa: PLC0415 - 18 MB with numpy, which it takes in where it is installed

        super().__init__(tabulator, note_work)
        self.is_saved = False
        self.book, self.max_rows, self.notes = Workbook(write_only=True), max_rows, list[Omission]()
        names = _name_sheets(tabulator.tables)
        self._pages = [
            _Pages(name, tabulator.list_heads(table), tabulator.list_kinds(table))
            for name, table in zip(names, tabulator.tables, strict=True)
        ]

    def begin(self) -> bytes:
        for pages in self._pages:
            self._turn(pages)
        return b""

    def add(self, document: ResultDocument) -> int:
        number = 0
        for table, pages in zip(self.tabulator.tables, self._pages, strict=True):
            for line in self.tabulator.iterate_lines(table, document):
                self._append(pages, line, document)
                number += 1
        return number

    def take(self) -> bytes:
        return b""

    def finish(self, summary: Summary) -> Iterator[bytes]:
        for note in self.notes:
            summary.omissions.add(note)
        for pages in self._pages:
            _close(pages)
        self._add_omissions(summary)
        with tempfile.TemporaryFile() as file:
            self.book.save(_WatchedFile(file, self.note_work))
            self.is_saved = True
            file.seek(0)
            while block := file.read(BLOCK_BYTES):
                yield block

    def close(self) -> None:
        """Clean up after a file that was broken off: openpyxl keeps each sheet on the disk until it is saved."""
        for sheet in () if self.is_saved else self.book.worksheets:
            if not sheet.closed:
                sheet.close()
            with suppress(FileNotFoundError, ValueError):
                sheet._writer.cleanup()

    def _turn(self, pages: _Pages) -> None:
        if pages.sheet is not None:
            _close(pages)
        pages.number += 1
        suffix = f" {pages.number}" if pages.number > 1 else ""
        pages.sheet, pages.rows = self._make_sheet(f"{pages.name[: MAX_NAME - len(suffix)]}{suffix}", pages.heads), 1

    def _make_sheet(self, name: str, heads: Sequence[str]) -> Any:
        from openpyxl.styles import Font  # noqa: PLC0415 - see above
        from openpyxl.utils import get_column_letter  # noqa: PLC0415 - see above

        sheet, bold, cells = self.book.create_sheet(name), Font(bold=True), []
        sheet.freeze_panes = "A2"
        for number, head in enumerate(heads, start=1):
            sheet.column_dimensions[get_column_letter(number)].width = max(_WIDTH, min(_MAX_WIDTH, len(head) + 3))
            cell: Any = make_text_cell(sheet, head)
            cell.font = bold
            cells.append(cell)
        sheet.append(cells)
        return sheet

    def _append(self, pages: _Pages, line: Sequence[Cell], document: ResultDocument) -> None:
        if pages.rows >= self.max_rows:
            self._turn(pages)
        sheet = pages.sheet
        sheet.append([_make_cell(sheet, cell, kind) for cell, kind in zip(line, pages.kinds, strict=True)])
        pages.rows += 1
        for cell, head in zip(line, pages.heads, strict=True):
            if isinstance(cell, str) and len(cell) > MAX_TEXT:
                self.notes.append(Omission(IN_PART, document.document.pk, document.document.name, CUT.format(head)))

    def _add_omissions(self, summary: Summary) -> None:
        heads = ["What", "Document id", "Document", "Reason"]
        pages = _Pages(LEFT_OUT, heads, ["text"] * len(heads))
        self._turn(pages)
        pages.sheet.append([summary.describe()])
        for omission in summary.omissions:
            if pages.rows + 1 >= self.max_rows:
                self._turn(pages)
            pages.sheet.append([write_text(pages.sheet, text) for text in omission])
            pages.rows += 1


@dataclass
class _WatchedFile:
    """Saving takes long: whoever waits hears of every part."""

    file: IO[bytes]
    note_work: Callable[[], None]

    def write(self, data: bytes) -> int:
        self.note_work()
        return self.file.write(data)

    def flush(self) -> None:
        self.file.flush()


def _close(pages: _Pages) -> None:
    from openpyxl.utils import get_column_letter  # noqa: PLC0415 - see above

    pages.sheet.auto_filter.ref = f"A1:{get_column_letter(len(pages.heads))}{pages.rows}"
    pages.sheet.close()


def _name_sheets(tables: Sequence[ResultTable]) -> list[str]:
    """Make names that sheets may have, each once whatever its case. Room is left for a number."""
    names: dict[str, str] = {LEFT_OUT.casefold(): LEFT_OUT}
    for table in tables:
        stem = table.title.translate(_SIGNS_OF_NAMES).strip()[: MAX_NAME - 8] or "List"
        name, number = stem, 1
        while name.casefold() in names:
            number += 1
            name = f"{stem} ({number})"
        names[name.casefold()] = name
    return list(names.values())[1:]


def _make_cell(sheet: object, cell: Cell, kind: str) -> object:
    if isinstance(cell, str):
        reader = _READERS.get(kind)
        value = reader(cell) if reader and len(cell) <= _LONGEST_READ else None
        if value is None:
            return write_text(sheet, cell)
        return make_value_cell(sheet, value) if isinstance(value, CellValue) else value
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).replace(tzinfo=None)
    if isinstance(cell, int | float) and not -_LARGEST < cell < _LARGEST:
        return str(cell)  # A sheet would round it.
    return cell


def _read_moment(text: str) -> date | None:
    """A day, or a day with a time as JSON has it, in UTC. None for what a sheet has no place for."""
    if len(text) == _LETTERS_OF_DAY and (day := _read_iso_day(text)):
        return day
    moment = _read_iso_time(text)
    if moment is not None:
        return moment if moment.date() >= FIRST_DAY else None
    day = read_day(text)
    return day if day is not None and day >= FIRST_DAY else None


def _read_iso_time(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text) if len(text) > _LETTERS_OF_DAY else None
    except ValueError:
        return None
    return moment.astimezone(UTC).replace(tzinfo=None) if moment and moment.tzinfo else moment


def _read_iso_day(text: str) -> date | None:
    """2026-11-28 alone is a day, also of a text that its schema calls none."""
    if len(text) != _LETTERS_OF_DAY or text[4] != "-" or text[7] != "-":
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day >= FIRST_DAY else None


_READERS: Mapping[str, Callable[[str], CellValue | date | None]] = {
    "number": read_number,
    "day": _read_moment,
    "moment": _read_moment,
    "text": _read_iso_day,
}
