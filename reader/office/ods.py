"""ODS: its cells hold what the sheet shows."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from reader.gaps import Gap
from reader.layout.blocks import Block
from reader.markup.safe_xml import Node
from reader.office.odf import SKIPPED, read_cell, read_comment
from reader.office.package import open_package
from reader.office.sheets import Sheet
from reader.office.words import read_number
from reader.pages import Limits

MAX_REPEATED = 1_048_576
# A reference in brackets, and the dot before a place of the same sheet.
REFERENCE, PLACE_MARK = re.compile(r"\[([^\]]*)\]"), re.compile(r"(?<![^:])\.")
UNSEEN = ("collapse", "filter")
NUMBERS = ("float", "percentage", "currency", "date", "time")


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    package = open_package(file, SKIPPED)
    root = package.parse("content.xml", SKIPPED)
    hidden = set(list_hidden_styles(root))
    body = root.find("body", "spreadsheet")
    for table in body.elements if body else ():
        if table.kind == "table":
            yield from read_sheet(table, table.get("style-name") in hidden).list_blocks()
    yield from package.list_pictures("Pictures/")


def list_hidden_styles(root: Node) -> Iterator[str]:
    styles = root.find("automatic-styles")
    for style in styles.elements if styles else ():
        properties = style.find("table-properties")
        if properties and properties.get("display") == "false":
            yield style.get("name")


def read_sheet(table: Node, is_hidden: bool) -> Sheet:
    sheet = Sheet(table.get("name"), is_hidden, hidden_columns=list(list_hidden_columns(table)))
    row = 0
    for node in table.find_all("table-row"):
        # A row with something in it that stands for many says the same many times; once is enough to read it.
        if node.get("visibility") in UNSEEN:
            sheet.hidden_rows.add(row)
        read_row(sheet, node, row)
        row += count_repeated(node.get("number-rows-repeated"))
    return sheet


def list_columns(node: Node) -> Iterator[Node]:
    """With those in groups, and without going through the rows."""
    for child in node.elements:
        if child.kind == "table-column":
            yield child
        elif child.kind.startswith("table-column") or child.kind == "table-header-columns":
            yield from list_columns(child)


def list_hidden_columns(table: Node) -> Iterator[range]:
    first = 0
    for node in list_columns(table):
        count = count_repeated(node.get("number-columns-repeated"))
        if node.get("visibility") in UNSEEN:
            yield range(first, first + count)
        first += count


def read_row(sheet: Sheet, node: Node, row: int) -> None:
    column = 0
    for cell in node.elements:
        if cell.kind not in ("table-cell", "covered-table-cell"):
            continue
        if cell.kind == "table-cell" and (comment := read_comment(cell)):
            sheet.comments[row, column] = comment
        if cell.kind == "table-cell" and (text := read_shown(cell)):
            sheet.add(row, column, text, is_number=cell.get("value-type") in NUMBERS)
            if formula := cell.get("formula"):
                sheet.formulas[row, column] = write_formula(formula)
                sheet.uncomputed += [(row, column)] if text == write_formula(formula) else []
            down, across = read_number(cell.get("number-rows-spanned")), read_number(cell.get("number-columns-spanned"))
            if (down, across) != (1, 1):
                sheet.spans[row, column] = down, across
        column += count_repeated(cell.get("number-columns-repeated"))


def read_shown(cell: Node) -> str:
    """Read the text of a cell. A program that writes no text leaves the value or only its formula."""
    text = read_cell(cell)
    if text or cell.find("p"):
        return text
    return cell.get("string-value") or cell.get("date-value") or cell.get("value") or write_formula(cell.get("formula"))


def write_formula(stored: str) -> str:
    """of:=SUM([.B2:.B9]) as people write it: =SUM(B2:B9)."""
    at = stored.find("=")
    return REFERENCE.sub(lambda match: PLACE_MARK.sub("", match[1]), stored[at:]) if at >= 0 else ""


def count_repeated(text: str) -> int:
    return min(int(text), MAX_REPEATED) if text.isdecimal() and 0 < len(text) < 8 else 1
