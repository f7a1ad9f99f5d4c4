"""Sheets, whatever the file is: cells by their places, as a table that bears the names of its rows and columns."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from reader.failures import OverLimit
from reader.gaps import Gap
from reader.layout.blocks import Block, Cell, Heading, Note, PageBreak, Paragraph, Table
from reader.office.formats.values import Shown
from reader.office.formulas import Place, list_areas, name_column

# The time for opening a file is enough for twice as many.
MAX_CELLS = 150_000
MAX_MERGED = 10_000
# Show so many empty rows or columns in a row; the names tell that there are more.
MAX_GAP = 2
# Lines with formulas behind a sheet; of the others it is said how many there are.
MAX_FORMULAS = 300
# Cells, rows and columns that a sentence names.
MAX_NAMED = 8
NO_VALUE = "the file stores no value. Open it in a spreadsheet program, save it, then upload that."
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


@dataclass
class Sheet:
    """Places count from 0. `spans`: rows and columns of cells that go over several; `numbers`: where numbers stand.

    `comments` and `formulas` stand behind the sheet. `computed`: cells whose value was computed here, since the file
    stores none; `uncomputed`: those that show their formula itself. `plain_formats`: how many are shown without theirs.
    """

    name: str
    is_hidden: bool = False
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    spans: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    numbers: set[tuple[int, int]] = field(default_factory=set)
    comments: dict[tuple[int, int], str] = field(default_factory=dict)
    formulas: dict[tuple[int, int], str] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[range] = field(default_factory=list)
    margins: dict[str, str] = field(default_factory=dict)
    computed: list[Place] = field(default_factory=list)
    uncomputed: list[Place] = field(default_factory=list)
    plain_formats: int = 0
    hidden_by_format: int = 0

    def add(self, row: int, column: int, text: str, *, is_number: bool = False) -> None:
        if text:
            if len(self.texts) == MAX_CELLS:
                raise OverLimit(f"A sheet has more than {MAX_CELLS:,} cells with something in them.")
            self.texts[row, column] = text
            if is_number:
                self.numbers.add((row, column))

    def add_shown(self, row: int, column: int, value: object, shown: Shown) -> None:
        """value: as the sheet keeps it, days as they are counted."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        self.plain_formats += shown.is_plain
        self.hidden_by_format += is_number and not shown.text and value != 0
        self.add(row, column, shown.text, is_number=is_number)

    def list_blocks(self) -> Iterator[Block | Gap]:
        yield PageBreak()
        yield from self.list_margin("head")
        yield Heading(f"{self.name} (hidden)" if self.is_hidden else self.name, 3)
        if hidden := describe_hidden(self):
            yield Paragraph(hidden)
        if self.texts:
            yield self.make_table()
        for place, text in sorted(self.comments.items()):
            yield Paragraph(f"[{name_cell(place)}] {text}", f"{quote_name(self.name)}{name_cell(place)}")
        yield from self.list_margin("foot")
        yield from self.list_formulas()
        yield from list_gaps(self)

    def list_margin(self, name: str) -> Iterator[Block]:
        if text := self.margins.get(name):
            yield Paragraph(text)

    def list_formulas(self) -> Iterator[Block]:
        areas = list_areas({place: text for place, text in self.formulas.items() if self.texts.get(place) != text})
        for area in areas[:MAX_FORMULAS]:
            first, last = name_cell(area.first), name_cell(area.last)
            cells = first if first == last else f"{first}:{last}"
            yield Paragraph(f"[{cells}] {area.formula}", f"{quote_name(self.name)}{first}")
        if len(areas) > MAX_FORMULAS:
            yield Note(f"[and {len(areas) - MAX_FORMULAS:,} more formulas]")

    def make_table(self) -> Table:
        rows, columns = choose_shown({row for row, _ in self.texts}), choose_shown({at for _, at in self.texts})
        prefix = quote_name(self.name)
        covered: set[tuple[int, int]] = set()
        cells = [[*self.list_cells(row, (rows, columns), prefix, covered)] for row in rows]
        return Table(cells, [name_column(at) for at in columns], [str(row + 1) for row in rows])

    def list_cells(
        self, row: int, shown: tuple[Sequence[int], Sequence[int]], prefix: str, covered: set[tuple[int, int]]
    ) -> Iterator[Cell]:
        for at in shown[1]:
            if (row, at) in covered:
                continue
            down, across = self.spans.get((row, at), (1, 1))
            rows, columns = cut(shown[0], row, down), cut(shown[1], at, across)
            if len(rows) * len(columns) > 1:
                covered.update((r, c) for r in rows for c in columns)
            address, is_number = f"{prefix}{name_column(at)}{row + 1}", (row, at) in self.numbers
            text = self.texts.get((row, at), "")
            yield Cell(text, address, len(columns), len(rows), is_number=is_number)


