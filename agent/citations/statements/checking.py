"""Whether what a sentence says stands in the lines that it names. No model is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property

from agent.citations.evidence import find_words, stands_bent, stands_in
from agent.citations.statements.facts import (
    YEAR,
    Facts,
    Measured,
    find_facts,
    list_long_words,
    list_measured,
    list_numbers,
)
from agent.citations.statements.measures.plain_text import TURNS_AROUND, make_plain
from agent.citations.statements.measures.trends import find_other_trend
from agent.citations.statements.negations import denies, find_opposite
from agent.citations.statements.sums import Line, Number, Sum, explain_number, find_mixed_units
from printed.dates import PartialDate, cut_out, find_dates, find_partial_dates, find_weekdays
from printed.folding import compact_text
from printed.quantities import Quantity, find_periods, find_quantities, list_worded_numbers
from printed.units import list_money, list_scales

NO_PROOF = "it names no words that were read"
MAX_STATEMENT, MAX_FACTS, MAX_COMPUTED = 4000, 200, 12
TOO_LONG = f"it is longer than the {MAX_STATEMENT:,} letters of a sentence that can be checked"
TOO_MANY_FACTS = f"it says more than the {MAX_FACTS} numbers, names and quotes that can be checked"
TURNED = "it holds signs behind which letters are shown in another order"
MIXED = "{number}, whose parts are in {units}"
ELSEWHERE = "what else it says, which stands in {name}"
OPPOSITE = "“{said}”, since it says “{instead}”"
_NOT_DIGITS = re.compile(r"\D+")
_SIGN = re.compile(r"[%‰€$£¥<>≤≥±]|(?<!\w)[-−–](?=\d)")
# Of a sentence: fewer words that stand in another line tell nothing.
MIN_ELSEWHERE, SHARE_ELSEWHERE = 2, 0.6


@dataclass(frozen=True)
class Proof:
    """The words of one cited line, and the name of its document, which may say whom it is about.

    `beside`: by their block ids the other lines of its page that were read. `block_id`: of the line, whole.
    """

    text: str
    document_name: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)
    block_id: str = ""

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


@dataclass(frozen=True)
class Verdict:
    """`missing`: what of the sentence stands in none of the lines. `sums`: how its numbers come of those that do.

    `asks_again`: its author may prove it or leave it out. `is_unchecked`: what it says may stand where no words are.
    """

    missing: Sequence[str] = ()
    sums: Sequence[Sum] = ()
    asks_again: bool = True
    is_unchecked: bool = False


def _is_none(name: str) -> bool:
    return False


def check_statement(
    statement: str, proofs: Sequence[Proof], is_definition: Callable[[str], bool] = _is_none
) -> Verdict:
    """`is_definition` says of a name whether it is one of the product's own, as of a schema: no line has to say it."""
    if not proofs:
        return Verdict([NO_PROOF])
    if len(statement) > MAX_STATEMENT:
        return Verdict([TOO_LONG])
    if TURNS_AROUND.search(statement):
        return Verdict([TURNED])
    statement = make_plain(statement)
    facts = find_facts(statement)
    if facts.count > MAX_FACTS:
        return Verdict([TOO_MANY_FACTS])
    missing = [*_list_missing_words(facts, proofs, is_definition)]
    missing += [written for written, days in facts.dates.items() if not any(days & proof.days for proof in proofs)]
    for written, partial in facts.partial_dates.items():
        if not any(proof.says_part_of_day(partial) for proof in proofs):
            missing.append(written)
    sums, not_there = _check_numbers(statement, facts, proofs)
    missing += not_there
    missing += [each.written for each in facts.quantities if not _says_quantity(each, proofs)]
    missing += _list_other_periods(statement, proofs)
    if not missing and (opposite := find_opposite(statement, [proof.text for proof in proofs])):
        missing.append(OPPOSITE.format(said=opposite.said, instead=opposite.instead))
    printed = " ".join(proof.text for proof in proofs)
    if not (missing or denies(statement) or denies(printed)) and (trends := find_other_trend(statement, printed)):
        missing.append(OPPOSITE.format(said=trends[0], instead=trends[1]))
    if not missing and (elsewhere := _find_elsewhere(statement, proofs)):
        missing.append(ELSEWHERE.format(name=elsewhere))
    return Verdict(list(dict.fromkeys(missing)), sums)


