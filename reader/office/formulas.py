"""Formulas of a sheet as lines behind it: one for all cells below or beside each other that compute the same way."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

Place = tuple[int, int]
MAX_LETTERS = 500
# Words in quotes are no reference, nor is the name of a function such as LOG10(.
REFERENCE = re.compile(r'"[^"]*"|(?<![A-Za-z0-9_.$])(\$?)([A-Z]{1,3})(\$?)([1-9]\d{0,6})(?![A-Za-z0-9_(])')


class Area(NamedTuple):
    """Cells that compute the same way: the corners, the formula of the first, and what it says of its own place."""

    first: Place
    last: Place
    formula: str
    sense: str


def list_areas(formulas: Mapping[Place, str]) -> list[Area]:
    """By their first cells, row by row."""
    cells = [Area(place, place, text[:MAX_LETTERS], make_relative(text, place)) for place, text in formulas.items()]
    columns = join(sorted(cells, key=lambda area: (area.first[1], area.first[0])), goes_on_below)
    return sorted(join(sorted(columns, key=lambda area: (area.first[0], area.last[0], area.first[1])), goes_on_beside))


def join(areas: Iterable[Area], goes_on: Callable[[Area, Area], bool]) -> Iterator[Area]:
    open_area: Area | None = None
    for area in areas:
        if open_area is not None and open_area.sense == area.sense and goes_on(open_area, area):
            open_area = open_area._replace(last=area.last)
            continue
        if open_area is not None:
            yield open_area
        open_area = area
    if open_area is not None:
        yield open_area


def goes_on_below(upper: Area, lower: Area) -> bool:
    return lower.first == (upper.last[0] + 1, upper.last[1])


def goes_on_beside(left: Area, right: Area) -> bool:
    return (right.first, right.last[0]) == ((left.first[0], left.last[1] + 1), left.last[0])


def make_relative(formula: str, place: Place) -> str:
    """With each reference as the way to it: =B2*C2 in D2 says the same as =B3*C3 in D3."""

    def describe(reference: re.Match[str]) -> str:
        if reference[2] is None:
            return reference[0]
        row, column = int(reference[4]), read_column(reference[2])
        down = f"R{row}" if reference[3] else f"R[{row - place[0] - 1}]"
        return down + (f"C{column}" if reference[1] else f"C[{column - place[1] - 1}]")

    return REFERENCE.sub(describe, formula)


def shift_references(formula: str, down: int, across: int) -> str:
    """The formula as it reads so many rows below and columns beside."""

    def shift(reference: re.Match[str]) -> str:
        if reference[2] is None:
            return reference[0]
        row = int(reference[4]) + (0 if reference[3] else down)
        column = read_column(reference[2]) + (0 if reference[1] else across)
        if row < 1 or column < 1:
            return "#REF!"
        return f"{reference[1]}{name_column(column - 1)}{reference[3]}{row}"

    return REFERENCE.sub(shift, formula)


def name_column(number: int) -> str:
    """A for 0, AA for 26."""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def read_column(letters: str) -> int:
    """1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