def describe_hidden(sheet: Sheet) -> str:
    """Name the rows and columns with something in them that nobody sees."""
    rows = sorted({row for row, _ in sheet.texts} & sheet.hidden_rows)
    used = {column for _, column in sheet.texts}
    columns = sorted(column for column in used if any(column in hidden for hidden in sheet.hidden_columns))
    names = [("row", join_numbers(rows, lambda row: str(row + 1))), ("column", join_numbers(columns, name_column))]
    pieces = [
        f"{word}{'s' if len(numbers) > 1 or '-' in numbers[0] else ''} {', '.join(numbers)}"
        for word, numbers in names
        if numbers
    ]
    return f"(hidden: {'; '.join(pieces)})" if pieces else ""


def join_numbers(numbers: Sequence[int], write: Callable[[int], str]) -> list[str]:
    """Neighbours as one, such as 2-5; of many the first."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    names = [write(first) if first == last else f"{write(first)}-{write(last)}" for first, last in runs[:MAX_NAMED]]
    return [*names, "others"] if len(runs) > MAX_NAMED else names


def list_gaps(sheet: Sheet) -> Iterator[Gap]:
    where = f"On sheet “{sheet.name}”" if sheet.name else "On the sheet"
    if sheet.computed:
        yield Gap(
            "computed",
            f"{where} {count_cells(sheet.computed)} computed here: the file stores no value.",
            None,
            sheet.name,
        )
    if sheet.uncomputed:
        yield Gap("formula", f"{where} {count_cells(sheet.uncomputed)} not computed: {NO_VALUE}", None, sheet.name)
    if sheet.plain_formats:
        count = f"{sheet.plain_formats:,} {'number is' if sheet.plain_formats == 1 else 'numbers are'}"
        yield Gap(
            "format", f"{where} {count} shown without the number format, which is not understood.", None, sheet.name
        )
    if sheet.hidden_by_format:
        count = f"{sheet.hidden_by_format:,} {'number is' if sheet.hidden_by_format == 1 else 'numbers are'}"
        yield Gap("hidden", f"{where} {count} hidden by the number format, and left out.", None, sheet.name)


def count_cells(places: Sequence[Place]) -> str:
    """With the verb that goes on: `2 formulas (A1, B2) were`."""
    named = ", ".join(map(name_cell, sorted(places)[:MAX_NAMED]))
    more = f" and {len(places) - MAX_NAMED:,} more" if len(places) > MAX_NAMED else ""
    return f"1 formula ({named}) was" if len(places) == 1 else f"{len(places):,} formulas ({named}{more}) were"


def cut(shown: Sequence[int], first: int, count: int) -> Sequence[int]:
    """Cut the shown ones to so many rows or columns."""
    return shown[bisect_left(shown, first) : bisect_left(shown, first + count)]


def quote_name(name: str) -> str:
    """Before the name of a cell; a file of one sheet without a name has none."""
    if not name or PLAIN_NAME.fullmatch(name):
        return f"{name}!" if name else ""
    return "'{}'!".format(name.replace("'", "''"))


def choose_shown(numbers: set[int]) -> list[int]:
    """The numbers from the first to the last, long gaps cut short."""
    shown: list[int] = []
    for number in sorted(numbers):
        first = max(shown[-1] + 1, number - MAX_GAP) if shown else number
        shown += range(first, number + 1)
    return shown


def name_cell(place: Place) -> str:
    """A12 for (11, 0)."""
    return f"{name_column(place[1])}{place[0] + 1}"
