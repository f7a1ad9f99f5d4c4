"""The two sides of a strip: columns of text that are read one after the other, or cells of rows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from reader.words import Word, WordRow, split_row

FEWEST_LINES = 3
# A line of text, in characters; what is shorter is a cell, a label or a name; and of any block.
SHORTEST_TEXT, SHORTEST_LINE, SHORT_CELL = 12, 4, 10
# In heights of a line: beyond it a line is no longer the next one of its block.
NEXT_LINE = 2.2
# Blocks at the head of a letter or an invoice: how far down they begin, and how far right the second stands.
HOUSE_NUMBER = re.compile(r"^\d|\d\d")
HEAD_DEPTH, HEAD_MIDDLE, HEAD_LINES, HEAD_GAP = 0.42, 0.4, 9, 4.0


@dataclass(frozen=True)
class SideLine:
    """The words of a row that stand on one side. `row`: which one of the rows looked at."""

    row: int
    words: Sequence[Word]

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @cached_property
    def top(self) -> float:
        return min(word.y0 for word in self.words)

    @cached_property
    def bottom(self) -> float:
        return max(word.y1 for word in self.words)

    @cached_property
    def right(self) -> float:
        return max(word.x1 for word in self.words)

    @property
    def height(self) -> float:
        return self.bottom - self.top


class Side:
    def __init__(self, lines: Sequence[SideLine], character: float) -> None:
        """character: the usual width of one."""
        self.lines = lines
        self.character = character
        self.by_row = {line.row: at for at, line in enumerate(lines)}

    @cached_property
    def right(self) -> float:
        return max(line.right for line in self.lines)

    @cached_property
    def height(self) -> float:
        return median(line.height for line in self.lines)

    @cached_property
    def pitch(self) -> float:
        """From line to line."""
        return median(lower.bottom - upper.bottom for upper, lower in pairwise(self.lines))

    @cached_property
    def length(self) -> float:
        return median(len(line.text) for line in self.lines)

    @cached_property
    def numeric(self) -> float:
        """The part of its words that are numbers."""
        words = [word.text for line in self.lines for word in line.words]
        return sum(is_numeric(word) for word in words) / len(words)

    @cached_property
    def is_compact(self) -> bool:
        return 0 < self.pitch <= NEXT_LINE * self.height

    @cached_property
    def parted(self) -> float:
        """The part of its lines that have cells of their own."""
        return sum(len(split_row(line.words, self.character)) > 1 for line in self.lines) / len(self.lines)

    @cached_property
    def brief(self) -> float:
        """The part of its cells that are short: of texts these are last lines, of tables most."""
        cells = [cell for line in self.lines for cell in split_row(line.words, self.character)]
        return sum(sum(len(word.text) + 1 for word in cell) < SHORT_CELL for cell in cells) / len(cells)

    @cached_property
    def wrapped(self) -> float:
        """The part of its lines that end where the next word would not have fitted."""
        return sum(map(self.is_wrapped, range(1, len(self.lines)))) / (len(self.lines) - 1)

    def is_wrapped(self, at: int) -> bool:
        """Whether the line goes on with what did not fit into the one above."""
        upper, first = self.lines[at - 1], self.lines[at].words[0]
        return upper.right + first.x1 - first.x0 + 1.5 * self.character > self.right

    @cached_property
    def continued(self) -> float:
        """The part of its lines that begin inside of a sentence; all of them where letters have no cases."""
        starts = [letter for line in self.lines if (letter := line.text[:1]).isalpha()]
        cased = [letter for letter in starts if letter.lower() != letter.upper()]
        return sum(letter.islower() for letter in cased) / len(self.lines) if 2 * len(cased) >= len(starts) else 1.0

    def begins_at(self, row: int) -> bool:
        """Whether something new begins there: after empty rows, or where the line above had room for more."""
        at = self.by_row.get(row)
        return at is not None and (at == 0 or self.has_break(at) or not self.is_wrapped(at))

    def has_break(self, at: int) -> bool:
        return self.lines[at].bottom - self.lines[at - 1].bottom > 1.35 * self.pitch

    def list_breaks(self) -> list[int]:
        return [self.lines[at].row for at in range(1, len(self.lines)) if self.has_break(at)]


def are_columns(rows: Sequence[WordRow], middle: float, width: float, character: float) -> bool:
    """Whether the rows are to be read one side after the other. width: of the strip between them.

    Where this is not clear they are rows: a label away from its value is worse than two columns line by line.
    """
    left, right = split_rows(rows, middle, character)
    if min(len(left.lines), len(right.lines)) < FEWEST_LINES or count_shared_rows(left, right) < FEWEST_LINES:
        return False
    if max(left.numeric, right.numeric) > 0.45 or not (left.is_compact and right.is_compact):
        return False
    if min(left.length, right.length) < SHORTEST_LINE:
        return False
    if measure_alignment(left, right) < 0.5:
        return 0.6 < left.pitch / right.pitch < 1.7
    return are_texts(left, right) or are_head_blocks(left, right, width)


def split_rows(rows: Sequence[WordRow], middle: float, character: float) -> tuple[Side, Side]:
    left, right = [], []
    for at, row in enumerate(rows):
        words = sorted(row.words, key=lambda word: word.x0)
        if before := [word for word in words if word.x0 < middle]:
            left.append(SideLine(at, before))
        if behind := [word for word in words if word.x0 >= middle]:
            right.append(SideLine(at, behind))
    return Side(left, character), Side(right, character)


def count_shared_rows(left: Side, right: Side) -> int:
    """Count the lines of the shorter side that stand beside the other."""
    first = max(left.lines[0].row, right.lines[0].row)
    last = min(left.lines[-1].row, right.lines[-1].row)
    return min(sum(first <= line.row <= last for line in side.lines) for side in (left, right))


def measure_alignment(left: Side, right: Side) -> float:
    """The part of the shorter side's lines that stand level with one of the other side."""
    pairs = [(line, right.lines[right.by_row[line.row]]) for line in left.lines if line.row in right.by_row]
    return sum(are_level(one, other) for one, other in pairs) / min(len(left.lines), len(right.lines))


