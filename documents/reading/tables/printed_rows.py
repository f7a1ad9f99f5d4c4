"""Rows of tables as they are printed: lines whose cells keep to the same columns, with what goes on below a cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from documents.reading.tables.continuations import find_continued
from documents.reading.tables.printed_cells import PrintedCell, PrintedRow, Run
from documents.reading.tables.structure import TextLine

# In heights of a line: what follows at a greater distance is no row of the same table.
FAR = 4.0


def make_row(line: TextLine) -> PrintedRow:
    return PrintedRow([line], [PrintedCell(list(cell)) for cell in line.cells])


def iterate_runs(lines: Sequence[TextLine], character: float) -> Iterator[Run | TextLine]:
    """The lines in order, together where they may be a table. character: the usual width of one."""
    run = Run()
    for at, line in enumerate(lines):
        row = make_row(line)
        following = lines[at + 1] if at + 1 < len(lines) else None
        if run.rows and not is_near(run.rows[-1], line):
            yield run
            run = Run()
        if run.rows and (joined := find_continued(run, row, following, character)):
            add_continuation(run.rows[-1], row, joined)
        elif len(row.cells) > 1 or (run.rows and is_row_alone(run, row, following)):
            run.rows.append(row)
        else:
            if run.rows:
                yield run
                run = Run()
            yield line
    if run.rows:
        yield run


def is_near(row: PrintedRow, line: TextLine) -> bool:
    words = [word for cell in line.cells for word in cell]
    if words[0].is_upright:
        return False
    top, height = min(word.y0 for word in words), median(word.y1 - word.y0 for word in words)
    upper = min(word.y0 for cell in row.lines[-1].cells for word in cell)
    return upper <= top and top - row.bottom <= FAR * height


def is_row_alone(run: Run, row: PrintedRow, following: TextLine | None) -> bool:
    """A heading inside of a table of three columns or more."""
    return len(run.fullest.cells) > 2 and following is not None and len(following.cells) > 1 and is_near(row, following)


def add_continuation(row: PrintedRow, lower: PrintedRow, joined: Sequence[PrintedCell]) -> None:
    row.lines += lower.lines
    for upper, cell in zip(joined, lower.cells, strict=True):
        upper.extend(cell.words)
