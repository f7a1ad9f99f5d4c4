"""Results as CSV: one table, or a ZIP of one a list and one of documents."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import IO

from documents.reading.exports.csv_lines import MARK, format_lines
from documents.results.loading import ResultDocument
from documents.results.tables import Cell, ResultTable, Tabulator
from documents.results.writing.base import ResultWriter, Summary
from kit.http.streamed_files import BLOCK_BYTES, WrittenParts
from kit.timestamps import format_timestamp

# It begins each line behind the table, which readers of CSV can pass over.
NOTE = "#"
MEMORY = 256 * 1024
LEFT_OUT = "left-out.csv"


class CsvTable(ResultWriter):
    """The list of what was left out follows the table behind an empty line, each line with a # before it."""

    def __init__(self, tabulator: Tabulator, note_work: Callable[[], None] = lambda: None) -> None:
        super().__init__(tabulator, note_work)
        self.table, self._parts = tabulator.tables[0], list[str]()

    def begin(self) -> bytes:
        return MARK + encode(format_lines([self.tabulator.list_heads(self.table)]))

    def add(self, document: ResultDocument) -> int:
        return append_lines(self._parts, self.tabulator, self.table, document)

    def take(self) -> bytes:
        text, self._parts = "".join(self._parts), []
        return encode(text)

    def finish(self, summary: Summary) -> Iterator[bytes]:
        yield self.take()
        if summary.is_remarkable:
            yield encode(format_lines([[], [f"{NOTE} {summary.describe()}"]]))
            for omission in summary.omissions:
                yield encode(format_lines([[f"{NOTE} {omission.kind}", *omission[1:]]]))


class CsvArchive(ResultWriter):
    """A list may follow in any document, so each table grows on the disk until the end."""

    def __init__(self, tabulator: Tabulator, note_work: Callable[[], None] = lambda: None) -> None:
        super().__init__(tabulator, note_work)
        self.files: list[IO[bytes]] = [
            tempfile.SpooledTemporaryFile(MEMORY)  # noqa: SIM115 - `close`
            for _ in tabulator.tables
        ]

    def begin(self) -> bytes:
        for table, file in zip(self.tabulator.tables, self.files, strict=True):
            file.write(MARK + encode(format_lines([self.tabulator.list_heads(table)])))
        return b""

    def add(self, document: ResultDocument) -> int:
        number = 0
        for table, file in zip(self.tabulator.tables, self.files, strict=True):
            parts: list[str] = []
            number += append_lines(parts, self.tabulator, table, document)
            file.write(encode("".join(parts)))
        return number

    def take(self) -> bytes:
        return b""

    def finish(self, summary: Summary) -> Iterator[bytes]:
        parts = WrittenParts()
        with zipfile.ZipFile(parts, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, file in zip(name_entries(self.tabulator.tables), self.files, strict=True):
                file.seek(0)
                with archive.open(name, "w", force_zip64=True) as entry:
                    while block := file.read(BLOCK_BYTES):
                        entry.write(block)
                        yield parts.take()
            archive.writestr(LEFT_OUT, MARK + encode(_format_omissions(summary)))
        yield parts.take()

    def close(self) -> None:
        for file in self.files:
            file.close()


def append_lines(parts: list[str], tabulator: Tabulator, table: ResultTable, document: ResultDocument) -> int:
    lines = [[_write_cell(cell) for cell in line] for line in tabulator.iterate_lines(table, document)]
    parts.append(format_lines(lines))
    return len(lines)


def name_entries(tables: Sequence[ResultTable]) -> list[str]:
    """Field names are any text: of each only what a name of a file may have, and no name twice."""
    names: dict[str, None] = {LEFT_OUT: None}
    for table in tables:
        stem = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in table.title)[:60].lower()
        name, number = f"{stem}.csv", 1
        while name in names:
            number += 1
            name = f"{stem}-{number}.csv"
        names[name] = None
    return list(names)[1:]


def encode(text: str) -> bytes:
    """Half a sign of a pair, which JSON may have, is no text of UTF-8."""
    return text.encode("utf-8", "replace")


def _write_cell(cell: Cell) -> object:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return format_timestamp(cell) if isinstance(cell, datetime) else cell


def _format_omissions(summary: Summary) -> str:
    proposed = [("proposed", "", "", summary.describe())] if summary.proposed else []
    return format_lines([("kind", "document_id", "document", "reason"), *proposed, *summary.omissions])
