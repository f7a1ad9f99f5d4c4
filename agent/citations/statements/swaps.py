"""Facts of a sentence that stand in each other's lines: “5 May at 40 [1], 6 May at 30 [2]”, where [1] says 30."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agent.citations.statements.facts import find_facts
from agent.citations.statements.proofs import Proof
from agent.citations.statements.uncited import DayFact, Fact, NumberFact, PartOfDayFact

SWAPPED = "“{one}” and “{other}”, which are in the lines of each other"


class Clause(NamedTuple):
    """A part of a sentence up to its own markers, and what they name."""

    text: str
    proofs: Sequence[Proof]


def find_swapped(clauses: Sequence[Clause]) -> str:
    """The reason, as one of what is missing; empty where there are none. A fact whose line only stands elsewhere in the
    sentence is no fault: two have to stand in each other's.
    """
    moved = {
        (at, place, isinstance(fact, NumberFact)): fact.written
        for at, clause in enumerate(clauses)
        for fact in _list_facts(clause.text)
        for place in _find_only_place(fact, at, clauses)
    }
    for (at, place, kind), written in moved.items():
        if other := moved.get((place, at, kind)):
            return SWAPPED.format(one=written, other=other)
    return ""


def _find_only_place(fact: Fact, at: int, clauses: Sequence[Clause]) -> list[int]:
    """The one other clause whose lines say it, where those of its own do not."""
    places = [place for place, clause in enumerate(clauses) if any(map(fact.is_said_by, clause.proofs))]
    return places if len(places) == 1 and places != [at] else []


def _list_facts(text: str) -> Iterator[Fact]:
    facts = find_facts(text)
    yield from (DayFact(written, frozenset(days)) for written, days in facts.dates.items())
    yield from (PartOfDayFact(written, partial) for written, partial in facts.partial_dates.items())
    yield from (NumberFact(written, frozenset(values)) for written, values in facts.numbers.items())
