"""Sentences of an answer that name no source although they state what can be looked for.

An amount, a day, an identifier, a name or a quotation needs none where it stands in what the answer cites elsewhere, in
the person's own words, in what the server computed, or in what the model was shown. What stands nowhere is invented.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import chain
from typing import NamedTuple

from agent.citations.evidence import stands_bent
from agent.citations.statements.facts import YEAR, Facts, Measured, find_facts, list_numbers
from agent.citations.statements.measures.plain_text import make_plain
from agent.citations.statements.mixed_money import adds_up_currencies
from agent.citations.statements.proofs import Proof
from agent.citations.statements.words.ordinary_words import list_languages
from agent.citations.statements.words.people import is_full_name
from agent.citations.statements.words.proper_names import is_proper
from agent.citations.statements.written_sums import WrittenSum, find_written_sums, is_count
from printed.dates import PartialDate, cut_out, find_dates
from printed.folding import compact_text

NAMES_NONE = "it names no source for {facts}"
NOWHERE = "it names no source, and none was found for {facts}"
MAX_NAMED, MAX_STATEMENT = 5, 4000
# Fewer words in quotation marks are a name or a word that is spoken of.
MIN_QUOTED = 4
MAX_RATE, _THOUSANDS = 2, (1_000, 1_000_000)
# Hours, minutes, days, weeks, per cent.
_CONSTANTS = frozenset(map(Decimal, (24, 52, 60, 100, 360, 365, 366, 1_000, 3_600, 1_000_000)))
_DIGIT, _NOT_DIGITS, _DECIMALS = re.compile(r"\d"), re.compile(r"\D+"), re.compile(r"\d[.,]\d")
_ADDRESS = re.compile(r"@|://|^www\.", re.I)
# “H. Kern”, whatever words of a language follow the initial; “A. Overview” at the beginning counts.
_INITIALED = re.compile(r"(?<!\w)(?!^\W*[A-E]\. )(?:[^\W\d_]\. ?){1,3}[^\W\d_][\w'’-]{2,}")


class Fact(ABC):
    """Something that a sentence states and that can be looked for."""

    written: str
    is_words = is_name = False

    @abstractmethod
    def is_said_by(self, proof: Proof) -> bool: ...


@dataclass(frozen=True)
class NumberFact(Fact):
    written: str
    values: frozenset[Decimal]
    measured: Sequence[Measured] = field(compare=False, default=())
    written_sum: WrittenSum | None = field(compare=False, default=None)

    def is_said_by(self, proof: Proof) -> bool:
        """Also where no unit stands beside it there: a page and a result name it once, for all."""
        if not _may_say(self.values, proof) or not proof.says_number(set(self.values)):
            return False
        return all(any(_agree(each, printed) for printed in proof.measured) for each in self.measured if each.unit)


@dataclass(frozen=True)
class _InputFact(Fact):
    """A number that is calculated with: also as a rate (1.19 of 19 %), or in thousands."""

    written: str
    values: frozenset[Decimal]

    def is_said_by(self, proof: Proof) -> bool:
        printed = {other for value in self.values for other in _list_spellings(value)}
        return _may_say(printed, proof) and proof.says_number(printed)


@dataclass(frozen=True)
class DayFact(Fact):
    written: str
    days: frozenset[date]

    def is_said_by(self, proof: Proof) -> bool:
        is_there = any(f"{day.year % 100:02}" in proof.digits for day in self.days)
        return is_there and not self.days.isdisjoint(proof.days)


@dataclass(frozen=True)
class PartOfDayFact(Fact):
    written: str
    partial: PartialDate

    def is_said_by(self, proof: Proof) -> bool:
        return proof.says_part_of_day(self.partial)


@dataclass(frozen=True)
class _WordsFact(Fact):
    written: str
    readings: tuple[str, ...]
    is_name: bool = False
    is_inflected: bool = False
    is_words = True

    def is_said_by(self, proof: Proof) -> bool:
        if any(proof.says_words(reading) for reading in self.readings):
            return True
        return self.is_inflected and stands_bent(self.written, f"{proof.text} {proof.document_name}")


class Source(NamedTuple):
    """Where facts are looked for; `load` is given those that stand in none of the sources before it.

    `is_document`: what stands there is of documents. `must_be_named`: an answer has to name it, but for names.
    `is_definitions`: names of schemas, fields, documents and members. `is_words_only`: its numbers and days prove none.
    `is_own`: the product computed or keeps what stands there, so that a line beside it need not say it.
    `is_asked`: a person said it, so that an answer may name it as a limit.
    """

    load: Callable[[Sequence[Fact]], Iterable[Proof]]
    is_document: bool = False
    is_definitions: bool = False
    must_be_named: bool = False
    is_words_only: bool = False
    is_own: bool = False
    is_asked: bool = False

    @property
    def says_words_only(self) -> bool:
        return self.is_definitions or self.is_words_only


@dataclass
class Lookup:
    """What came of looking for the facts of an answer: `nowhere` those that stand in no source, `unnamed` those whose
    source has to be named. `of_documents` are those that stand in documents alone."""

    nowhere: set[Fact] = field(default_factory=set)
    unnamed: set[Fact] = field(default_factory=set)
    of_documents: set[Fact] = field(default_factory=set)

    def explain(self, facts: Sequence[Fact]) -> str:
        """What of a sentence has no source, as a reason; empty where all has."""
        for missing, words in ((self.nowhere, NOWHERE), (self.unnamed, NAMES_NONE)):
            written = list(dict.fromkeys(fact.written for fact in facts if fact in missing))
            if written:
                return words.format(facts=", ".join(written[:MAX_NAMED]))
        return ""


def look_for(facts: Iterable[Fact], cited: Sequence[Proof], sources: Sequence[Source]) -> Lookup:
    """Of all sentences at once, so that each page is opened at most once."""
    lookup, left = Lookup(), set(facts)
    all_written = {fact.written for fact in left}
    left -= {fact for fact in left if any(map(fact.is_said_by, cited))}
    for source in sources:
        sought = {fact for fact in left if fact.is_words or not source.says_words_only}
        for proof in source.load(list(sought)) if sought else ():
            there = {fact for fact in sought & left if fact.is_said_by(proof)}
            left -= there
            lookup.of_documents |= there if source.is_document else set()
            lookup.unnamed |= {fact for fact in there if source.must_be_named and not fact.is_name}
            if sought.isdisjoint(left):
                break
    known = all_written - {fact.written for fact in left}
    documents = [source for source in sources if source.is_document]
    lookup.nowhere = {fact for fact in left if not _is_worked_out(fact, known, cited, documents)}
    return lookup


def _is_worked_out(fact: Fact, known: Collection[str], cited: Iterable[Proof], documents: Iterable[Source]) -> bool:
    """Whether its sentence works it out of numbers that stand somewhere, or count things, and of one currency."""
    written_sum = fact.written_sum if isinstance(fact, NumberFact) else None
    if written_sum is None or not all(part in known or is_count(part) for part in written_sum.parts):
        return False
    read = (proof for source in documents for proof in source.load(()))
    return not adds_up_currencies(written_sum.expression, chain(cited, read))


def list_facts(statement: str) -> list[Fact]:
    """Of a sentence without markers, those that need a source."""
    statement = make_plain(statement[:MAX_STATEMENT])
    initialed = (_WordsFact(name, (name,), is_name=True) for name in _INITIALED.findall(statement) if _is_person(name))
    return list(dict.fromkeys([*_list_facts(statement, find_facts(statement), list_languages(statement)), *initialed]))


def list_figures(statement: str) -> list[Fact]:
    """Its numbers and days, also such as count things."""
    facts = find_facts(make_plain(statement[:MAX_STATEMENT]))
    numbers = (
        NumberFact(
            written,
            frozenset(values),
            [each for each in facts.measured if (each.unit or each.bound) and each.values & values],
        )
        for written, values in facts.numbers.items()
    )
    return [*numbers, *(DayFact(written, frozenset(days)) for written, days in facts.dates.items())]


def is_bound(fact: Fact) -> bool:
    """Whether it is a limit that other numbers are compared with, as in “above 100.00”."""
    return isinstance(fact, NumberFact) and any(each.bound for each in fact.measured)


def make_name(written: str) -> Fact:
    return _WordsFact(written, (written,), is_name=True)


def _is_same(number: Measured, written: str) -> bool:
    """A scale may stand behind it, and a space inside."""
    return written.startswith(number.written) or written in number.written.split()


def list_inputs(expression: str) -> list[Fact]:
    """The numbers and days of a calculation that need a source."""
    days = list(find_dates(expression))
    numbers = list_numbers(cut_out(expression, ((day.start, day.end) for day in days)))
    free = _CONSTANTS | {Decimal(len(numbers) - 1)}
    inputs = ((written, {abs(value) for value in values}) for written, values in numbers.items())
    return [
        *(DayFact(expression[day.start : day.end], frozenset(day.days)) for day in days),
        *(_InputFact(each, frozenset(values)) for each, values in inputs if not (is_count(each) or values & free)),
    ]


def _list_spellings(value: Decimal) -> Iterator[Decimal]:
    yield value
    if value < MAX_RATE:
        yield from (each for each in (value * 100, (value - 1) * 100, (1 - value) * 100) if each > 0)
    yield from (value / scale for scale in _THOUSANDS if value >= scale)


def _list_facts(statement: str, facts: Facts, languages: Sequence[str]) -> Iterator[Fact]:
    sums = find_written_sums(statement)
    for written, values in facts.numbers.items():
        measured = [each for each in facts.measured if each.unit and _is_same(each, written) and each.values & values]
        if measured or _is_telling(written):
            yield NumberFact(written, frozenset(values), measured, sums.get(written))
    yield from (DayFact(written, frozenset(days)) for written, days in facts.dates.items())
    for written, partial in facts.partial_dates.items():
        if not partial.is_month_alone:
            yield PartOfDayFact(written, partial)
    yield from (NumberFact(each.written, frozenset(each.values)) for each in facts.quantities if each.number > 1)
    for name, readings in facts.names.items():
        if (_DIGIT.search(name) and not name.isdigit()) or _ADDRESS.search(name):
            yield _WordsFact(name, tuple(readings))
        elif name in facts.people or is_full_name(name) or is_proper(name, languages):
            yield _WordsFact(name, tuple(readings), is_name=True, is_inflected=facts.is_inflected)
    for quote in facts.quotes:
        yield from _list_quoted(quote, languages)


def _list_quoted(quote: str, languages: Sequence[str]) -> Iterator[Fact]:
    """The words themselves, where they are many or hold a figure; else the names among them."""
    if not compact_text(quote):
        return
    if len(quote.split()) >= MIN_QUOTED or _DIGIT.search(quote):
        yield _WordsFact(quote, (quote,))
    else:
        names = (name for name in find_facts(f"it says {quote}").names if is_proper(name, languages))
        yield from (_WordsFact(name, (name,), is_name=True) for name in names)


def _is_person(name: str) -> bool:
    *initials, last = name.replace(".", ". ").split()
    return last[0].isupper() and all(map(str.isupper, initials))


def _is_telling(written: str) -> bool:
    """Small whole numbers count things, and a year is said of much."""
    is_measured = len(_DIGIT.findall(written)) > 2 or _DECIMALS.search(written) is not None
    return is_measured and not YEAR.fullmatch(written)


def _agree(number: Measured, printed: Measured) -> bool:
    kinds = number.unit.kinds if number.unit else frozenset[str]()
    is_same = not {abs(value) for value in number.values}.isdisjoint(map(abs, printed.values))
    return is_same and (printed.unit is None or bool(kinds & printed.unit.kinds))


def _may_say(values: Iterable[Decimal], proof: Proof) -> bool:
    """Whether its digits stand there at all, which most texts tell sooner than by reading all their numbers."""
    figures = (_NOT_DIGITS.sub("", str(value)).strip("0") for value in values)
    return any(each in proof.digits or len(each) < 3 for each in figures)
