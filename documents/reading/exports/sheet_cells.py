"""Texts of documents as cells of a workbook, which are never formulas, errors or links of ours."""

from __future__ import annotations

import re

from documents.reading.exports.cell_values import CellValue

# XML 1.0 has no place for these.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Letters that a cell, and the name of a sheet, may have.
MAX_TEXT, MAX_NAME = 32_767, 31
# openpyxl would take these for a formula, or for an error such as #N/A.
_SIGNS = ("=", "#")


def clean_text(text: str) -> str:
    return _CONTROLS.sub(" ", text)[:MAX_TEXT]


def make_text_cell(sheet: object, text: str) -> object:
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 - 18 MB with numpy, which it takes in where it is installed

    cell = WriteOnlyCell(sheet, value=clean_text(text))
    cell.data_type = "s"
    return cell


def make_value_cell(sheet: object, value: CellValue) -> object:
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 - see above

    cell = WriteOnlyCell(sheet, value=value.value)
    cell.number_format = value.number_format
    return cell


def write_text(sheet: object, text: str) -> object:
    """The text itself where that is enough, which costs a third of a cell."""
    return make_text_cell(sheet, text) if text.startswith(_SIGNS) else clean_text(text)
