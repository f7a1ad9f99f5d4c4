"""XLSX through openpyxl: values as the sheet shows them, with their formulas."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import BinaryIO

import openpyxl
from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.utils import column_index_from_string
from openpyxl.worksheet.worksheet import Worksheet

from reader.failures import Unreadable, make_damage_error
from reader.layout.blocks import Block
from reader.office.number_formats import format_value
from reader.office.package import Package
from reader.office.sheets import MAX_MERGED, Sheet
from reader.office.words import join_text
from reader.pages import Limits

Cells = Sequence[Cell]
MERGED = re.compile(rb'<(?:\w{1,20}:)?mergeCell ref="([A-Z]{1,3}[1-9]\d{0,6}):([A-Z]{1,3}[1-9]\d{0,6})"')
PLACE = re.compile(r"[A-Z]{1,3}[1-9]\d{0,6}")


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    package = Package(file)
    try:
        formulas = open_book(file, data_only=False)
        values = open_book(file, data_only=True) if has_formulas(package) else {}
        for name in formulas.sheetnames:
            if hasattr(formulas[name], "iter_rows"):
                sheet = read_sheet(formulas[name], values[name] if values else None)
                add_merged_and_comments(sheet, package, formulas[name]._worksheet_path)
                yield from sheet.list_blocks()
        # Behind the sheets: which of them shows it stands in drawings that are not followed.
        yield from package.list_pictures("xl/media/")
    except Unreadable:
        raise
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, SyntaxError, IndexError) as error:
        raise make_damage_error("its sheets cannot be found or understood") from error


def has_formulas(package: Package) -> bool:
    """A book gives either formulas or values, so one with both is gone through twice."""
    return any(b"<f" in package.read(name) for name in package.names if name.startswith("xl/worksheets/sheet"))


def open_book(file: BinaryIO, *, data_only: bool) -> Workbook:
    return openpyxl.load_workbook(file, read_only=True, data_only=data_only, keep_links=False)


def read_sheet(formulas: Worksheet, values: Worksheet | None) -> Sheet:
    """values: the same sheet, or none where it has no formulas."""
    sheet = Sheet(formulas.title, formulas.sheet_state != "visible")
    for cells, shown in pair_rows(formulas, values):
        for cell, value in zip(cells, shown, strict=False):
            if cell.value is not None:
                shown_value = cell.value if value.value is None else value.value
                text = format_value(shown_value, cell.number_format)
                sheet.add(cell.row - 1, cell.column - 1, text, is_number=not isinstance(shown_value, str | bool))
                if values is not None and cell.data_type == "f" and isinstance(cell.value, str):
                    sheet.formulas[cell.row - 1, cell.column - 1] = cell.value
    return sheet


def add_merged_and_comments(sheet: Sheet, package: Package, part: str) -> None:
    """openpyxl gives neither of a book that it goes through row by row."""
    if part not in package.names:
        return
    for first, last in islice(MERGED.findall(package.read(part)), MAX_MERGED):
        (top, left), (bottom, right) = read_place(first.decode()), read_place(last.decode())
        sheet.spans[top, left] = max(1, bottom - top + 1), max(1, right - left + 1)
    comments = next((name for kind, name in package.list_relations(part).values() if kind == "comments"), "")
    root = package.parse_if_there(comments)
    for comment in root.find_all("comment") if root else ():
        if PLACE.fullmatch(comment.get("ref")):
            sheet.comments[read_place(comment.get("ref"))] = join_text(comment)


def read_place(address: str) -> tuple[int, int]:
    """(11, 0) of A12."""
    letters = address.rstrip("0123456789")
    return int(address[len(letters) :]) - 1, column_index_from_string(letters) - 1


def pair_rows(formulas: Worksheet, values: Worksheet | None) -> Iterator[tuple[Cells, Cells]]:
    # A file's word about its own extent may be wrong, or the last cell of a sheet.
    formulas.reset_dimensions()
    if values is None:
        return ((row, row) for row in formulas.iter_rows())
    values.reset_dimensions()
    return zip(formulas.iter_rows(), values.iter_rows(), strict=False)
