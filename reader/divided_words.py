"""Words divided at the end of a line, or by a soft hyphen within one, as the whole that they are."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from reader.words import Word, group_lines, list_widths, part_hidden, split_row

HYPHENS = "-\u00ad\u2010"
FIRST = re.compile(rf"\W*([^\W\d_]{{2,}})[{HYPHENS}]$")
# A capital letter goes on with a word of its own: "Rechnungs-Nummer" is printed with its hyphen.
REST = re.compile(r"([^\W\d_A-Z]+)\W*$")
WITHIN = re.compile(rf"\W*([^\W\d_]{{2,}})[{HYPHENS}]([^\W\d_]{{2,}})[^{HYPHENS}\w]*$")
# In heights of the line: beyond it another paragraph begins.
MAX_DISTANCE = 1.5
# A line of more is none of running text.
MAX_CELLS = 40


class DividedWord(NamedTuple):
    """places: of its parts, among the words of the page."""

    text: str
    places: tuple[int, ...]


def list_divided_words(words: Sequence[Word]) -> list[DividedWord]:
    """Join those that a person sees."""
    if not any(hyphen in word.text for word in words for hyphen in HYPHENS):
        return []
    return [*list_within(words), *list_at_line_ends(words)]


def list_within(words: Sequence[Word]) -> Iterator[DividedWord]:
    for place, word in enumerate(words):
        match = WITHIN.match(word.text) if not word.hidden else None
        if match and match[2].islower():
            yield DividedWord(match[1] + match[2], (place,))


def list_at_line_ends(words: Sequence[Word]) -> Iterator[DividedWord]:
    visible, _ = part_hidden(words)
    places = {id(word): place for place, word in enumerate(words)}
    usual = median(list_widths(visible) or [0.0])
    rows = [split_row(row, usual) for _, row in group_lines(visible)]
    for row, following in pairwise(rows):
        for cell in row:
            first = FIRST.match(cell[-1].text)
            other = find_continuation(cell, following) if first else None
            rest = REST.match(other.text) if other else None
            if first and other and rest and rest[1].islower():
                yield DividedWord(first[1] + rest[1], (places[id(cell[-1])], places[id(other)]))


def find_continuation(cell: Sequence[Word], following: Sequence[Sequence[Word]]) -> Word | None:
    """The first word below it; at the foot of a column, the first of the next one."""
    last, below = cell[-1], following[0][0]
    if below.y1 < last.y0:
        return below
    if len(following) > MAX_CELLS or below.y0 - last.y1 > MAX_DISTANCE * (last.y1 - last.y0):
        return None
    return next((other[0] for other in following if other[0].x0 <= last.x1 and other[-1].x1 >= cell[0].x0), None)
