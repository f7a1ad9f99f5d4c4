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
    package = Package(file)
    try:
        formulas = open_book(file, data_only=False)
        values = open_book(file, data_only=True) if has_formulas(package) else {}
        for name in formulas.sheetnames:
            if hasattr(formulas[name], "iter_rows"):
                yield from read_sheet(formulas[name], values[name] if values else None).list_blocks()
        # Behind the sheets: which of them shows it stands in drawings that are not followed.
        yield from package.list_pictures("xl/media/")
    except Unreadable:
        raise
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, SyntaxError, IndexError) as error:
        raise make_damage_error("its sheets cannot be found or understood") from error


def has_formulas(package: Package) -> bool:
    """A book gives either formulas or values, so one with both is gone through twice."""
    return any(b"<f" in package.read(name) for name in package.names if name.startswith("xl/worksheets/sheet"))


def open_book(file: BinaryIO, *, data_only: bool) -> Any:
    return openpyxl.load_workbook(file, read_only=True, data_only=data_only, keep_links=False)


def read_sheet(formulas: Any, values: Any) -> Sheet:
    """values: the same sheet, or none where it has no formulas."""
    sheet = Sheet(formulas.title, formulas.sheet_state != "visible")
    for cells, shown in pair_rows(formulas, values):
        for cell, value in zip(cells, shown, strict=False):
            if cell.value is not None:
                text = format_value(cell.value if value.value is None else value.value, cell.number_format)
                sheet.add(cell.row - 1, cell.column - 1, text)
    return sheet


def pair_rows(formulas: Any, values: Any) -> Iterator[tuple[Any, Any]]:
    # What a file says of its own extent may be wrong, or the last cell of a sheet.
    formulas.reset_dimensions()
    if values is None:
        return ((row, row) for row in formulas.iter_rows())
    values.reset_dimensions()
    return zip(formulas.iter_rows(), values.iter_rows(), strict=False)
