"""The rows and cells of a document, as they come marked in a data block or plain from a tool."""

import html
import re
from dataclasses import dataclass
from functools import cached_property

from printed.dates import PrintedDate, find_dates
from printed.folding import fold_letters

# In a conversation with the name of the reading before it, as in [D1:2.14].
MARK = re.compile(r"\[(D\d+:)?(\d+)\.(\d+)\] *(.*)")
PAGE = re.compile(r'<page number="(\d+)"[^<>]*>')

SLASHED = re.compile(r"^\d{1,2}/\d{1,2}/\d{2,4}$")
# The end of an address in the United States: Austin, TX 78701.
STATE = re.compile(r",\s?[A-Z]{2},? \d{5}(-\d{4})?\b")


@dataclass(frozen=True)
class LayoutLine:
    page: int
    number: int
    cells: tuple[str, ...]
    columns: tuple[str, ...] = ()
    """As in a table, with the empty ones."""
    reading: str = ""
    """`D1:` in a conversation."""

    @cached_property
    def text(self) -> str:
        return " | ".join(self.cells)

    @property
    def mark(self) -> str:
        return f"{self.reading}{self.page}.{self.number}"


@dataclass(frozen=True, eq=False)
class Layout:
    lines: tuple[LayoutLine, ...]

    @cached_property
    def folded(self) -> str:
        return fold_letters(self.text)

    @cached_property
    def decimal_comma(self) -> bool:
        return len(re.findall(r"\d,\d\d(?!\d)", self.folded)) > len(re.findall(r"\d\.\d\d(?!\d)", self.folded))

    @cached_property
    def month_first(self) -> bool:
        """Whether days are printed as in the United States: one that can be read in no other way says so."""
        days = list(find_dates(self.folded))
        only_month = any(day.month_first and not day.day_first and SLASHED.search(self._cut(day)) for day in days)
        only_day = any(day.day_first and not day.month_first and SLASHED.search(self._cut(day)) for day in days)
        return (only_month or bool(STATE.search(self.text))) and not only_day

    def _cut(self, day: PrintedDate) -> str:
        return self.folded[day.start : day.end]

    @cached_property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def pages(self) -> int:
        return len({line.page for line in self.lines})


def read_layout(text: str, page: int = 1, *, only_marked: bool = False) -> Layout:
    """Reads `[page.line] cell | cell` rows; text without any mark is taken line by line unless only marks count."""
    marked = only_marked or any(MARK.match(row) for row in text.splitlines())
    lines: list[LayoutLine] = []
    for row in text.splitlines():
        opened = PAGE.match(row.strip())
        if opened:
            page = int(opened.group(1))
            continue
        line = _parse_marked_line(row) if marked else _parse_plain_line(row, page, len(lines) + 1)
        if line:
            lines.append(line)
    return Layout(tuple(_split_separated(lines)))


def _split_separated(lines: list[LayoutLine]) -> list[LayoutLine]:
    """Rows of a separated-values file in their cells: no line has columns, and all have the same semicolons."""
    counts = {line.text.count(";") for line in lines}
    if len(lines) < 2 or len(counts) != 1 or counts == {0} or any(len(line.cells) > 1 for line in lines):
        return lines
    return [LayoutLine(line.page, line.number, tuple(cell.strip() for cell in line.text.split(";"))) for line in lines]


def _parse_marked_line(row: str) -> LayoutLine | None:
    match = MARK.match(row)
    if not match:
        return None
    # The bar of an empty cell at the end may have lost its space.
    columns = tuple(map(_clean_cell, re.split(r"\t| \|(?: |$)", match.group(4))))
    cells = tuple(filter(None, columns))
    reading = match.group(1) or ""
    return LayoutLine(int(match.group(2)), int(match.group(3)), cells, columns, reading) if cells else None


def _parse_plain_line(row: str, page: int, number: int) -> LayoutLine | None:
    if row.strip().startswith(("<data", "</data", "</page")):
        return None
    cells = _split_cells(re.split(r" \| |\t+| {3,}", row))
    return LayoutLine(page, number, cells) if cells else None


def _split_cells(raw: list[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(_clean_cell, raw)))


def _clean_cell(text: str) -> str:
    return html.unescape(text).strip(" |")


def merge_layouts(first: Layout, second: Layout) -> Layout:
    """Both, each line once, in reading order; the second wins."""
    lines = {(line.page, line.number): line for line in (*first.lines, *second.lines)}
    return Layout(tuple(lines[key] for key in sorted(lines)))
