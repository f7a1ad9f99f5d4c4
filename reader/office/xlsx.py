"""XLSX: values as the sheet shows them, with their formulas and with what stands beside the cells."""

from collections.abc import Iterator
from functools import cached_property
from typing import BinaryIO, NamedTuple

from reader.failures import make_damage_error
from reader.gaps import Gap
from reader.layout.blocks import Block, Paragraph
from reader.markup.safe_xml import Node
from reader.office.drawn.charts import read_charts
from reader.office.drawn.objects import list_objects
from reader.office.escapes import decode_escapes
from reader.office.formats.values import BUILT_IN, format_value
from reader.office.formulas import Place
from reader.office.package import Package
from reader.office.sheets import Sheet
from reader.office.unread import list_unread
from reader.office.words import join_text
from reader.office.workbook.cells import StoredCell, StoredSheet, parse_sheet, parse_strings, read_place
from reader.office.workbook.evaluation import Evaluator, Value
from reader.office.workbook.margins import read_margin
from reader.office.workbook.stored_days import read_stored_day
from reader.pages import Limits

MAX_OTHER_SHEETS = 5
TRUE = ("1", "true")
SHEETS = ("worksheet", "chartsheet")


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    package = Package(file)
    book = WorkbookFile(package)
    if not book.sheets:
        raise make_damage_error("its sheets cannot be found or understood")
    for entry in book.sheets:
        if entry.part in package.names:
            yield from SheetReader(book, entry).list_blocks()
    # Behind the sheets: which of them shows it stands in drawings that are not followed.
    yield from package.list_pictures("xl/media/")
    yield from list_unread(package)


class SheetEntry(NamedTuple):
    name: str
    part: str
    is_hidden: bool


class WorkbookFile:
    def __init__(self, package: Package) -> None:
        self.package = package
        self.main = package.find_main_part("xl/workbook.xml")
        self.relations = package.list_relations(self.main)
        root = package.parse(self.main)
        properties = root.find("workbookPr")
        self.from_1904 = properties is not None and properties.get("date1904") in TRUE
        self.sheets = [entry for node in root.find_all("sheet") if (entry := self.make_entry(node))]
        self.evaluator = Evaluator(self.find_cell)
        self.parsed: dict[str, StoredSheet] = {}

    def make_entry(self, node: Node) -> SheetEntry | None:
        """A sheet that is one chart has no cells. None for what is neither, such as the macros of old programs."""
        relation = next((value for name, value in node.attributes.items() if name.endswith(":id")), "")
        kind, part = self.relations.get(relation, ("", ""))
        is_hidden = node.get("state") in ("hidden", "veryHidden")
        return SheetEntry(decode_escapes(node.get("name")), part, is_hidden) if kind in SHEETS else None

    def find_part(self, kind: str) -> str:
        part = next((name for each, name in self.relations.values() if each == kind), "")
        return part if part in self.package.names else ""

    @cached_property
    def strings(self) -> list[str]:
        part = self.find_part("sharedStrings")
        return parse_strings(self.package.read(part)) if part else []

    @cached_property
    def codes(self) -> list[str]:
        """Number formats by the numbers that cells give."""
        root = self.package.parse_if_there(self.find_part("styles"))
        if root is None:
            return []
        own = {node.get("numFmtId"): decode_escapes(node.get("formatCode")) for node in root.find_all("numFmt")}
        looks = root.find("cellXfs")
        numbers = [look.get("numFmtId") for look in looks.elements] if looks else []
        return [
            own.get(number) or BUILT_IN.get(int(number) if number.isdecimal() and len(number) < 5 else 0, "General")
            for number in numbers
        ]

    def read_value(self, cell: StoredCell) -> float | bool | str | None:
        """None where none is stored; days as they are counted."""
        if not cell.value:
            return None
        match cell.kind:
            case "s":
                at = int(cell.value) if cell.value.strip().isdecimal() and len(cell.value) < 10 else -1
                return self.strings[at] if 0 <= at < len(self.strings) else ""
            case "b":
                return cell.value.strip() in TRUE
            case "d":
                return read_stored_day(cell.value, from_1904=self.from_1904)
            case "n":
                return read_stored_number(cell.value)
        return decode_escapes(cell.value)

    def find_code(self, cell: StoredCell, value: object) -> str:
        code = self.codes[cell.style] if cell.style < len(self.codes) else "General"
        if code == "General" and cell.kind == "d" and isinstance(value, float):
            return "yyyy-mm-dd" if value.is_integer() else "yyyy-mm-dd hh:mm:ss"
        return code

    def find_cell(self, name: str, place: Place) -> tuple[Value, str]:
        """As the evaluator asks for it; of a sheet that there is not, or is one too many, nothing is computed."""
        sheet = self.parsed.get(name)
        if sheet is None:
            entry = next((each for each in self.sheets if each.name == name and each.part in self.package.names), None)
            if entry is None or len(self.parsed) > MAX_OTHER_SHEETS:
                return "", ""
            sheet = self.parsed[name] = parse_sheet(self.package.read(entry.part))
        cell = sheet.cells.get(place)
        value = self.read_value(cell) if cell else None
        return (float(value) if isinstance(value, int | float) else value), cell.formula if cell else ""


