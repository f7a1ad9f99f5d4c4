"""Values as a list writes them: amounts and days as the reader's language does, all else as it was read."""

from __future__ import annotations

import re

from documents.extractions.extraction_view.value_text import format_value
from documents.find.fields.records import Value
from documents.values import Stored
from documents.views.columns.table import ListedColumn
from kit import formats

MAX_LETTERS = 200
# A value with more than figures and marks, such as a currency, keeps it.
_FIGURES = re.compile(r"[-+]?[\d.,'’\s]+")


def write_value(written: Stored, value: Value, column: ListedColumn) -> str:
    if column.is_number and value.number is not None and not _says_more(written):
        return formats.format_amount(value.number)
    if column.field and column.field.column == "day" and value.day is not None:
        return formats.format_day(value.day)
    return format_value(written, "")[:MAX_LETTERS]


def _says_more(written: Stored) -> bool:
    return isinstance(written, str) and not _FIGURES.fullmatch(written)
