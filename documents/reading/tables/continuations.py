"""Whether a line goes on with cells of the row above it, as long descriptions do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from documents.reading.tables.printed_cells import PrintedCell, PrintedRow, Run
from documents.reading.tables.structure import TextLine

# Shorter ones are labels and names, which do not go on.
LONG_TEXT, SHORTEST = 20, 3
# Of the distance between rows: lines that stand closer belong together.
CLOSE = 0.6
# The part of the way to the next column that a text takes before it is broken.
ROOM = 0.7
_OPEN_ENDS = ("-", ",", "&", "/", " and", " of", " for", " with")


def find_continued(run: Run, lower: PrintedRow, following: TextLine | None, character: float) -> list[PrintedCell]:
    """For each cell of the line the one above that it goes on with; none where the line is a row of its own."""
    upper = run.rows[-1]
    above = [find_cell_above(run, upper, cell, character) for cell in lower.cells]
    continued = [cell for cell in above if cell is not None]
    if len(upper.cells) < 2 or len({id(cell) for cell in continued}) < len(lower.cells):
        return []
    is_close = stands_close(run, lower, following)
    if len(lower.cells) == 1:
        is_continued = continues_alone(run, upper, continued[0], lower.cells[0], is_close=is_close)
    else:
        is_continued = continue_together(run, upper, list(zip(continued, lower.cells, strict=True)), is_close=is_close)
    return continued if is_continued else []


def find_cell_above(run: Run, upper: PrintedRow, cell: PrintedCell, character: float) -> PrintedCell | None:
    """The text in the same column."""
    candidates = [above for above in upper.cells if above.overlaps(cell.left, cell.right)]
    if len(candidates) != 1 or candidates[0].is_figure:
        return None
    above = candidates[0]
    columns = run.fullest.cells
    limit = min((other.left for other in columns if other.left >= above.right), default=2.0)
    is_level = cell.left > above.left - 2 * character or abs(cell.middle - above.middle) < character
    if not is_level or cell.right > limit or (cell.is_figure and abs(cell.left - above.left) > 2 * character):
        return None
    return above


def continues_alone(run: Run, upper: PrintedRow, above: PrintedCell, cell: PrintedCell, *, is_close: bool) -> bool:
    if cell.text.endswith(":"):
        return False
    if is_close or begins_inside(above, cell):
        return True
    is_first = above is upper.cells[0] and above.overlaps(run.fullest.cells[0].left, run.fullest.cells[0].right)
    if upper.has_figures:
        return not is_first or is_wrapped(run, above, cell)
    return len(above.text) >= LONG_TEXT and is_wrapped(run, above, cell)


def continue_together(
    run: Run, upper: PrintedRow, pairs: Sequence[tuple[PrintedCell, PrintedCell]], *, is_close: bool
) -> bool:
    """Several texts at once. A row that begins in the first column mostly is one of its own."""
    if any(cell.is_figure or cell.text.endswith(":") for _, cell in pairs):
        return False
    if pairs[0][0] is not upper.cells[0]:
        return upper.has_figures or is_close
    if all(begins_inside(above, cell) and len(above.text) >= LONG_TEXT for above, cell in pairs):
        return True
    return is_close


def begins_inside(above: PrintedCell, cell: PrintedCell) -> bool:
    """Inside of a sentence, and not as headings do."""
    letter = cell.text[:1]
    return len(above.text) > SHORTEST and (letter.islower() or not letter.isalpha() or above.text.endswith(_OPEN_ENDS))


def is_wrapped(run: Run, above: PrintedCell, cell: PrintedCell) -> bool:
    """Whether the next word would not have fitted above."""
    edge = max(other.right for row in run.rows for other in row.cells if other.overlaps(above.left, above.right))
    limit = min((other.left for other in run.fullest.cells if other.left >= edge), default=1.0)
    last = max(word.x1 for word in above.words if word.line == above.words[-1].line)
    end = last + cell.words[0].x1 - cell.words[0].x0
    # Where all texts are short and there is room, none was broken for want of it.
    return end > edge and end - above.left > ROOM * (limit - above.left)


def stands_close(run: Run, lower: PrintedRow, following: TextLine | None) -> bool:
    """Closer than rows do, as far as that can be seen."""
    distance = lower.top - run.rows[-1].bottom
    between = [below.top - above.bottom for above, below in pairwise(run.rows)]
    if following is not None:
        between.append(min(word.y0 for cell in following.cells for word in cell) - lower.bottom)
    height = median(word.y1 - word.y0 for cell in lower.cells for word in cell.words)
    # Rows that nearly touch tell nothing.
    return bool(between) and distance + 0.1 * height < CLOSE * (max(between) + 0.1 * height) and distance < height
