"""XLS through calamine: the values, as the sheet shows them. Its formulas are stored in a form that is not read."""

import datetime
from collections.abc import Iterator
from typing import BinaryIO

from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

from reader.failures import Unreadable, make_damage_error
from reader.gaps import Gap
from reader.layout.blocks import Block, Note
from reader.office.formats.values import count_days, format_value
from reader.office.sheets import MAX_MERGED, Sheet
from reader.office.xls_formats import Look, read_looks
from reader.pages import Limits

DAYS = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)
NO_FORMULAS = "[Formulas of a file of this age are not shown, only what they came to. Save it as XLSX to see them.]"


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    try:
        book = CalamineWorkbook.from_filelike(file)
        looks = read_looks(file)
        for at, about in enumerate(book.sheets_metadata):
            if about.typ == SheetTypeEnum.WorkSheet:
                is_hidden = about.visible != SheetVisibleEnum.Visible
                look = looks[at] if at < len(looks) else Look()
                yield from read_sheet(book, about.name, is_hidden, look).list_blocks()
                if look.has_formulas:
                    yield Note(NO_FORMULAS)
    except PasswordError:
        raise Unreadable("The file is locked with a password. Save it without one, then upload it.") from None
    except CalamineError as error:
        raise make_damage_error("its sheets cannot be found or understood") from error


def read_sheet(book: CalamineWorkbook, name: str, is_hidden: bool, look: Look) -> Sheet:
    sheet = Sheet(name, is_hidden, comments=look.comments)
    sheet.hidden_rows, sheet.hidden_columns = look.hidden_rows, look.hidden_columns
    stored = book.get_sheet_by_name(name)
    if stored.start is None:
        return sheet
    top, left = stored.start
    for row, values in enumerate(stored.iter_rows(), start=top):
        for column, value in enumerate(values, start=left):
            code = find_code(value, look.formats.get((row, column), "General"))
            counted = count_days(value) if isinstance(value, DAYS) else value
            sheet.add_shown(row, column, counted, format_value(counted, code))
    for first, last in (stored.merged_cell_ranges or [])[:MAX_MERGED]:
        sheet.spans[first] = last[0] - first[0] + 1, last[1] - first[1] + 1
    return sheet


def find_code(value: object, code: str) -> str:
    """A day whose format is not stored is shown with the year first."""
    if code != "General" or not isinstance(value, DAYS):
        return code
    if isinstance(value, datetime.timedelta):
        return "[h]:mm:ss"
    if isinstance(value, datetime.time):
        return "hh:mm:ss"
    has_time = isinstance(value, datetime.datetime) and value.time() != datetime.time()
    return "yyyy-mm-dd hh:mm:ss" if has_time else "yyyy-mm-dd"
