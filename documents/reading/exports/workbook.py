"""Tables as sheets of a workbook."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from documents.reading.exports.cell_values import CellValue, ColumnValues
from documents.reading.exports.sheet_cells import MAX_NAME, make_text_cell, make_value_cell
from documents.reading.gaps import name_pages
from documents.reading.tables.spans import PlacedCell, place_rows
from documents.reading.tables.structure import Table


def export_workbook(tables: Sequence[Table]) -> bytes:
    """An XLSX file with a sheet for each table, whose heads stay in view and whose spans are merged cells.

    A table that goes on over pages has one sheet. A cell that wholly is a number or a day is one; whatever else stands
    in a cell is text: a formula of a document is never one of ours.
    """
    from openpyxl import Workbook  # noqa: PLC0415 - 18 MB with numpy, which it takes in where it is installed

    book = Workbook(write_only=True)
    for number, pieces in enumerate(join_pages(tables), start=1):
        name = f"Table {number} ({name_pages([piece.page for piece in pieces])})"
        fill_sheet(book.create_sheet(name[:MAX_NAME]), pieces)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def join_pages(tables: Sequence[Table]) -> list[list[Table]]:
    """Tables of following pages that are one: the later piece has no head of its own, or the same one again."""
    joined: list[list[Table]] = []
    for table in tables:
        if joined and goes_on(joined[-1][-1], table):
            joined[-1].append(table)
        else:
            joined.append([table])
    return joined


def goes_on(last: Table, table: Table) -> bool:
    if table.page != last.page + 1 or table.width != last.width or not last.names:
        return False
    return bool(table.carried) or list_heads(last) == list_heads(table)


def list_heads(table: Table) -> list[list[str]]:
    return [row.list_texts(table.width) for row in table.names]


def fill_sheet(sheet: Any, pieces: Sequence[Table]) -> None:
    """pieces: of one table, page by page."""
    from openpyxl.styles import Font  # noqa: PLC0415 - see above

    width = pieces[0].width
    heads = place_rows(pieces[0].names, width)
    if heads:
        sheet.freeze_panes = f"A{len(heads) + 1}"
    body = [row for piece in pieces for row in place_rows(piece.body, width)]
    columns = ColumnValues(body, width)
    bold = Font(bold=True)
    for number, row in enumerate([*heads, *body], start=1):
        cells: list[Any] = [None] * width
        for placed in row:
            is_head = number <= len(heads)
            value = None if is_head else columns.read(placed)
            cells[placed.column] = _make_cell(sheet, placed.text, value, bold if is_head else None)
            if placed.row_span > 1 or placed.col_span > 1:
                sheet.merged_cells.add(name_range(number, placed))
        sheet.append(cells)


def name_range(row: int, cell: PlacedCell) -> str:
    from openpyxl.utils import get_column_letter  # noqa: PLC0415 - see above

    first, last = get_column_letter(cell.column + 1), get_column_letter(cell.column + cell.col_span)
    return f"{first}{row}:{last}{row + cell.row_span - 1}"


def _make_cell(sheet: object, text: str, value: CellValue | None, font: object) -> object:
    cell: Any = make_text_cell(sheet, text) if value is None else make_value_cell(sheet, value)
    if font:
        cell.font = font
    return cell