def are_level(one: SideLine, other: SideLine) -> bool:
    """By head or foot or middle: letters on one line may be of two sizes."""
    top, bottom = one.top - other.top, one.bottom - other.bottom
    return min(abs(top), abs(bottom), abs(top + bottom) / 2) < 0.15 * min(one.height, other.height)


def are_texts(left: Side, right: Side) -> bool:
    """Lines on one grid, as in newspapers: long ones, of which most go on in the next."""
    for side in (left, right):
        if side.length < SHORTEST_TEXT or side.brief > 0.3 or side.wrapped < 0.5 or side.continued < 0.25:
            return False
    return not have_common_breaks(left, right)


def have_common_breaks(left: Side, right: Side) -> bool:
    """Whether both sides mostly begin anew together, as rows of a table do whose cells have many lines."""
    rows = {*left.list_breaks(), *right.list_breaks()}
    together = sum(left.begins_at(row) and right.begins_at(row) for row in rows)
    return len(rows) >= 2 and together >= 0.6 * len(rows)


def are_head_blocks(left: Side, right: Side, width: float) -> bool:
    """Sender beside what names the invoice, bill-to beside ship-to: short blocks, far apart, up on the page.

    An address has numbers; the labels of a form end with colons, or have at most a figure.
    """
    if max(len(left.lines), len(right.lines)) > HEAD_LINES or left.lines[0].top > HEAD_DEPTH:
        return False
    if min(line.words[0].x0 for line in right.lines) < HEAD_MIDDLE or width < HEAD_GAP * left.character:
        return False
    texts = [line.text for line in left.lines]
    labels = sum(text.endswith(":") for text in texts)
    return left.parted < 0.5 and 2 * labels < len(texts) and any(HOUSE_NUMBER.search(text) for text in texts)


def is_numeric(text: str) -> bool:
    digits = sum(char.isdigit() for char in text)
    return 2 * digits > len(text.strip(".,-+()%€$£"))
