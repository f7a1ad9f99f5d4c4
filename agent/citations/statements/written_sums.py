"""Reads the arithmetic that a sentence writes out itself: “200.00 (245.00 − 45.00)”, “2 × 40.00 = 80.00”."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import islice, product
from typing import NamedTuple

from printed.numbers import parse_numbers

_NUMBER = r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d(?:[\d.,'’]*\d)?"
_UNIT = r"[€$£]|[A-Z]{3}\b"
_TERM = rf"(?:(?:{_UNIT})\s?)?(?:{_NUMBER})(?:\s?(?:%|{_UNIT}))?"
_CHAIN = rf"{_TERM}(?:\s*[-+−–×x*÷/]\s*{_TERM})+"
_WRITTEN = [
    re.compile(rf"(?<![\w.,])(?P<result>{_TERM})\s*\(\s*=?\s*(?P<chain>{_CHAIN})\s*\)"),
    re.compile(rf"(?<![\w.,])(?P<chain>{_CHAIN})\s*=\s*(?P<result>{_TERM})"),
    re.compile(rf"(?<![\w.,])(?P<result>{_TERM})\s*(?:=|,? i\.e\.,?)\s*(?P<chain>{_CHAIN})"),
]
_STEP = re.compile(rf"(?P<sign>[-+−–×x*÷/]?)\s*(?P<term>{_TERM})\s*")
_PLAIN, _CURRENCY, _FRACTION = re.compile(_NUMBER), re.compile(_UNIT), re.compile(r"[.,](\d{1,2})$")
_TIMES, _BY = frozenset("×x*"), frozenset("÷/")
MAX_TERMS, MAX_READINGS = 30, 64
# Up to here a number counts things, and is looked for nowhere.
MAX_COUNT = 12


class WrittenSum(NamedTuple):
    """Some arithmetic as it stands in a sentence, and the numbers in it."""

    expression: str
    parts: tuple[str, ...]


def find_written_sums(text: str) -> dict[str, WrittenSum]:
    """By their results as they are written. Parts in several currencies have none."""
    sums: dict[str, WrittenSum] = {}
    for pattern in _WRITTEN:
        for match in pattern.finditer(text):
            steps = [(step["sign"], step["term"]) for step in _STEP.finditer(match["chain"])]
            result = _plain(match["result"])
            is_bounded = len(steps) <= MAX_TERMS and _is_one_currency(match[0])
            if is_bounded and any(_agrees(value, result) for value in _work_out(steps)):
                sums[result] = WrittenSum(match["chain"], tuple(_plain(term) for _, term in steps))
    return sums


def is_count(written: str) -> bool:
    return written.isdigit() and int(written) <= MAX_COUNT


def _plain(term: str) -> str:
    match = _PLAIN.search(term)
    return match[0] if match else term


def _is_one_currency(written: str) -> bool:
    return len(set(_CURRENCY.findall(written))) <= 1


def _work_out(steps: Sequence[tuple[str, str]]) -> Iterator[Decimal]:
    """Each number may be read in more than one way."""
    readings = ([number.value for number in parse_numbers(_plain(term))] for _, term in steps)
    for values in islice(product(*readings), MAX_READINGS):
        sums = [Decimal(0)]
        for (sign, term), value in zip(steps, values, strict=True):
            part = value / 100 if term.rstrip().endswith("%") else value
            if sign in _TIMES:
                sums[-1] *= part
            elif sign in _BY:
                sums[-1] = sums[-1] / part if part else Decimal("NaN")
            else:
                sums.append(-part if sign in ("-", "−", "–") else part)
        yield sum(sums, Decimal(0))


def _agrees(exact: Decimal, written: str) -> bool:
    """As far as it is written."""
    fraction = _FRACTION.search(written)
    if not exact.is_finite():
        return False
    rounded = exact.quantize(Decimal(1).scaleb(-len(fraction[1]) if fraction else 0), ROUND_HALF_UP)
    return any(number.value == rounded for number in parse_numbers(written))
