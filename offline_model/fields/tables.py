"""Tables: a header row of three cells or more, and the rows below it."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.values import find_date, parse_number
from offline_model.fields.vocabulary import Field, lookup_head, part_heads
from offline_model.text import split_words, to_snake_case
from printed.currencies import SURE
from printed.folding import fold_letters
from printed.languages import write_pattern

SUMMARY = re.compile(r"(gst|tax|vat) summary")
END = re.compile(rf"^\W*{write_pattern(lambda language: f'{language.table_ends} {language.sum_rows}')}")
END_ALONE = re.compile(rf"{END.pattern}\W*")
MAX_WORDS = 14
BRACKETS = re.compile(r"\([^()]*\)")


@dataclass(frozen=True)
class Table:
    header: LayoutLine
    columns: tuple[str, ...]
    rows: tuple[LayoutLine, ...]

    def column(self, n: int) -> list[str]:
        return [get_columns(row)[n] for row in self.rows]

    @property
    def known_count(self) -> int:
        return sum(lookup_cell(cell) is not None for cell in get_columns(self.header))


@lru_cache(maxsize=8)
def find_tables(layout: Layout) -> tuple[Table, ...]:
    """Every table; a page that repeats an earlier table in full adds nothing."""
    tables: list[Table] = []
    end = 0
    for at, line in enumerate(layout.lines):
        if at >= end and _is_header(line):
            table = _read_table(layout, at)
            end = at + 1 + len(table.rows)
            if table.rows and not _is_in_summary(layout, at):
                tables.append(table)
    return tuple(_join_tables(tables))


@lru_cache(maxsize=8)
def list_table_lines(layout: Layout) -> frozenset[LayoutLine]:
    """The heads and rows of tables of items: no label of theirs stands beside a value of the whole document."""
    items = [table for table in find_tables(layout) if is_item_table(table)]
    return frozenset(line for table in items for line in (table.header, *table.rows))


def is_item_table(table: Table) -> bool:
    names = {head[0].name for cell in get_columns(table.header) if (head := lookup_cell(cell))}
    return len(names & {"description", "quantity", "unit_price", "amount"}) > 1


def lookup_cell(cell: str) -> tuple[Field, int] | None:
    """The column that the cell of a head names; amounts, dates and sentences name none."""
    bare = SURE.sub(" ", BRACKETS.sub(" ", cell)).replace("€", " ")
    words = split_words(bare) or split_words(cell)
    return lookup_head(tuple(words)) if 0 < len(words) <= 6 else (("%" in cell and lookup_head(("vat",))) or None)


def _is_in_summary(layout: Layout, at: int) -> bool:
    return any(SUMMARY.search(fold_letters(line.text)) for line in layout.lines[max(0, at - 2) : at + 1])


def _is_header(line: LayoutLine) -> bool:
    known = {head[0].name for cell in line.cells if (head := lookup_cell(cell))}
    worded = all(split_words(cell) and not re.search(r"\d", cell) for cell in line.cells)
    valued = any(parse_number(cell) is not None or find_date(cell) for cell in line.cells)
    labelled = any(cell.endswith(":") for cell in line.cells)
    if labelled or valued:
        return False
    return (len(line.cells) >= 3 and (worded or len(known) >= 3)) or (len(line.cells) >= 2 and len(known) >= 2)


def _read_table(layout: Layout, at: int) -> Table:
    header = _mend_heads(layout.lines[at])
    following = layout.lines[at + 1 :]
    rows: list[LayoutLine] = []
    for line in following:
        # The header of a table that goes on from an earlier page is a line of that page.
        if line.page != following[0].page or (rows and _is_sum(line, len(get_columns(header)))):
            break
        is_aligned = len(get_columns(line)) == len(get_columns(header))
        if is_aligned and any(parse_number(c) is not None for c in line.cells):
            if END.search(fold_letters(line.text)) and _count_numbers(line) < 2:
                break
            rows.append(line)
        elif END.search(fold_letters(line.text)):
            break
        elif rows and is_aligned and len(line.cells) == 1 and len(get_columns(line)) > 1:
            rows[-1] = _join_rows(rows[-1], line)
        elif len(line.cells) > 1:
            break
    return Table(header, name_columns(get_columns(header)), tuple(rows))


def _mend_heads(header: LayoutLine) -> LayoutLine:
    """With the heads as their words tell them, where a cell names nothing or two name the same."""
    cells = get_columns(header)
    known = [head[0].name if (head := lookup_cell(cell)) else "" for cell in cells]
    words = split_words(header.text)
    is_told = all(known) and len(set(known)) == len(known)
    if is_told or not all(map(split_words, cells)) or not len(cells) <= len(words) <= MAX_WORDS:
        return header
    heads = part_heads(tuple(words), len(cells))
    return replace(header, cells=heads, columns=heads) if heads else header


def _count_numbers(line: LayoutLine) -> int:
    return sum(parse_number(cell) is not None for cell in line.cells)


def _join_rows(row: LayoutLine, below: LayoutLine) -> LayoutLine:
    """A description that goes on in the line below its row."""
    columns = tuple(" ".join(filter(None, pair)) for pair in zip(row.columns, below.columns, strict=True))
    return replace(row, columns=columns, cells=tuple(filter(None, columns)))


def _is_sum(line: LayoutLine, width: int) -> bool:
    """A label and its amount below the rows of a table."""
    columns = get_columns(line)
    if END.search(fold_letters(line.text)):
        is_alone = bool(END_ALONE.fullmatch(fold_letters(line.cells[0])))
        return is_alone or len(line.cells) == 2 or (len(line.cells) <= 3 and not columns[0])
    return len(line.cells) == 2 < width and (len(columns) == 2 or not columns[0])


def get_columns(line: LayoutLine) -> tuple[str, ...]:
    return line.columns or line.cells


def name_columns(cells: tuple[str, ...]) -> tuple[str, ...]:
    names: list[str] = []
    for cell in cells:
        known = lookup_cell(cell)
        name = known[0].name if known and known[0].name not in names else to_snake_case(cell) or "column"
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
