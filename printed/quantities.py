"""Quantities in words: “three months” in a sentence, “thirty days” in a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from printed.folding import fold
from printed.languages import join_words, list_words
from printed.units import ADJECTIVE, PERCENT, TIMES, UNITS

_WORDS = join_words(lambda language: language.numbers)
NUMBER_WORDS = {fold(word): int(number) for number, words in _WORDS.items() for word in words}
_UNIT = "|".join(
    f"(?P<{name}>{'|'.join(map(fold, UNITS[unit]))})"
    for name, unit in [*zip(TIMES, TIMES, strict=True), ("percent", "%")]
)
# The factor to the next smaller unit.
_SMALLER = {"year": Decimal(12), "week": Decimal(7)}
_LARGER = {"month": Decimal(12), "day": Decimal(7)}
# An article is no number of a sentence: “a day” may be any.
_SAID = "|".join(sorted((word for word, number in NUMBER_WORDS.items() if number > 1 or word == "one"), key=len)[::-1])
_QUANTITY = re.compile(rf"\b(?P<number>{_SAID})[ -](?:(?:{ADJECTIVE})[ -])?(?:{_UNIT})(?!\w)")
_WORD = re.compile(r"[^\W\d_]+")
# “Per month”, “je Kalenderjahr”, “1.5 % a month”.
_YEARLY = "|".join(list_words(lambda language: language.yearly))
_PERIOD = re.compile(
    rf"(?:\b(?:{'|'.join(list_words(lambda language: language.each))})"
    rf"|(?:{PERCENT}|{'|'.join(list_words(lambda language: language.times))}) an?)"
    rf"\s(?:(?:{ADJECTIVE}) ?)?(?:{_UNIT}|(?P<yearly>{_YEARLY}))\b"
)


class Quantity(NamedTuple):
    """As it is written, and the numbers that may be printed for it: two years are 24 months. `unit` in English."""

    written: str
    values: set[Decimal]
    unit: str
    number: Decimal

    def contradicts(self, other: Quantity) -> bool:
        """One number of two units contradicts: three weeks and three months."""
        return self.number == other.number and self.unit != other.unit


def find_quantities(sentence: str) -> Iterator[Quantity]:
    for match in _QUANTITY.finditer(fold(sentence)):
        unit, number = str(match.lastgroup), Decimal(NUMBER_WORDS[match["number"]])
        values = {number, number * _SMALLER.get(unit, 1)}
        if not number % (larger := _LARGER.get(unit, Decimal(1))):
            values.add(number / larger)
        yield Quantity(match[0], values, unit, number)


def find_periods(text: str) -> dict[str, str]:
    """By its unit each that something is said to be per, as it is written."""
    matches = _PERIOD.finditer(fold(text))
    return {"year" if match.lastgroup == "yearly" else str(match.lastgroup): match[0] for match in matches}


def list_worded_numbers(line: str) -> set[Decimal]:
    return {Decimal(NUMBER_WORDS[word]) for word in _WORD.findall(fold(line)) if word in NUMBER_WORDS}
