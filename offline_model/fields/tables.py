"""Tables: a header row of three cells or more, and the rows below it."""

import re
from dataclasses import dataclass

from offline_model.fields.labels import SUMMARY
from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.values import parse_number
from offline_model.fields.vocabulary import lookup_column
from offline_model.text import split_words, to_snake_case
from printed.folding import fold_letters
from printed.languages import write_pattern

END = re.compile(rf"^\W*{write_pattern(lambda language: language.table_ends)}")


@dataclass(frozen=True)
class Table:
    header: LayoutLine
    columns: tuple[str, ...]
    rows: tuple[LayoutLine, ...]

    def column(self, n: int) -> list[str]:
        return [get_columns(row)[n] for row in self.rows]


def find_tables(layout: Layout) -> list[Table]:
    """Every table; a page that repeats an earlier table in full adds nothing."""
    tables: list[Table] = []
    end = 0
    for at, line in enumerate(layout.lines):
        if at >= end and _is_header(line):
            table = _read_table(layout, at)
            end = at + 1 + len(table.rows)
            if table.rows and not _is_in_summary(layout, at):
                tables.append(table)
    return _join_tables(tables)


def _is_in_summary(layout: Layout, at: int) -> bool:
    return any(SUMMARY.search(fold_letters(line.text)) for line in layout.lines[max(0, at - 2) : at + 1])


def _is_header(line: LayoutLine) -> bool:
    worded = all(split_words(cell) and not re.search(r"\d", cell) for cell in line.cells)
    known = sum(lookup_column(cell) is not None for cell in line.cells)
    labelled = any(cell.endswith(":") for cell in line.cells)
    return len(line.cells) >= 3 and worded and not labelled and (known >= 2 or len(line.cells) >= 3)


def _read_table(layout: Layout, at: int) -> Table:
    header = layout.lines[at]
    following = layout.lines[at + 1 :]
    rows: list[LayoutLine] = []
    for line in following:
        # The header of a table that goes on from an earlier page is a line of that page.
        if line.page != following[0].page or END.search(fold_letters(line.text)) or _is_sum(line):
            break
        is_aligned = len(get_columns(line)) == len(get_columns(header))
        if is_aligned and any(parse_number(c) is not None for c in line.cells):
            rows.append(line)
        elif len(line.cells) > 1:
            break
    return Table(header, name_columns(get_columns(header)), tuple(rows))


def _is_sum(line: LayoutLine) -> bool:
    """A label and its amount below the rows of a table."""
    columns = get_columns(line)
    return len(line.cells) == 2 and (len(columns) == 2 or not columns[0])


def get_columns(line: LayoutLine) -> tuple[str, ...]:
    return line.columns or line.cells


def name_columns(cells: tuple[str, ...]) -> tuple[str, ...]:
    names: list[str] = []
    for cell in cells:
        known = lookup_column(cell)
        name = known.name if known and known.name not in names else to_snake_case(cell) or "column"
        names.append(name if name not in names else f"{name}_{len(names) + 1}")
    return tuple(names)


def _join_tables(tables: list[Table]) -> list[Table]:
    """Tables with the same columns are one that went on over pages."""
    joined: dict[tuple[str, ...], Table] = {}
    for table in tables:
        earlier = joined.get(table.columns)
        if earlier is None:
            joined[table.columns] = table
        elif not _repeats(earlier, table):
            joined[table.columns] = Table(earlier.header, earlier.columns, earlier.rows + table.rows)
    return list(joined.values())


def _repeats(earlier: Table, table: Table) -> bool:
    seen = [row.cells for row in earlier.rows]
    return all(row.cells in seen for row in table.rows)
