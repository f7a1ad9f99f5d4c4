"""The cells of a worksheet as they are stored, gone through once and without a tree."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.parsers import expat

from reader.failures import OverLimit
from reader.markup.safe_xml import NotWellFormed, refuse_entities
from reader.office.escapes import decode_escapes
from reader.office.formulas import Place, read_column, shift_references
from reader.office.sheets import MAX_CELLS, MAX_MERGED

ADDRESS = re.compile(r"\$?([A-Z]{1,3})\$?([1-9]\d{0,6})")
MARGINS = ("oddHeader", "oddFooter")
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384


class StoredCell(NamedTuple):
    """kind: of its value, `n` for a number. formula: with its sign of equality, or empty."""

    kind: str
    style: int
    value: str
    formula: str


@dataclass
class StoredSheet:
    """hidden_rows and hidden_columns: counted from 0. drawings: ids of relations. margins: with their codes."""

    cells: dict[Place, StoredCell] = field(default_factory=dict)
    spans: dict[Place, tuple[int, int]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[range] = field(default_factory=list)
    drawings: list[str] = field(default_factory=list)
    margins: dict[str, str] = field(default_factory=dict)


def read_place(address: str) -> Place | None:
    """(11, 0) of A12."""
    match = ADDRESS.fullmatch(address)
    place = (int(match[2]) - 1, read_column(match[1]) - 1) if match else None
    return place if place and place[0] < LAST_ROW and place[1] < LAST_COLUMN else None


def parse_part(
    data: bytes, start: Callable[[str, dict[str, str]], None], end: Callable[[str], None], text: Callable[[str], None]
) -> None:
    """Names come without prefixes. Raises NotWellFormed or EntitiesDeclared."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: start(name.rpartition(":")[2], attributes)
    parser.EndElementHandler = lambda name: end(name.rpartition(":")[2])
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = refuse_entities
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise NotWellFormed(f"The file is damaged: its XML breaks off in line {error.lineno}.") from error


class SheetParser:
    """A row or a cell without an address follows the one before it."""

    def __init__(self) -> None:
        self.sheet = StoredSheet()
        self.row = self.column = -1
        self.kind = self.formula_kind = self.formula_group = ""
        self.style = self.phonetic = 0
        self.texts: list[str] | None = None
        self.value: list[str] = []
        self.formula: list[str] = []
        self.shared: dict[str, tuple[Place, str]] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "c":
            self.start_cell(attributes)
        elif name in ("v", "t"):
            self.texts = self.value if not self.phonetic else None
        elif name == "f":
            self.formula_kind, self.formula_group = attributes.get("t", ""), attributes.get("si", "")
            self.texts = self.formula
        elif name == "row":
            self.start_row(attributes)
        elif name == "rPh":
            self.phonetic += 1
        elif name in MARGINS:
            self.value = []
            self.texts = self.value
        else:
            self.start_other(name, attributes)

    def start_row(self, attributes: dict[str, str]) -> None:
        number = attributes.get("r", "")
        self.row = int(number) - 1 if number.isdecimal() and 0 < len(number) < 8 else self.row + 1
        self.column = -1
        if attributes.get("hidden") in ("1", "true"):
            self.sheet.hidden_rows.add(self.row)

    def start_cell(self, attributes: dict[str, str]) -> None:
        place = read_place(attributes.get("r", ""))
        self.row, self.column = place or (self.row, self.column + 1)
        self.kind, style = attributes.get("t", "n"), attributes.get("s", "0")
        self.style = int(style) if style.isdecimal() and len(style) < 7 else 0
        self.value, self.formula = [], []
        self.formula_kind = self.formula_group = ""

    def start_other(self, name: str, attributes: dict[str, str]) -> None:
        if name == "mergeCell" and len(self.sheet.spans) < MAX_MERGED:
            first, _, last = attributes.get("ref", "").partition(":")
            start, end = read_place(first), read_place(last)
            if start and end:
                self.sheet.spans[start] = max(1, end[0] - start[0] + 1), max(1, end[1] - start[1] + 1)
        elif (
            name == "col" and attributes.get("hidden") in ("1", "true") and len(self.sheet.hidden_columns) < MAX_MERGED
        ):
            first, last = attributes.get("min", ""), attributes.get("max", "")
            if first.isdecimal() and last.isdecimal() and len(first) < 6 and len(last) < 6:
                self.sheet.hidden_columns.append(range(int(first) - 1, int(last)))
        elif name in ("drawing", "legacyDrawing"):
            self.sheet.drawings += [value for key, value in attributes.items() if key.endswith(":id")]

    def end(self, name: str) -> None:
        if name == "c":
            self.end_cell()
        elif name == "rPh":
            self.phonetic -= 1
        elif name in MARGINS:
            self.sheet.margins[name] = "".join(self.value)
        if name in ("v", "t", "f", *MARGINS):
            self.texts = None

    def end_cell(self) -> None:
        value, formula = "".join(self.value), self.join_formula()
        if value or formula:
            if len(self.sheet.cells) > MAX_CELLS:
                raise OverLimit(f"A sheet has more than {MAX_CELLS:,} cells with something in them.")
            self.sheet.cells[self.row, self.column] = StoredCell(self.kind, self.style, value, formula)

    def join_formula(self) -> str:
        """Cells that compute alike name the one that has the formula."""
        text, place = "".join(self.formula).strip(), (self.row, self.column)
        if self.formula_kind == "shared" and text:
            self.shared[self.formula_group] = place, text
        elif self.formula_kind == "shared" and self.formula_group in self.shared:
            first, shared = self.shared[self.formula_group]
            text = shift_references(shared, place[0] - first[0], place[1] - first[1])
        elif self.formula_kind == "dataTable":
            return ""
        return f"={text.replace('_xlfn.', '').replace('_xlws.', '')}" if text else ""

    def add_text(self, text: str) -> None:
        if self.texts is not None:
            self.texts.append(text)


def parse_sheet(data: bytes) -> StoredSheet:
    parser = SheetParser()
    parse_part(data, parser.start, parser.end, parser.add_text)
    return parser.sheet


class StringParser:
    """Strings that cells share; how they are pronounced is no part of them."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self.texts: list[str] = []
        self.phonetic = 0
        self.is_text = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.phonetic += name == "rPh"
        self.is_text = name == "t" and not self.phonetic
        if name == "si":
            self.texts = []

    def end(self, name: str) -> None:
        self.phonetic -= name == "rPh"
        self.is_text = False
        if name == "si":
            self.strings.append(decode_escapes("".join(self.texts)))

    def add_text(self, text: str) -> None:
        if self.is_text:
            self.texts.append(text)


def parse_strings(data: bytes) -> list[str]:
    parser = StringParser()
    parse_part(data, parser.start, parser.end, parser.add_text)
    return parser.strings
