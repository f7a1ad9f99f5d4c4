"""Facts of a sentence that stand in each other's lines: “5 May at 40 [1], 6 May at 30 [2]”, where [1] says 30."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from agent.citations.statements.checking import Proof
from agent.citations.statements.facts import find_facts
from printed.dates import PartialDate

SWAPPED = "“{one}” and “{other}”, which stand in the lines of each other"


class Clause(NamedTuple):
    """A part of a sentence up to its own markers, and what they name."""

    text: str
    proofs: Sequence[Proof]


class _Number(NamedTuple):
    written: str
    values: set[Decimal]

    def is_said_by(self, proof: Proof) -> bool:
        return proof.says_number(self.values)


class _Day(NamedTuple):
    written: str
    days: set[date]
    partial: PartialDate | None = None

    def is_said_by(self, proof: Proof) -> bool:
        return proof.says_part_of_day(self.partial) if self.partial else not proof.days.isdisjoint(self.days)


_Fact: TypeAlias = _Number | _Day


def find_swapped(clauses: Sequence[Clause]) -> str:
    """The reason, as one of what is missing; empty where there are none. A fact whose line only stands elsewhere in the
    sentence is no fault: two have to stand in each other's.
    """
    moved = {
        (at, place, type(fact)): fact.written
        for at, clause in enumerate(clauses)
        for fact in _list_facts(clause.text)
        for place in _find_only_place(fact, at, clauses)
    }
    for (at, place, kind), written in moved.items():
        if other := moved.get((place, at, kind)):
            return SWAPPED.format(one=written, other=other)
    return ""


def _find_only_place(fact: _Fact, at: int, clauses: Sequence[Clause]) -> list[int]:
    """The one other clause whose lines say it, where those of its own do not."""
    places = [place for place, clause in enumerate(clauses) if any(map(fact.is_said_by, clause.proofs))]
    return places if len(places) == 1 and places != [at] else []


def _list_facts(text: str) -> Iterator[_Fact]:
    facts = find_facts(text)
    yield from (_Day(written, days) for written, days in facts.dates.items())
    yield from (_Day(written, set(), partial) for written, partial in facts.partial_dates.items())
    yield from (_Number(written, values) for written, values in facts.numbers.items())
