"""Lines of a page in reading order: headings over all columns first, then column by column."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from reader.order.sides import FEWEST_LINES, are_columns, is_numeric
from reader.order.strips import Strip, find_strips
from reader.order.upright import group_upright, part_upright
from reader.words import Word, WordRow, group_rows, list_widths, number_words, part_hidden, split_row

# A page with more has no columns; these keep the bounds of the search.
MAX_WORDS, MAX_ROWS, MAX_CUTS, MAX_TRIED = 20_000, 1_000, 24, 40
# The narrowest strip between columns, in characters: wider than a space of justified lines that stand over each other.
NARROWEST = 1.4
# In usual distances of rows: beyond it something else begins.
BREAK = 1.8


def number_lines(words: Iterable[Word], slope: float = 0.0) -> list[Word]:
    """Like `number_rows`, but a line ends with its column, and what runs up or down the page comes last."""
    visible, hidden = part_hidden(words)
    level, upright = part_upright(tilt(visible, -slope))
    rows = ColumnCutter(level).list_rows()
    lines = number_words([*rows, *group_upright(upright), *group_rows(tilt(hidden, -slope), 0.0)])
    return tilt(lines, slope)


def tilt(words: list[Word], slope: float) -> list[Word]:
    """As on a page whose lines sink to the right by so much more."""
    if not slope:
        return words
    moves = [slope * (word.x0 + word.x1) / 2 for word in words]
    return [word._replace(y0=word.y0 + move, y1=word.y1 + move) for word, move in zip(words, moves, strict=True)]


class ColumnCutter:
    """Words whose lines are level."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.rows = group_rows(words, 0.0)
        widths = [width for width in list_widths(words) if width > 0] if len(words) <= MAX_WORDS else []
        self.character = median(widths or [0.0])
        self.cuts_left = MAX_CUTS if self.character and len(self.rows) <= MAX_ROWS else 0

    def list_rows(self) -> list[WordRow]:
        return list(self.cut(self.rows))

    def cut(self, rows: Sequence[WordRow]) -> Iterator[WordRow]:
        strip = self.find_gutter(rows) if self.cuts_left and len(rows) >= FEWEST_LINES else None
        if strip is None:
            yield from rows
            return
        self.cuts_left -= 1
        yield from self.cut(rows[: strip.first])
        words = [word for row in rows[strip.first : strip.end] for word in row.words]
        for side in (True, False):
            # Grouped anew: lines of different columns need not stand level.
            yield from self.cut(group_rows([word for word in words if (word.x0 < strip.middle) == side], 0.0))
        yield from self.cut(rows[strip.end :])

    def find_gutter(self, rows: Sequence[WordRow]) -> Strip | None:
        """The strip between columns with the most lines."""
        strips = [part for stretch in split_at_tables(rows, self.character) for part in self.list_parts(rows, stretch)]
        longest = sorted(strips, key=lambda strip: strip.first - strip.end)[:MAX_TRIED]
        return next((strip for strip in longest if self.is_gutter(rows, strip)), None)

    def list_parts(self, rows: Sequence[WordRow], stretch: tuple[int, int]) -> Iterator[Strip]:
        first, end = stretch
        for strip in find_strips(rows[first:end], NARROWEST * self.character):
            strip = strip._replace(first=strip.first + first, end=strip.end + first)
            parts = list(split_at_breaks(rows, strip))
            whole = trim(rows, strip, parts)
            yield from {whole, *parts} if whole else ()

    def is_gutter(self, rows: Sequence[WordRow], strip: Strip) -> bool:
        passed = rows[strip.first : strip.end]
        return are_columns(passed, strip.middle, strip.right - strip.left, self.character)


def split_at_tables(rows: Sequence[WordRow], character: float) -> Iterator[tuple[int, int]]:
    """(first row, end) of what lies between rows of figures, which are read as rows whatever stands beside them."""
    cells = [split_row(sorted(row.words, key=lambda word: word.x0), character) for row in rows]
    figures = [at for at, row in enumerate(cells) if len(row) > 2 and sum(map(is_figure, row)) > 1]
    begin = 0
    for first, last in group_near(figures):
        # The row of heads.
        first -= first > begin and len(cells[first - 1]) > 2
        if begin < first:
            yield begin, first
        begin = last + 1
    if begin < len(rows):
        yield begin, len(rows)


def group_near(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of each two or more that follow with at most two others between them: lines of long cells."""
    first = 0
    for at, number in enumerate(numbers):
        if at + 1 == len(numbers) or numbers[at + 1] - number > 3:
            if at > first:
                yield numbers[first], number
            first = at + 1


def is_figure(cell: Sequence[Word]) -> bool:
    return all(is_numeric(word.text) for word in cell)


def split_at_breaks(rows: Sequence[WordRow], strip: Strip) -> Iterator[Strip]:
    """The parts of the strip between which rows lie far apart."""
    centres = [row.centre for row in rows[strip.first : strip.end]]
    usual = median([lower - upper for upper, lower in pairwise(centres)] or [0.0])
    first = strip.first
    for at, (upper, lower) in enumerate(pairwise(centres), start=strip.first + 1):
        if lower - upper > BREAK * usual:
            yield strip._replace(first=first, end=at)
            first = at
    yield strip._replace(first=first)


def trim(rows: Sequence[WordRow], strip: Strip, parts: Sequence[Strip]) -> Strip | None:
    """From the first part that has words on both sides to the last one: a footer is no line of a column."""
    both = [part for part in parts if has_both_sides(rows[part.first : part.end], strip.middle)]
    return strip._replace(first=both[0].first, end=both[-1].end) if both else None


def has_both_sides(rows: Sequence[WordRow], middle: float) -> bool:
    return len({word.x0 < middle for row in rows for word in row.words}) == 2
