"""XLSX through openpyxl: values as the sheet shows them; the formula where no value was stored."""

import zipfile
from collections.abc import Iterator
from typing import Any, BinaryIO

import openpyxl

from documents.backends.reader.failures import Unreadable, make_damage_error
from documents.backends.reader.layout.blocks import Block
from documents.backends.reader.office.number_formats import format_value
from documents.backends.reader.office.package import Package
from documents.backends.reader.office.sheets import Sheet
from documents.backends.reader.pages import Limits


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    Package(file)
    try:
        # One sheet at a time: with formulas alone, then where there are any, the values beside them.
        formulas, values = open_book(file, data_only=False), open_book(file, data_only=True)
        for name in formulas.sheetnames:
            if hasattr(formulas[name], "iter_rows"):
                yield from read_sheet(formulas[name], values[name]).list_blocks()
    except Unreadable:
        raise
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, SyntaxError, IndexError) as error:
        raise make_damage_error("its sheets cannot be found or understood") from error


def open_book(file: BinaryIO, *, data_only: bool) -> Any:
    return openpyxl.load_workbook(file, read_only=True, data_only=data_only, keep_links=False)


def read_sheet(formulas: Any, values: Any) -> Sheet:
    sheet = Sheet(formulas.title, formulas.sheet_state != "visible")
    # What a file says of its own extent may be wrong, or the last cell of a sheet.
    for part in (formulas, values):
        part.reset_dimensions()
    for row, shown in zip(formulas.iter_rows(), values.iter_rows(), strict=False):
        for cell, value in zip(row, shown, strict=False):
            if cell.value is not None:
                text = format_value(cell.value if value.value is None else value.value, cell.number_format)
                sheet.add(cell.row - 1, cell.column - 1, text)
    return sheet
