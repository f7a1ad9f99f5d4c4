"""ODS: its cells hold what the sheet shows."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from reader.gaps import Gap
from reader.layout.blocks import Block
from reader.markup.safe_xml import Node
from reader.office.formats.values import Shown
from reader.office.formulas import Place
from reader.office.odf import SKIPPED, read_cell, read_comment
from reader.office.open_document.cell_formats import CellFormats, ColumnStyles, read_value
from reader.office.package import open_package
from reader.office.sheets import Sheet
from reader.office.words import read_number
from reader.pages import Limits

MAX_REPEATED = 1_048_576
# A reference in brackets, and the dot before a place of the same sheet.
REFERENCE, PLACE_MARK = re.compile(r"\[([^\]]*)\]"), re.compile(r"(?<![^:])\.")
UNSEEN = ("collapse", "filter")


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    package = open_package(file, SKIPPED)
    root = package.parse("content.xml", SKIPPED)
    hidden = set(list_hidden_styles(root))
    formats = CellFormats(root, package.parse_if_there("styles.xml", SKIPPED))
    body = root.find("body", "spreadsheet")
    for table in body.elements if body else ():
        if table.kind == "table":
            yield from SheetReader(table, table.get("style-name") in hidden, formats).read().list_blocks()
    yield from package.list_pictures("Pictures/")


def list_hidden_styles(root: Node) -> Iterator[str]:
    styles = root.find("automatic-styles")
    for style in styles.elements if styles else ():
        properties = style.find("table-properties")
        if properties and properties.get("display") == "false":
            yield style.get("name")


def list_columns(node: Node) -> Iterator[Node]:
    """With those in groups, and without going through the rows."""
    for child in node.elements:
        if child.kind == "table-column":
            yield child
        elif child.kind.startswith("table-column") or child.kind == "table-header-columns":
            yield from list_columns(child)


class SheetReader:
    def __init__(self, table: Node, is_hidden: bool, formats: CellFormats) -> None:
        self.table, self.formats = table, formats
        self.sheet = Sheet(table.get("name"), is_hidden)
        self.columns = ColumnStyles()

    def read(self) -> Sheet:
        self.read_columns()
        row = 0
        for node in self.table.find_all("table-row"):
            # A row with something in it that stands for many says the same many times; once is enough to read it.
            if node.get("visibility") in UNSEEN:
                self.sheet.hidden_rows.add(row)
            self.read_row(node, row)
            row += count_repeated(node.get("number-rows-repeated"))
        return self.sheet

    def read_columns(self) -> None:
        first = 0
        for node in list_columns(self.table):
            count = count_repeated(node.get("number-columns-repeated"))
            self.columns.add(first, node.get("default-cell-style-name"))
            if node.get("visibility") in UNSEEN:
                self.sheet.hidden_columns.append(range(first, first + count))
            first += count

    def read_row(self, node: Node, row: int) -> None:
        column = 0
        for cell in node.elements:
            if cell.kind == "table-cell":
                style = cell.get("style-name") or node.get("default-cell-style-name") or self.columns.find(column)
                self.read_cell(cell, (row, column), style)
            if cell.kind in ("table-cell", "covered-table-cell"):
                column += count_repeated(cell.get("number-columns-repeated"))

    def read_cell(self, cell: Node, place: Place, style: str) -> None:
        if comment := read_comment(cell):
            self.sheet.comments[place] = comment
        value = read_value(cell)
        formula = write_formula(cell.get("formula"))
        is_open = bool(formula) and value is None and cell.find("p") is None and not cell.get("string-value")
        self.sheet.add_shown(*place, value, Shown(formula) if is_open else self.show(cell, value, style))
        if formula and place in self.sheet.texts:
            self.sheet.formulas[place] = formula
            self.sheet.uncomputed += [place] if is_open else []
        down, across = read_number(cell.get("number-rows-spanned")), read_number(cell.get("number-columns-spanned"))
        if place in self.sheet.texts and (down, across) != (1, 1):
            self.sheet.spans[place] = down, across

    def show(self, cell: Node, value: float | bool | str | None, style: str) -> Shown:
        """Give the text of a cell. A program that writes no text leaves the value or only its formula."""
        text = read_cell(cell)
        if text or cell.find("p"):
            return Shown(text)
        if value is None:
            return Shown(cell.get("string-value"))
        return self.formats.show(value, cell.get("value-type"), style)


def write_formula(stored: str) -> str:
    """of:=SUM([.B2:.B9]) as people write it: =SUM(B2:B9)."""
    at = stored.find("=")
    return REFERENCE.sub(lambda match: PLACE_MARK.sub("", match[1]), stored[at:]) if at >= 0 else ""


def count_repeated(text: str) -> int:
    return min(int(text), MAX_REPEATED) if text.isdecimal() and 0 < len(text) < 8 else 1
