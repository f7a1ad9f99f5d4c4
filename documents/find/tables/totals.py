"""Rows of a table that add up the rows above them: counted again, they would double every sum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from printed.folding import split_names
from printed.languages import join_words

WORDS = frozenset(join_words(lambda language: language.meanings)["total"]) | {"total", "subtotal"}
# At the end of a table a row that says so is one, even where it does not add up, which is said.
LAST_ROWS = 2

Cells: TypeAlias = Mapping[int, tuple[str, Decimal | None]]
"""By column the text, and the number that it is."""


@dataclass(frozen=True)
class TotalRow:
    """`wrong`: by column what it says, and what the rows above come to."""

    row: int
    name: str
    wrong: Mapping[int, tuple[Decimal, Decimal]]


def find_totals(rows: Sequence[tuple[int, Cells]]) -> list[TotalRow]:
    totals = []
    sums: dict[int, Decimal] = {}
    whole: dict[int, Decimal] = {}
    for at, (number, cells) in enumerate(rows):
        words = (text for text, figure in cells.values() if figure is None)
        name = next((text for text in words if WORDS & set(split_names(text)[:2])), "")
        figures = {column: figure for column, (_, figure) in cells.items() if figure is not None}
        compared = _choose(figures, sums, whole)
        wrong = {c: (figure, compared[c]) for c, figure in figures.items() if c in compared and compared[c] != figure}
        if name and figures and ((not wrong and compared) or at >= len(rows) - LAST_ROWS):
            totals.append(TotalRow(number, name, wrong))
            sums = {}
            continue
        for column, figure in figures.items():
            sums[column] = sums.get(column, Decimal(0)) + figure
            whole[column] = whole.get(column, Decimal(0)) + figure
    return totals


def _choose(
    figures: Mapping[int, Decimal], sums: Mapping[int, Decimal], whole: Mapping[int, Decimal]
) -> Mapping[int, Decimal]:
    """The rows since the last total, or all of them, whichever it adds up."""
    fits_whole = any(whole.get(column) == figure for column, figure in figures.items())
    return whole if fits_whole else sums
