"""How a number of a sentence comes of those in its lines: as a sum, a difference, or so many percent of another.

Parts in different currencies or units make no sum. One without any, beside parts of one currency, counts as of that:
pages print it once. The sum then says which number it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

from printed.currencies import CODES, SYMBOLS
from printed.units import PERCENT

CODES_IN_ORDER = ("USD", *SYMBOLS)
MAX_SUMS = 2000
# Of more lines only the figures of a column are added up.
MAX_LINES = 12
# Smaller whole numbers of one line differ by anything.
MIN_DIFFERENCE = 10
_PERCENT = re.compile(rf"\s*(?:{PERCENT})", re.I)
_DECIMALS = re.compile(r"[.,](\d+)$")
PLUS, MINUS, DIVIDED = "+", "−", "÷"


class SumPart(NamedTuple):
    """Of a sum: the line that it stands in, what is done with it, and the number as it is written there. How many
    numbers a mean is of stands in no line."""

    block_id: str
    sign: str
    written: str


class Number(NamedTuple):
    """As a line prints it, with all that it can mean. `kinds`: the currency or unit beside it, or all that its sign may
    stand for."""

    block_id: str
    written: str
    values: frozenset[Decimal]
    kinds: frozenset[str] = frozenset()


Line: TypeAlias = tuple[Number, ...]
_Parts: TypeAlias = tuple[SumPart, ...]
_Value: TypeAlias = tuple[Decimal, SumPart]


@dataclass(frozen=True)
class Sum:
    """How a number of a sentence comes of those in its lines, step by step. `unit`: that of its parts, and `without`
    those beside which none stands."""

    result: str
    parts: Sequence[SumPart]
    unit: str = ""
    without: Sequence[str] = ()

    @property
    def note(self) -> str:
        """What a reader has to know of its currency."""
        if not self.unit:
            return ""
        return f"in {self.unit}" + (f"; {', '.join(self.without)} stands without one" if self.without else "")

    def __str__(self) -> str:
        first, *others = self.parts
        steps = first.written
        for at, each in enumerate(others):
            steps = f"({steps})" if each.sign == DIVIDED and at else steps
            steps = f"{steps} {each.sign} {each.written}"
        return f"{steps} = {self.result}" + (f" {self.note}" if self.without else "")


def explain_number(
    written: str, values: set[Decimal], sentence: str, lines: Sequence[Line], kinds: frozenset[str] = frozenset()
) -> Sum | None:
    """Each of the lines has to be a part of it, in one currency or unit. `kinds`: those that the sentence gives it."""
    lines = [line for line in lines if line]
    for unit in _list_units(lines, kinds):
        alike = [tuple(each for each in line if not each.kinds or each.kinds & unit) for line in lines]
        if all(alike) and (explained := _explain(written, values, sentence, alike)):
            return _name_unit(explained, unit, alike)
    return None


def find_mixed_units(written: str, values: set[Decimal], sentence: str, lines: Sequence[Line]) -> list[str]:
    """The units of a sum that would come about if they were one; empty where none does."""
    lines = [line for line in lines if line]
    mixed = _explain(written, values, sentence, lines)
    parts = {part.written for part in mixed.parts} if mixed else ()
    return sorted({_write(each.kinds) for line in lines for each in line if each.written in parts and each.kinds})


def _list_units(lines: Sequence[Line], kinds: frozenset[str]) -> list[frozenset[str]]:
    """Money first; the last is that of a sum whose parts have none."""
    units = dict.fromkeys(each.kinds for line in lines for each in line if each.kinds)
    fitting = [unit for unit in units if not kinds or unit & kinds]
    return [*sorted(fitting, key=lambda unit: not unit & CODES), frozenset()]


def _name_unit(explained: Sum, unit: frozenset[str], lines: Sequence[Line]) -> Sum:
    if not unit & CODES or any(part.sign == DIVIDED and part.block_id for part in explained.parts):
        return explained
    places = {(part.block_id, part.written) for part in explained.parts}
    parts = [each for line in lines for each in line if (each.block_id, each.written) in places]
    without = [each.written for each in parts if not each.kinds]
    return explained if len(without) == len(parts) else replace(explained, unit=_write(unit), without=without)


def _write(kinds: frozenset[str]) -> str:
    """A sign that several currencies share is named by the best known of them."""
    return next((code for code in CODES_IN_ORDER if code in kinds), min(kinds))


def _explain(written: str, values: set[Decimal], sentence: str, lines: Sequence[Line]) -> Sum | None:
    end = next((match.end() for match in re.finditer(rf"(?<![\d.,]){re.escape(written)}", sentence)), 0)
    if percent := _PERCENT.match(sentence, end):
        parts, written = _find_percentage(written, values, sentence, lines), f"{written}{percent[0]}"
    else:
        several = _find_sum(values, lines) or _find_mean(written, values, lines)
        parts = several if len(lines) > 1 else _find_difference(values, lines)
    return Sum(written, parts) if parts else None


def _find_sum(values: set[Decimal], lines: Sequence[Line]) -> _Parts:
    """One number of each line added up, or the difference of two; empty where none comes to one of the values."""
    return next((sums[value] for sums in _work_out(tuple(lines)) for value in values if value in sums), ())


@lru_cache(maxsize=8)
def _work_out(lines: tuple[Line, ...]) -> list[dict[Decimal, _Parts]]:
    """Kept for the other numbers of the sentence. The figures of a column first: of a longer table there are more sums
    of others than are tried."""
    chosen = [*_list_columns(lines), *([lines] if len(lines) <= MAX_LINES else [])]
    return [(_subtract(*each) if len(each) == 2 else {}) | _add_up(each) for each in chosen]


def _find_mean(written: str, values: set[Decimal], lines: Sequence[Line]) -> _Parts:
    """Of the figures of a column."""
    for column in _list_columns(lines):
        for total, parts in _add_up(column).items():
            if any(_agrees(total / len(lines), value, written) for value in values):
                return *parts, SumPart("", DIVIDED, str(len(lines)))
    return ()


def _find_difference(values: set[Decimal], lines: Sequence[Line]) -> _Parts:
    """Of two numbers in one line."""
    differences = _subtract(lines[0], lines[0]) if lines else {}
    telling = (value for value in values if abs(value) >= MIN_DIFFERENCE or value % 1)
    return next((differences[value] for value in telling if value in differences), ())


def _list_columns(lines: Sequence[Line]) -> Iterator[list[Line]]:
    places = range(min(map(len, lines), default=0))
    for at in (*places, *(-1 - at for at in places)):
        yield [(line[at],) for line in lines]


def _add_up(lines: Sequence[Line]) -> dict[Decimal, _Parts]:
    sums: dict[Decimal, _Parts] = {Decimal(0): ()}
    for line in lines:
        longer = (
            (total + value, (*parts, SumPart(each.block_id, PLUS, each.written)))
            for total, parts in sums.items()
            for each in line
            for value in each.values
        )
        sums = dict(islice(longer, MAX_SUMS))
    return sums


def _subtract(one: Line, other: Line) -> dict[Decimal, _Parts]:
    differences: dict[Decimal, _Parts] = {}
    for (value, first), (other_value, second) in _pair(one, other):
        differences[value - other_value] = first, second._replace(sign=MINUS)
        differences[other_value - value] = second, first._replace(sign=MINUS)
    return differences


def _pair(one: Line, other: Line) -> Iterator[tuple[_Value, _Value]]:
    others = _list_values(other)
    return islice(((first, second) for first in _list_values(one) for second in others), MAX_SUMS)


def _list_values(line: Line) -> list[_Value]:
    return [(value, SumPart(each.block_id, PLUS, each.written)) for each in line for value in each.values]


def _find_percentage(written: str, values: set[Decimal], sentence: str, lines: Sequence[Line]) -> _Parts:
    """By how much the one number is more or less than the other, or which part of it it is."""
    for one, other in _list_compared(values, sentence, lines):
        for (more, first), (base, second) in ((one, other), (other, one)):
            if not base or more == base:
                continue
            divisor = second._replace(sign=DIVIDED)
            change, part = (more - base) / base * 100, more / base * 100
            if any(_agrees(abs(change), abs(value), written) for value in values):
                return first, second._replace(sign=MINUS), divisor
            if any(_agrees(part, value, written) for value in values):
                return first, divisor
    return ()


def _list_compared(values: set[Decimal], sentence: str, lines: Sequence[Line]) -> Iterator[tuple[_Value, _Value]]:
    """A whole percentage fits many pairs: there the two stand in the same column, or in the sentence too."""
    if not 1 <= len(lines) <= 2:
        return
    pairs = _pair(lines[0], lines[-1])
    if any(value % 1 for value in values):
        yield from pairs
        return
    yield from (pair for pair in pairs if all(_is_said(part.written, sentence) for _, part in pair))
    if len(lines) == 2:
        yield from chain.from_iterable(_pair(*column) for column in _list_columns(lines))


def _is_said(written: str, sentence: str) -> bool:
    return re.search(rf"(?<![\d.,]){re.escape(written)}(?![\d]|[.,]\d)", sentence) is not None


def _agrees(exact: Decimal, value: Decimal, written: str) -> bool:
    """As far as it is written."""
    decimals = _DECIMALS.search(written)
    return exact.quantize(Decimal(1).scaleb(-len(decimals[1]) if decimals else 0), ROUND_HALF_UP) == value
