"""Parts of an XLS that calamine leaves out ([MS-XLS]): number formats, comments, and formulas."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import olefile

from reader.office.formats.values import BUILT_IN

BOUND_SHEET, FORMAT, LOOK, BEGIN, END = 0x0085, 0x041E, 0x00E0, 0x0809, 0x000A
NUMBER, SHORT_NUMBER, SHORT_NUMBERS, FORMULA = 0x0203, 0x027E, 0x00BD, 0x0006
COMMENT, OBJECT, OBJECT_TEXT, CONTINUED = 0x001C, 0x005D, 0x01B6, 0x003C
ROW, COLUMNS, ROW_HIDDEN, COLUMN_HIDDEN = 0x0208, 0x007D, 0x20, 0x01
BIFF8 = 0x0600
# Sheets may name the same bytes again and again. Beyond it values are shown as they are stored.
MAX_RECORDS = 1_000_000
Place = tuple[int, int]


@dataclass
class Look:
    """The formats of a sheet, by row and column."""

    formats: dict[Place, str] = field(default_factory=dict)
    comments: dict[Place, str] = field(default_factory=dict)
    has_formulas: bool = False
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[range] = field(default_factory=list)

    def take_hidden(self, kind: int, data: bytes) -> None:
        if kind == ROW and struct.unpack_from("<H", data, 12)[0] & ROW_HIDDEN:
            self.hidden_rows.add(struct.unpack_from("<H", data)[0])
        elif kind == COLUMNS and struct.unpack_from("<H", data, 8)[0] & COLUMN_HIDDEN:
            first, last = struct.unpack_from("<HH", data)
            self.hidden_columns.append(range(first, last + 1))


def read_looks(file: BinaryIO) -> list[Look]:
    """Read the looks of each sheet; shorter, or empty, where the file has others or is broken."""
    try:
        return Book(read_stream(file)).list_sheets()
    except (OSError, ValueError, IndexError, TypeError, struct.error):
        return []


def read_stream(file: BinaryIO) -> bytes:
    file.seek(0)
    with olefile.OleFileIO(file) as ole:
        data: bytes = ole.openstream("Workbook").read() if ole.exists("Workbook") else b""
    return data


class Book:
    def __init__(self, stream: bytes) -> None:
        self.stream = stream
        self.room = MAX_RECORDS
        self.codes = dict(BUILT_IN)
        self.looks: list[int] = []
        self.places: list[int] = []

    def list_sheets(self) -> list[Look]:
        for kind, data in self.list_records(0):
            self.take_global(kind, data)
        return [self.read_look(place) for place in self.places]

    def take_global(self, kind: int, data: bytes) -> None:
        if kind == BEGIN and struct.unpack_from("<H", data)[0] != BIFF8:
            raise ValueError
        if kind == FORMAT:
            number, length, is_wide = struct.unpack_from("<HHB", data)
            text = data[5 : 5 + (2 * length if is_wide & 1 else length)]
            self.codes[number] = text.decode("utf-16-le" if is_wide & 1 else "latin-1", "replace")
        elif kind == LOOK:
            self.looks.append(struct.unpack_from("<H", data, 2)[0])
        elif kind == BOUND_SHEET:
            self.places.append(struct.unpack_from("<I", data)[0])

    def read_look(self, place: int) -> Look:
        look, notes = Look(), Notes()
        for kind, data in self.list_records(place):
            look.formats.update(self.list_formats(kind, data))
            look.take_hidden(kind, data)
            look.has_formulas = look.has_formulas or kind == FORMULA
            notes.take(kind, data)
        look.comments = notes.list_comments()
        return look

    def list_formats(self, kind: int, data: bytes) -> Iterator[tuple[Place, str]]:
        if kind in (NUMBER, SHORT_NUMBER, FORMULA):
            row, column, look = struct.unpack_from("<HHH", data)
            yield (row, column), self.find_code(look)
        elif kind == SHORT_NUMBERS:
            row, column = struct.unpack_from("<HH", data)
            for at in range(4, len(data) - 2, 6):
                yield (row, column + (at - 4) // 6), self.find_code(struct.unpack_from("<H", data, at)[0])

    def find_code(self, look: int) -> str:
        return self.codes.get(self.looks[look], "General") if look < len(self.looks) else "General"

    def list_records(self, start: int) -> Iterator[tuple[int, bytes]]:
        """To the end of what begins there. Charts inside of a sheet have an end of their own."""
        at, depth = start, 0
        while at + 4 <= len(self.stream) and self.room:
            kind, size = struct.unpack_from("<HH", self.stream, at)
            depth += (kind == BEGIN) - (kind == END)
            yield kind, self.stream[at + 4 : at + 4 + size]
            self.room -= 1
            if depth <= 0:
                return
            at += 4 + size


class Notes:
    """Comments: each is an object with a text, and a record that says in which cell the object is."""

    def __init__(self) -> None:
        self.places: dict[int, Place] = {}
        self.texts: dict[int, str] = {}
        self.last_object = 0
        self.letters_left = 0

    def take(self, kind: int, data: bytes) -> None:
        if kind == COMMENT:
            row, column, _, number = struct.unpack_from("<HHHH", data)
            self.places[number] = row, column
        elif kind == OBJECT:
            self.last_object = struct.unpack_from("<H", data, 6)[0]
        elif kind == OBJECT_TEXT:
            self.letters_left = struct.unpack_from("<H", data, 10)[0]
        elif kind == CONTINUED and self.letters_left:
            self.take_text(data)

    def take_text(self, data: bytes) -> None:
        """A part of it; each says anew how wide its letters are."""
        text = data[1:].decode("utf-16-le" if data[0] & 1 else "latin-1", "replace")[: self.letters_left]
        self.letters_left -= len(text)
        self.texts[self.last_object] = self.texts.get(self.last_object, "") + text

    def list_comments(self) -> dict[Place, str]:
        comments = {place: " ".join(self.texts.get(number, "").split()) for number, place in self.places.items()}
        return {place: text for place, text in comments.items() if text}
