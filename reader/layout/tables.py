"""Tables on pages: how wide their columns are, and the lines that their rows come to."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from reader.failures import OverLimit
from reader.layout.blocks import Cell, Table
from reader.layout.fonts import measure
from reader.layout.set_pages import (
    LINE_HEIGHT,
    MARGIN,
    WIDTH,
    Piece,
    Rule,
    SetPage,
    SetWord,
    Style,
    clean,
    wrap_text,
)
from reader.words import CellPlace

CELL, HEAD, NAME = Style(8.0), Style(8.0, "bold"), Style(6.5, "regular", is_grey=True)
PAD_X, PAD_Y = 5.0, 2.5
# Beyond it a text is wrapped; a word alone may be wider.
COMFORTABLE, LONGEST_WORD, NARROWEST = 180.0, 300.0, 18.0
FEW_WORDS = 80.0
# A row that is no higher is not broken over two pages.
WHOLE_ROW = 120.0
# A page may be as wide as a large sheet; what is wider goes on, below, as a table of its own.
WIDEST = 1600.0
NAMES_WIDTH, NAMES_HEIGHT = 30.0, 11.0
MAX_CELLS, MAX_COLUMNS = 300_000, 20_000


class PlacedCell(NamedTuple):
    cell: Cell
    row: int
    column: int


class TableGrid:
    """count: told of every text, which it may refuse. number: which table of the file it is, from 1.

    Raises OverLimit for more cells than a file may have.
    """

    def __init__(self, table: Table, count: Callable[[str], None], number: int = 1) -> None:
        self.table, self.number = table, number
        self.places = place_cells(table.rows)
        for place in self.places:
            count(place.cell.text)
        self.column_count = max((place.column + place.cell.columns for place in self.places), default=0)
        self.widths = self.measure_columns()
        self.names_width = NAMES_WIDTH if table.row_names else 0.0
        self.bands = [Band(self, first, last) for first, last in self.split_columns()]

    def measure_columns(self) -> list[float]:
        comfortable, needed = [NARROWEST] * self.column_count, [NARROWEST] * self.column_count
        for cell, _, column in self.places:
            if cell.columns > 1:
                continue
            style = choose_style(cell)
            longest = max((measure(word, style.face, style.size) for word in clean(cell.text).split()), default=0.0)
            whole = max(measure(part[:200], style.face, style.size) for part in cell.text.split("\n"))
            needed[column] = max(needed[column], min(longest, LONGEST_WORD) + 2 * PAD_X)
            comfortable[column] = max(comfortable[column], min(whole, COMFORTABLE) + 2 * PAD_X)
        comfortable = [max(pair) for pair in zip(comfortable, needed, strict=True)]
        return fit_columns(comfortable, needed, WIDTH - 2 * MARGIN - (NAMES_WIDTH if self.table.row_names else 0.0))

    def name_cell(self, place: PlacedCell) -> str:
        cell = place.cell
        rows = min(cell.rows, len(self.table.rows) - place.row)
        return str(CellPlace(self.number, place.row + 1, place.column + 1, rows, cell.columns, cell.is_head))

    def split_columns(self) -> list[tuple[int, int]]:
        """First and last of the columns that fit on a page beside each other."""
        bands: list[tuple[int, int]] = []
        first, reached = 0, 0.0
        for at, width in enumerate(self.widths):
            if at > first and reached + width > WIDEST:
                bands.append((first, at - 1))
                first, reached = at, 0.0
            reached += width
        return [*bands, (first, self.column_count - 1)] if self.column_count else []


class Band:
    """Columns of a table that stand beside each other on a page: all of them, but for very wide ones."""

    def __init__(self, grid: TableGrid, first: int, last: int) -> None:
        self.grid = grid
        self.lefts = [MARGIN + grid.names_width]
        for width in grid.widths[first : last + 1]:
            self.lefts.append(self.lefts[-1] + width)
        self.first = first
        self.width = self.lefts[-1] - MARGIN
        rows: dict[int, list[PlacedCell]] = {row: [] for row in range(len(grid.table.rows))}
        for place in grid.places:
            if first <= place.column <= last:
                rows[place.row].append(place)
        self.rows = [GridRow(self, number, places) for number, places in rows.items()]

    def find_edges(self, place: PlacedCell) -> tuple[float, float]:
        left = place.column - self.first
        return self.lefts[left], self.lefts[min(left + place.cell.columns, len(self.lefts) - 1)]

    def draw_names(self, page: SetPage, y: float) -> float:
        """The names of the columns, above the rows of a page. Returns where the rows begin."""
        names = self.grid.table.column_names[self.first :]
        if not names:
            return y
        page.rules.append(Rule(MARGIN, y, self.lefts[-1], y + NAMES_HEIGHT, is_shade=True))
        for left, right, name in zip(self.lefts, self.lefts[1:], names, strict=False):
            width = measure(name, NAME.face, NAME.size)
            page.words.append(SetWord(name, (left + right - width) / 2, y + 1.5, width, NAME))
        return y + NAMES_HEIGHT


class GridRow:
    def __init__(self, band: Band, number: int, places: Sequence[PlacedCell]) -> None:
        self.band, self.number = band, number
        self.cells = [(place, self.wrap(place)) for place in places]
        self.line_count = max((len(lines) for _, lines in self.cells), default=1) or 1

    def wrap(self, place: PlacedCell) -> list[list[Piece]]:
        left, right = self.band.find_edges(place)
        return list(wrap_text(place.cell.text, choose_style(place.cell), max(right - left - 2 * PAD_X, 1.0)))

    def measure_line(self, at: int) -> float:
        pads = (at == 0) + (at == self.line_count - 1)
        return LINE_HEIGHT * CELL.size + PAD_Y * pads

    def measure_room(self, at: int) -> float:
        """Measure the room that this line of it needs on a page."""
        whole = sum(map(self.measure_line, range(self.line_count))) if at == 0 and self.line_count < 20 else 0.0
        return whole if 0 < whole <= WHOLE_ROW else self.measure_line(at)

    def place_line(self, page: SetPage, at: int, y: float, *, is_first_on_page: bool) -> None:
        bottom = y + self.measure_line(at)
        self.draw_name(page, at, y, bottom)
        for place, lines in self.cells:
            self.draw_edges(page, place, (y, bottom), is_top=at == 0 or is_first_on_page, at=at)
            if at < len(lines):
                self.place_words(page, place, lines[at], y + PAD_Y * (at == 0))

    def place_words(self, page: SetPage, place: PlacedCell, pieces: list[Piece], y: float) -> None:
        left = self.find_left(place, pieces)
        style, cell = choose_style(place.cell), self.band.grid.name_cell(place)
        # Any cell may be the first of its row that is filled.
        indent = self.band.grid.table.indent
        page.words += [
            SetWord(text, left + x, y, width, style, place.cell.address, cell, number == 0, 0 if number else indent)
            for number, (text, x, width) in enumerate(pieces)
        ]

    def find_left(self, place: PlacedCell, pieces: list[Piece]) -> float:
        left, right = self.band.find_edges(place)
        if place.cell.is_number and pieces:
            return max(left + PAD_X, right - PAD_X - pieces[-1].x - pieces[-1].width)
        return left + PAD_X

    def draw_edges(self, page: SetPage, place: PlacedCell, span: tuple[float, float], *, is_top: bool, at: int) -> None:
        (left, right), (top, bottom) = self.band.find_edges(place), span
        page.rules += [Rule(left, top, left, bottom), Rule(right, top, right, bottom)]
        if is_top:
            page.rules.append(Rule(left, top, right, top))
        if at == self.line_count - 1 and place.cell.rows == 1:
            page.rules.append(Rule(left, bottom, right, bottom))

    def draw_name(self, page: SetPage, at: int, y: float, bottom: float) -> None:
        if not self.band.grid.names_width:
            return
        page.rules.append(Rule(MARGIN, y, MARGIN + NAMES_WIDTH, bottom, is_shade=True))
        if at == 0:
            name = self.band.grid.table.row_names[self.number]
            width = measure(name, NAME.face, NAME.size)
            page.words.append(SetWord(name, MARGIN + NAMES_WIDTH - width - 3, y + PAD_Y + 1, width, NAME))


def choose_style(cell: Cell) -> Style:
    return HEAD if cell.is_head else CELL


def place_cells(rows: Sequence[Sequence[Cell]]) -> list[PlacedCell]:
    """Each cell in the first column that no cell from above reaches into, as browsers do it."""
    places: list[PlacedCell] = []
    covered: dict[int, int] = {}
    for number, row in enumerate(rows):
        column = 0
        for cell in row:
            while covered.get(column, 0) > number:
                column += 1
            if column + cell.columns > MAX_COLUMNS or len(places) == MAX_CELLS:
                raise OverLimit(f"A table has more than {MAX_COLUMNS:,} columns or {MAX_CELLS:,} cells.")
            places.append(PlacedCell(cell, number, column))
            if cell.rows > 1:
                covered |= dict.fromkeys(range(column, column + cell.columns), number + cell.rows)
            column += cell.columns
    return places


def fit_columns(comfortable: list[float], needed: list[float], available: float) -> list[float]:
    """As wide as comfortable if that fits, else the room beyond what each needs is shared by what each lacks.

    Where the page has to be wider anyway, a few words stay on one line.
    """
    lacking = sum(comfortable) - sum(needed)
    room = available - sum(needed)
    if room < 0:
        return [max(need, min(width, FEW_WORDS)) for need, width in zip(needed, comfortable, strict=True)]
    if sum(comfortable) <= available or lacking <= 0:
        return comfortable
    share = max(0.0, room) / lacking
    return [need + (width - need) * share for width, need in zip(comfortable, needed, strict=True)]
