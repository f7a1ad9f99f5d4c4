"""Sheets, whatever the file is: cells by their places, as a table that bears the names of its rows and columns."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from documents.backends.reader.failures import OverLimit
from documents.backends.reader.layout.blocks import Block, Cell, Heading, PageBreak, Table

# What opening a file may compute is enough for twice as many.
MAX_CELLS = 150_000
# Of empty rows or columns in a row so many are shown; the names tell that there are more.
MAX_GAP = 2
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


@dataclass
class Sheet:
    """Places count from 0. `spans`: rows and columns of cells that go over several."""

    name: str
    is_hidden: bool = False
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    spans: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def add(self, row: int, column: int, text: str) -> None:
        if text:
            if len(self.texts) == MAX_CELLS:
                raise OverLimit(f"A sheet has more than {MAX_CELLS:,} cells with something in them.")
            self.texts[row, column] = text

    def list_blocks(self) -> Iterator[Block]:
        yield PageBreak()
        yield Heading(f"{self.name} (hidden)" if self.is_hidden else self.name, 3)
        if self.texts:
            yield self.make_table()

    def make_table(self) -> Table:
        rows, columns = choose_shown({row for row, _ in self.texts}), choose_shown({at for _, at in self.texts})
        prefix = quote_name(self.name)
        covered: set[tuple[int, int]] = set()
        cells = [[*self.list_cells(row, columns, prefix, covered)] for row in rows]
        return Table(cells, [name_column(at) for at in columns], [str(row + 1) for row in rows])

    def list_cells(
        self, row: int, columns: Sequence[int], prefix: str, covered: set[tuple[int, int]]
    ) -> Iterator[Cell]:
        for at in columns:
            if (row, at) in covered:
                continue
            down, across = self.spans.get((row, at), (1, 1))
            if (down, across) != (1, 1):
                covered.update((row + r, at + c) for r in range(down) for c in range(across))
            shown_across = sum(at <= column < at + across for column in columns)
            yield Cell(self.texts.get((row, at), ""), f"{prefix}{name_column(at)}{row + 1}", shown_across, down)


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


def name_column(number: int) -> str:
    """A for 0, AA for 26."""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
