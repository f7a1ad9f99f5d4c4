"""Whether what a sentence says stands in the lines that it names. No model is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import islice
from typing import NamedTuple, TypeAlias

from agent.citations.evidence import stands_in
from agent.citations.facts import Facts, find_facts, list_numbers, list_words
from agent.citations.negations import find_opposite
from agent.citations.partial_dates import PartialDate, cut_out, find_partial_dates
from documents.locate.dates import find_dates
from documents.locate.folding import compact_text

NO_PROOF = "it names no words that were read"
ELSEWHERE = "what else it says, which stands in {name}"
OPPOSITE = "“{said}”, since it says “{instead}”"
MAX_SUMS = 2000
_Numbers: TypeAlias = list[tuple[str, str, set[Decimal]]]
# Of a sentence: fewer words that stand in another line tell nothing.
MIN_ELSEWHERE, SHARE_ELSEWHERE = 3, 0.6


@dataclass(frozen=True)
class Proof:
    """The words of one cited line, and the name of its document, which may say whom it is about.

    `beside`: by their block ids the other lines of its page that were read. `block_id`: of the line, whole.
    """

    text: str
    document_name: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)
    block_id: str = ""

    @cached_property
    def numbers(self) -> dict[str, set[Decimal]]:
        return list_numbers(self.text)

    @cached_property
    def days(self) -> set[date]:
        return {day for printed in find_dates(self.text) for day in printed.days}

    @cached_property
    def partial_dates(self) -> list[PartialDate]:
        return list(find_partial_dates(cut_out(self.text, ((each.start, each.end) for each in find_dates(self.text)))))

    def says_part_of_day(self, partial: PartialDate) -> bool:
        return any(map(partial.is_part_of, self.days)) or any(map(partial.is_part_of, self.partial_dates))

    def says_number(self, values: set[Decimal]) -> bool:
        """A number without a sign may be printed with one: a credit of 40 is -40.00. A year may stand in a day."""
        numbers = set().union(*self.numbers.values(), (Decimal(day.year) for day in self.days))
        return any(value in numbers or (value > 0 and -value in numbers) for value in values)


class Part(NamedTuple):
    """Of a sum: the line that it stands in, + or −, and the number as it is written there."""

    block_id: str
    sign: str
    written: str


@dataclass(frozen=True)
class Sum:
    """How a number of a sentence comes of several lines, one number of each."""

    result: str
    parts: Sequence[Part]

    def __str__(self) -> str:
        first, *others = self.parts
        return f"{first.written}{''.join(f' {each.sign} {each.written}' for each in others)} = {self.result}"


@dataclass(frozen=True)
class Verdict:
    """`missing`: what of the sentence stands in none of the lines. `sums`: how its numbers come of those that do."""

    missing: Sequence[str] = ()
    sums: Sequence[Sum] = ()


def check_claim(claim: str, proofs: Sequence[Proof]) -> Verdict:
    if not proofs:
        return Verdict([NO_PROOF])
    facts = find_facts(claim)
    sums: list[Sum] = []
    missing = [*_list_missing_words(facts, proofs)]
    missing += [written for written, days in facts.dates.items() if not any(days & proof.days for proof in proofs)]
    for written, partial in facts.partial_dates.items():
        if not any(proof.says_part_of_day(partial) for proof in proofs):
            missing.append(written)
    for written, values in facts.numbers.items():
        if any(proof.says_number(values) for proof in proofs):
            continue
        if len(proofs) > 1 and Decimal(len(proofs)) in values:  # how many they are
            continue
        if parts := _find_sum(values, proofs):
            sums.append(Sum(written, parts))
        elif not _is_part(written, facts):
            missing.append(written)
    if not missing and (opposite := find_opposite(claim, [proof.text for proof in proofs])):
        missing.append(OPPOSITE.format(said=opposite.said, instead=opposite.instead))
    if not missing and (elsewhere := _find_elsewhere(claim, proofs)):
        missing.append(ELSEWHERE.format(name=elsewhere))
    return Verdict(list(dict.fromkeys(missing)), sums)


def _find_elsewhere(claim: str, proofs: Sequence[Proof]) -> str:
    """The block id of a line that says what the cited ones do not; empty where there is none, as for words of one's own
    or in another language."""
    proven = set().union(*(list_words(f"{proof.text} {proof.document_name}") for proof in proofs))
    missing = list_words(claim) - proven
    if len(missing) < MIN_ELSEWHERE:
        return ""
    beside = {name: text for proof in proofs for name, text in proof.beside.items()}
    shares = {name: len(missing & list_words(text)) / len(missing) for name, text in beside.items()}
    best = max(shares, key=lambda name: shares[name], default="")
    return best if best and shares[best] >= SHARE_ELSEWHERE else ""


def _list_missing_words(facts: Facts, proofs: Sequence[Proof]) -> Iterator[str]:
    texts = [proof.text for proof in proofs]
    for quote in facts.quotes:
        if compact_text(quote) and not any(stands_in(quote, text) for text in texts):
            yield f"“{quote}”"
    named = [*texts, *(proof.document_name for proof in proofs)]
    for name, readings in facts.names.items():
        if not any(stands_in(reading, text) for reading in readings for text in named):
            yield name


def _is_part(written: str, facts: Facts) -> bool:
    """Whether it is only one half of a number with spaces, which is looked for as a whole."""
    return any(written != other and written in other.split() for other in facts.numbers)


def _find_sum(values: set[Decimal], proofs: Sequence[Proof]) -> Sequence[Part]:
    """One number of each line added up, or the difference of two; empty where none comes to one of the values."""
    if len(proofs) < 2:
        return ()
    lines = [[(proof.block_id, written, few) for written, few in proof.numbers.items()] for proof in proofs]
    # The figures of a column first: of a longer table there are more sums of others than are tried.
    places = range(min(map(len, lines)))
    columns = [[[line[at]] for line in lines] for at in (*places, *(-1 - at for at in places))]
    for chosen in (*columns, lines):
        sums = (_subtract(*chosen) if len(chosen) == 2 else {}) | _add_up(chosen)
        if parts := next((sums[value] for value in values if value in sums), ()):
            return parts
    return ()


def _add_up(lines: Sequence[_Numbers]) -> dict[Decimal, tuple[Part, ...]]:
    sums: dict[Decimal, tuple[Part, ...]] = {Decimal(0): ()}
    for line in lines:
        longer = (
            (total + value, (*parts, Part(block_id, "+", written)))
            for total, parts in sums.items()
            for block_id, written, printed in line
            for value in printed
        )
        sums = dict(islice(longer, MAX_SUMS))
    return sums


def _subtract(one: _Numbers, other: _Numbers) -> dict[Decimal, tuple[Part, ...]]:
    pairs = ((a, first, b, second) for *first, few in one for a in few for *second, more in other for b in more)
    differences: dict[Decimal, tuple[Part, ...]] = {}
    for a, (block, written), b, (other_block, other_written) in islice(pairs, MAX_SUMS):
        differences[a - b] = Part(block, "+", written), Part(other_block, "−", other_written)
        differences[b - a] = Part(other_block, "+", other_written), Part(block, "−", written)
    return differences