def _check_numbers(statement: str, facts: Facts, proofs: Sequence[Proof]) -> tuple[list[Sum], list[str]]:
    """How its numbers come of others, and those that stand nowhere, at least not with their unit."""
    sums: list[Sum] = []
    missing: list[str] = []
    scales = {Decimal(1)}.union(*(list_scales(proof.text) for proof in proofs))
    for written, values in facts.numbers.items():
        measured = [each for each in facts.measured if each.values & values]
        if any(proof.says_number(values) for proof in proofs):
            missing += [each.shown for each in measured if not any(proof.says_measured(each) for proof in proofs)]
        elif _says_scaled(values, scales, proofs) or _is_name_of_document(statement, written, proofs):
            pass
        elif not measured and len(proofs) > 1 and Decimal(len(proofs)) in values:
            pass  # how many they are
        elif (
            not measured and YEAR.fullmatch(written) and any(stands_in(written, each.document_name) for each in proofs)
        ):
            pass
        elif len(sums) + len(missing) < MAX_COMPUTED and (
            computed := _explain(written, values, statement, facts, proofs)
        ):
            sums.append(computed)
        elif len(missing) < MAX_COMPUTED and (
            units := find_mixed_units(written, values, statement, [proof.amounts for proof in proofs])
        ):
            missing.append(MIXED.format(number=written, units=" and ".join(units)))
        elif not _is_part(written, facts):
            missing.append(written)
    return sums, missing


def _find_elsewhere(statement: str, proofs: Sequence[Proof]) -> str:
    """The block id of a line that says what the cited ones do not; empty where there is none, as for words of one's own
    or in another language."""
    missing = list_long_words(statement).difference(*(proof.words for proof in proofs))
    if len(missing) < MIN_ELSEWHERE:
        return ""
    beside = {name: words for proof in proofs for name, words in proof.words_beside.items()}
    shares = {name: len(missing & words) / len(missing) for name, words in beside.items()}
    best = max(shares, key=lambda name: shares[name], default="")
    return best if best and shares[best] >= SHARE_ELSEWHERE else ""


def _list_missing_words(facts: Facts, proofs: Sequence[Proof], is_definition: Callable[[str], bool]) -> Iterator[str]:
    texts = [proof.text for proof in proofs]
    for quote in facts.quotes:
        if compact_text(quote) and not any(stands_in(quote, text) and _has_signs(quote, text) for text in texts):
            yield f"“{quote}”"
    named = [*texts, *(proof.document_name for proof in proofs)]
    for name, readings in facts.names.items():
        if any(stands_in(reading, text) for reading in readings for text in named):
            continue
        if not (facts.is_inflected and any(stands_bent(name, text) for text in named)) and not is_definition(name):
            yield name
    days = {day.weekday() for proof in proofs for day in proof.days}
    days |= {day for text in texts for day in find_weekdays(text).values()}
    yield from (name for name, day in facts.weekdays.items() if day not in days)


def _has_signs(quote: str, text: str) -> bool:
    """The signs of money, per cent and minus, which are no letters."""
    return set(_SIGN.findall(quote)) <= set(_SIGN.findall(text))


def _says_quantity(quantity: Quantity, proofs: Sequence[Proof]) -> bool:
    """“In the two years” may be those of the days in its lines."""
    printed = [each for proof in proofs for each in find_quantities(proof.text)]
    if any(map(quantity.contradicts, printed)) and not any(each.unit == quantity.unit for each in printed):
        return False
    years = {day.year for proof in proofs for day in proof.days} if quantity.unit == "year" else ()
    return any(proof.says_number(quantity.values) for proof in proofs) or Decimal(len(years)) in quantity.values


def _list_other_periods(statement: str, proofs: Sequence[Proof]) -> list[str]:
    """“Per year”, where the lines say “per month” alone."""
    printed = set().union(*(find_periods(proof.text) for proof in proofs))
    return [written for unit, written in find_periods(statement).items() if printed and unit not in printed]


def _explain(written: str, values: set[Decimal], statement: str, facts: Facts, proofs: Sequence[Proof]) -> Sum | None:
    """Of all lines, or of those that prove no other number of the sentence."""
    others = [other for name, other in facts.numbers.items() if name != written]
    rest = [proof for proof in proofs if not any(map(proof.says_number, others))]
    measured = [each.unit.kinds for each in facts.measured if each.unit and each.values & values]
    kinds = frozenset[str]().union(*measured) - {"%"}
    of_all = explain_number(written, values, statement, [proof.amounts for proof in proofs], kinds)
    return of_all or explain_number(written, values, statement, [proof.amounts for proof in rest], kinds)


def _says_scaled(values: set[Decimal], scales: Iterable[Decimal], proofs: Sequence[Proof]) -> bool:
    return any(proof.says_number({value / scale for value in values}) for scale in scales for proof in proofs)


def _is_name_of_document(statement: str, written: str, proofs: Sequence[Proof]) -> bool:
    """“Hall 7”, of a line in lease-hall-7.pdf: with the word before it, so that it is no amount."""
    named = [match[0] for match in re.finditer(rf"[^\W\d_]{{3,}} {re.escape(written)}(?![\w.,]*\d)", statement)]
    return any(stands_in(words, proof.document_name) for words in named for proof in proofs)


def _is_part(written: str, facts: Facts) -> bool:
    """Whether it is only one half of a number with spaces, which is looked for as a whole."""
    return any(written != other and written in other.split() for other in facts.numbers)
