"""Sheets, whatever the file is: cells by their places, as a table that bears the names of its rows and columns."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reader.failures import OverLimit
from reader.layout.blocks import Block, Cell, Heading, Note, PageBreak, Paragraph, Table
from reader.office.formulas import Place, list_areas

# The time for opening a file is enough for twice as many.
MAX_CELLS = 150_000
MAX_MERGED = 10_000
# Show so many empty rows or columns in a row; the names tell that there are more.
MAX_GAP = 2
# Lines with formulas behind a sheet; of the others it is said how many there are.
MAX_FORMULAS = 300
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


@dataclass
class Sheet:
    """Places count from 0. `spans`: rows and columns of cells that go over several; `numbers`: where numbers stand.

    `comments` and `formulas` stand behind the sheet; a cell without a stored value shows its formula itself.
    """

    name: str
    is_hidden: bool = False
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    spans: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    numbers: set[tuple[int, int]] = field(default_factory=set)
    comments: dict[tuple[int, int], str] = field(default_factory=dict)
    formulas: dict[tuple[int, int], str] = field(default_factory=dict)

    def add(self, row: int, column: int, text: str, *, is_number: bool = False) -> None:
        if text:
            if len(self.texts) == MAX_CELLS:
                raise OverLimit(f"A sheet has more than {MAX_CELLS:,} cells with something in them.")
            self.texts[row, column] = text
            if is_number:
                self.numbers.add((row, column))

    def list_blocks(self) -> Iterator[Block]:
        yield PageBreak()
        yield Heading(f"{self.name} (hidden)" if self.is_hidden else self.name, 3)
        if self.texts:
            yield self.make_table()
        for place, text in sorted(self.comments.items()):
            yield Paragraph(f"[{name_cell(place)}] {text}", f"{quote_name(self.name)}{name_cell(place)}")
        yield from self.list_formulas()

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


def name_column(number: int) -> str:
    """A for 0, AA for 26."""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
