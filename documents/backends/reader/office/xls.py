"""XLS through calamine: the values as they are stored."""

import datetime
from collections.abc import Iterator
from typing import BinaryIO

from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

from documents.backends.reader.failures import Unreadable, make_damage_error
from documents.backends.reader.layout.blocks import Block
from documents.backends.reader.office.number_formats import format_value
from documents.backends.reader.office.sheets import Sheet
from documents.backends.reader.pages import Limits


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    try:
        book = CalamineWorkbook.from_filelike(file)
        for about in book.sheets_metadata:
            if about.typ == SheetTypeEnum.WorkSheet:
                yield from read_sheet(book, about.name, about.visible != SheetVisibleEnum.Visible).list_blocks()
    except PasswordError:
        raise Unreadable("The file is locked with a password. Save it without one, then upload it.") from None
    except CalamineError as error:
        raise make_damage_error("its sheets cannot be found or understood") from error


def read_sheet(book: CalamineWorkbook, name: str, is_hidden: bool) -> Sheet:
    sheet = Sheet(name, is_hidden)
    stored = book.get_sheet_by_name(name)
    if stored.start is None:
        return sheet
    top, left = stored.start
    for row, values in enumerate(stored.iter_rows(), start=top):
        for column, value in enumerate(values, start=left):
            sheet.add(row, column, format_stored(value))
    return sheet


def format_stored(value: object) -> str:
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return format_value(value, "General")
