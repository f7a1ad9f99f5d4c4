"""Lines of CSV, the one way in which they are written: text that a spreadsheet would run is told to be text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from documents.reading.exports.formulas import escape_formula

# Without this mark of its encoding Excel takes UTF-8 for something else.
MARK = "\ufeff".encode()


def format_lines(lines: Iterable[Iterable[object]], *, line_end: str = "\r\n") -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator=line_end).writerows(map(escape_formula, line) for line in lines)
    return out.getvalue()
