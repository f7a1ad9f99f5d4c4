"""A line that an answer names as its proof, and all that can be read from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property

from agent.citations.evidence import find_words
from agent.citations.statements.facts import (
    Measured,
    list_long_words,
    list_measured,
    list_numbers,
)
from agent.citations.statements.measures.plain_text import make_plain
from agent.citations.statements.sums import Line, Number
from agent.citations.statements.words.content_words import WORD, list_meanings
from agent.citations.statements.words.ordinary_words import list_languages
from printed.dates import PartialDate, cut_out, find_dates, find_partial_dates
from printed.folding import compact_text
from printed.quantities import list_worded_numbers
from printed.units import list_money

_DIGITS, _NOT_DIGITS = re.compile(r"\d+"), re.compile(r"\D+")


@dataclass(frozen=True)
class Proof:
    """The words of one cited line, and the name of its document, which may say whom it is about.

    `beside`: by their block ids the other lines of its page that were read. `block_id`: of the line, whole. `label`:
    what the product keeps a value of the line as, such as “supplier: ACME”.
    """

    text: str
    document_name: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)
    block_id: str = ""
    label: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", make_plain(self.text))

    @cached_property
    def digits(self) -> str:
        """All of them, whatever stands between."""
        return _NOT_DIGITS.sub("", self.text)

    @cached_property
    def numbers(self) -> dict[str, set[Decimal]]:
        return list_numbers(self.text)

    @cached_property
    def amounts(self) -> Line:
        """The numbers that are no part of a day."""
        kinds = self._list_kinds()
        return tuple(
            Number(self.block_id, written, frozenset(few), kinds.get(written, self.money))
            for written, few in list_numbers(self._without_days).items()
        )

    def _list_kinds(self) -> dict[str, frozenset[str]]:
        """Of numbers beside which a unit stands; others have the currency that their line names."""
        return {
            part: each.unit.kinds
            for each in self.measured
            if each.unit
            for part in (each.written, *each.written.split())
        }

    @cached_property
    def values(self) -> set[Decimal]:
        years = (Decimal(day.year) for day in self.days)
        return set().union(*self.numbers.values(), years, list_worded_numbers(self.text))

    @cached_property
    def words(self) -> set[str]:
        return list_long_words(f"{self.text} {self.document_name}")

    @cached_property
    def meanings(self) -> frozenset[str]:
        """All that its words and those of its document's name may mean, and its figures."""
        text = f"{self.text} {self.document_name} {self.label}"
        languages = tuple(list_languages(self.text))
        words = (list_meanings(word, languages) for word in WORD.findall(text))
        return frozenset(_DIGITS.findall(text)).union(*words)

    @cached_property
    def words_beside(self) -> dict[str, set[str]]:
        return {name: list_long_words(text) for name, text in self.beside.items()}

    @cached_property
    def _without_days(self) -> str:
        return cut_out(self.text, ((each.start, each.end) for each in find_dates(self.text)))

    @cached_property
    def days(self) -> set[date]:
        return {day for printed in find_dates(self.text) for day in printed.days}

    @cached_property
    def partial_dates(self) -> list[PartialDate]:
        return list(find_partial_dates(self._without_days))

    @cached_property
    def measured(self) -> list[Measured]:
        return list(list_measured(self._without_days))

    @cached_property
    def money(self) -> frozenset[str]:
        return list_money(self.text)

    @cached_property
    def _words_and_letters(self) -> tuple[list[str], str]:
        """Of a whole page too, so that nothing keeps them longer than this."""
        words = f"{self.text} {self.document_name}".split()
        return words, compact_text.__wrapped__(" ".join(words))

    def says_words(self, text: str) -> bool:
        words, letters = self._words_and_letters
        return compact_text(text) in letters and find_words(text, words) is not None

    def says_measured(self, number: Measured) -> bool:
        """With its unit, or with none beside it that tells another; money as its head or text says. What is the most
        in a line is not the least."""
        values, kinds = {abs(value) for value in number.values}, number.unit.kinds if number.unit else frozenset[str]()
        for printed in self.measured:
            is_same = not values.isdisjoint(map(abs, printed.values))
            own = printed.unit.kinds if printed.unit else self.money if number.unit and number.unit.is_money else kinds
            is_opposite = number.bound * printed.bound < 0
            if is_same and not is_opposite and (not kinds or not own or own & kinds):
                return True
        return not values.isdisjoint(list_worded_numbers(self.text))

    def says_part_of_day(self, partial: PartialDate) -> bool:
        return any(map(partial.is_part_of, self.days)) or any(map(partial.is_part_of, self.partial_dates))

    def says_number(self, values: set[Decimal]) -> bool:
        """A number without a sign may be printed with one: a credit of 40 is -40.00. A year may stand in a day."""
        return any(value in self.values or (value > 0 and -value in self.values) for value in values)
