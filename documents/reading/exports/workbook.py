"""Tables as sheets of a workbook."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from documents.reading.tables.spans import PlacedCell, place_rows
from documents.reading.tables.structure import Table

# XML 1.0 has no place for these.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# The most that a cell of a sheet holds.
_MAX_TEXT = 32_767


def export_workbook(tables: Sequence[Table]) -> bytes:
    """An XLSX file with a sheet for each table, whose heads stay in view and whose spans are merged cells.

    Every cell is text: a formula of a document is never one of ours.
    """
    from openpyxl import Workbook  # noqa: PLC0415 - 18 MB with numpy, which it takes in where it is installed

    book = Workbook(write_only=True)
    for number, table in enumerate(tables, start=1):
        fill_sheet(book.create_sheet(f"Table {number} (page {table.page})"), table)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def fill_sheet(sheet: Any, table: Table) -> None:
    from openpyxl.styles import Font  # noqa: PLC0415 - see above

    heads = place_rows(table.names, table.width)
    if heads:
        sheet.freeze_panes = f"A{len(heads) + 1}"
    bold = Font(bold=True)
    for number, row in enumerate([*heads, *place_rows(table.body, table.width)], start=1):
        cells: list[Any] = [None] * table.width
        for placed in row:
            cells[placed.column] = _make_text_cell(sheet, placed.text, bold if number <= len(heads) else None)
            if placed.row_span > 1 or placed.col_span > 1:
                sheet.merged_cells.add(name_range(number, placed))
        sheet.append(cells)


def name_range(row: int, cell: PlacedCell) -> str:
    from openpyxl.utils import get_column_letter  # noqa: PLC0415 - see above

    first, last = get_column_letter(cell.column + 1), get_column_letter(cell.column + cell.col_span)
    return f"{first}{row}:{last}{row + cell.row_span - 1}"


def _make_text_cell(sheet: object, text: str, font: object) -> object:
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 - see above

    cell = WriteOnlyCell(sheet, value=_CONTROLS.sub(" ", text)[:_MAX_TEXT])
    cell.data_type = "s"
    if font:
        cell.font = font
    return cell
