"""The rows of a table under the names of its columns, with their cells read as numbers and days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from documents.find.tables.cells import FileTable, TextCell
from documents.find.tables.totals import TotalRow, find_totals
from documents.models import CurrentValue
from kit.rows.models import fold_case
from printed.numbers import find_decimal_mark, list_readings

MAX_ROWS_ABOVE = 20
MAX_HEADS = 2
MIN_FILLED = 0.5
# The reader writes the numbers of sheets so; other files write them as they do.
SHEETS = ("xlsx", "xls", "ods")


@dataclass(frozen=True)
class TableCell:
    text: str
    source: TextCell
    number: Decimal | None


@dataclass(frozen=True)
class FileRow:
    """`number` is that of the row in its table; `cells` by column, from 1."""

    table: FileTable
    number: int
    cells: Mapping[int, TableCell]

    @property
    def figures(self) -> dict[int, tuple[str, Decimal | None]]:
        return {column: (cell.text, cell.number) for column, cell in self.cells.items()}


@dataclass(frozen=True)
class NamedTable:
    """`names` by column: what the head says, else the letter; `letters` name a column as well."""

    table: FileTable
    names: Mapping[int, str]
    letters: Mapping[int, str]
    rows: Sequence[FileRow]
    totals: Sequence[TotalRow] = ()
    has_head: bool = True

    def find_column(self, name: str) -> int | None:
        folded_name = fold_case(name.strip())
        for names in (self.names, self.letters):
            for column, each in names.items():
                if fold_case(each) == folded_name:
                    return column
        return None


def read_rows(table: FileTable, *, extension: str) -> NamedTable:
    rows = table.group_rows()
    heads = _find_heads(table, rows)
    data = [number for number in rows if not heads or number > heads[-1]]
    filled = _fill_merged(rows, data)
    marks = _find_marks(filled, extension)
    listed = [FileRow(table, number, _read_cells(cells, marks)) for number, cells in filled.items()]
    totals = find_totals([(row.number, row.figures) for row in listed])
    left_out = {total.row for total in totals}
    kept = [row for row in listed if row.number not in left_out]
    letters = _name_letters(table)
    return NamedTable(table, _name_columns(rows, heads, letters), letters, kept, totals, has_head=bool(heads))


def _find_heads(table: FileTable, rows: Mapping[int, Mapping[int, TextCell]]) -> list[int]:
    """The rows that name the columns: words alone, about as many as there are columns, above other rows."""
    numbers = list(rows)
    for at, number in enumerate(numbers[:MAX_ROWS_ABOVE]):
        cells = rows[number]
        is_full = len(cells) >= max(2, MIN_FILLED * table.width) and at + 1 < len(numbers)
        if is_full and not any(is_figure(cell.text) for cell in cells.values()):
            above = numbers[at - 1] if at else 0
            is_group = above and any(cell.columns > 1 for cell in rows[above].values()) and len(rows[above]) > 1
            return [above, number] if is_group else [number]
        if any(is_figure(cell.text) for cell in cells.values()) and len(cells) >= max(2, MIN_FILLED * table.width):
            return []
    return []


def is_figure(text: str) -> bool:
    digits, letters = sum(map(str.isdigit, text)), sum(map(str.isalpha, text))
    return digits > 0 and digits >= letters


def _name_columns(
    rows: Mapping[int, Mapping[int, TextCell]], heads: Sequence[int], letters: Mapping[int, str]
) -> dict[int, str]:
    names: dict[int, list[str]] = {column: [] for column in letters}
    for number in heads[-MAX_HEADS:]:
        for column, cell in rows[number].items():
            for covered in range(column, min(column + cell.columns, len(letters) + 1)):
                names[covered].append(cell.text)
    joined = {column: _join_name(parts) or letters[column] for column, parts in names.items()}
    seen: dict[str, int] = {}
    for name in joined.values():
        seen[fold_case(name)] = seen.get(fold_case(name), 0) + 1
    return {c: name if seen[fold_case(name)] == 1 else f"{name} ({letters[c]})" for c, name in joined.items()}


def _join_name(parts: Sequence[str]) -> str:
    """Nothing for a text that is too long to be asked for."""
    name = " ".join(parts)
    return name if len(name) <= CurrentValue.MAX_PATH else ""


def _name_letters(table: FileTable) -> dict[int, str]:
    """As a sheet names its columns."""
    named = {column: cell.name.rstrip("0123456789") for (_, column), cell in table.cells.items() if cell.name}
    return {column: named.get(column) or _count_letters(column) for column in range(1, table.width + 1)}


def _count_letters(column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _fill_merged(rows: Mapping[int, Mapping[int, TextCell]], data: Sequence[int]) -> dict[int, dict[int, TextCell]]:
    """A name that goes over several rows is that of each; a number counts once."""
    filled: dict[int, dict[int, TextCell]] = {}
    open_names: dict[int, tuple[int, TextCell]] = {}
    for number in data:
        names = {column: cell for column, (end, cell) in open_names.items() if number < end}
        filled[number] = {**names, **rows[number]}
        for column, cell in rows[number].items():
            if cell.rows > 1 and not is_figure(cell.text):
                open_names[column] = number + cell.rows, cell
    return filled


def _find_marks(rows: Mapping[int, Mapping[int, TextCell]], extension: str) -> dict[int, str]:
    """Finds the decimal mark of each column, else that of the whole table."""
    texts: dict[int, list[str]] = {}
    for cells in rows.values():
        for column, cell in cells.items():
            texts.setdefault(column, []).append(cell.text)
    usual = "." if extension in SHEETS else find_decimal_mark(text for each in texts.values() for text in each)
    return {column: find_decimal_mark(each) or usual for column, each in texts.items()}


def _read_cells(cells: Mapping[int, TextCell], marks: Mapping[int, str]) -> dict[int, TableCell]:
    return {c: TableCell(cell.text, cell, read_number(cell.text, marks[c])) for c, cell in cells.items()}


def read_number(text: str, mark: str) -> Decimal | None:
    """Nothing for what can mean two amounts; brackets mean minus."""
    readings = list_readings(text, mark)
    if len(readings) == 2 and text.strip().startswith("("):
        return min(readings)
    return readings.pop() if len(readings) == 1 else None