def read_stored_number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


class SheetReader:
    def __init__(self, book: WorkbookFile, entry: SheetEntry) -> None:
        self.book, self.entry = book, entry
        self.relations = book.package.list_relations(entry.part)
        self.stored = book.parsed.get(entry.name) or parse_sheet(book.package.read(entry.part))
        self.sheet = Sheet(entry.name, entry.is_hidden, spans=self.stored.spans)

    def list_blocks(self) -> Iterator[Block | Gap]:
        has_open_formulas = any(cell.formula and not cell.value for cell in self.stored.cells.values())
        if has_open_formulas:
            self.book.parsed[self.entry.name] = self.stored
        for place, cell in self.stored.cells.items():
            self.add_cell(place, cell)
        self.sheet.hidden_rows, self.sheet.hidden_columns = self.stored.hidden_rows, self.stored.hidden_columns
        self.add_comments()
        for margin, name in (("head", "oddHeader"), ("foot", "oddFooter")):
            if text := read_margin(decode_escapes(self.stored.margins.get(name, "")), self.entry.name):
                self.sheet.margins[margin] = text
        yield from self.sheet.list_blocks()
        yield from self.list_drawn()

    def add_cell(self, place: Place, cell: StoredCell) -> None:
        value = self.book.read_value(cell)
        code = self.book.find_code(cell, value)
        if value is None and cell.formula:
            value = self.compute(place, cell)
        self.sheet.add_shown(*place, value, format_value(value, code, from_1904=self.book.from_1904))
        if cell.formula and cell.value:
            self.sheet.formulas[place] = cell.formula

    def compute(self, place: Place, cell: StoredCell) -> float | str:
        """The formula itself where it is not computed."""
        value = self.book.evaluator.evaluate(self.entry.name, place, cell.formula)
        if value is None:
            self.sheet.uncomputed.append(place)
            return cell.formula
        self.sheet.computed.append(place)
        self.sheet.formulas[place] = cell.formula
        return value

    def add_comments(self) -> None:
        part = next((name for kind, name in self.relations.values() if kind == "comments"), "")
        root = self.book.package.parse_if_there(part)
        if root is None:
            return
        authors = [node.own_text.strip() for node in root.find_all("author")]
        for comment in root.find_all("comment"):
            number = comment.get("authorId")
            author = authors[int(number)] if number.isdecimal() and int(number[:6]) < len(authors) else ""
            if place := read_place(comment.get("ref")):
                self.sheet.comments[place] = name_author(author, decode_escapes(join_text(comment)))

    def list_drawn(self) -> Iterator[Block | Gap]:
        """Boxes with text, and charts."""
        for relation in self.stored.drawings:
            kind, part = self.relations.get(relation, ("", ""))
            root = self.book.package.parse_if_there(part) if kind == "drawing" else None
            if root is None:
                continue
            for body in root.find_all("txBody"):
                lines = (join_text(line) for line in body.find_all("p"))
                yield from (Paragraph(line) for line in lines if line)
            yield from read_charts(self.book.package, self.book.package.list_relations(part), root)
        yield from list_objects(self.book.package, self.relations)


def name_author(author: str, text: str) -> str:
    """Many programs write the author before the text themselves."""
    return f"{author}: {text}" if author and not text.startswith(author) and not author.startswith("tc=") else text
