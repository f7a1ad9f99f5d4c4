"""Whether what a sentence says stands in the lines that it names. No model is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from agent.citations.evidence import stands_bent, stands_in
from agent.citations.statements.entailment.gaps import find_gap
from agent.citations.statements.facts import JOINED, YEAR, Facts, find_facts, list_long_words
from agent.citations.statements.measures.plain_text import TURNS_AROUND, make_plain
from agent.citations.statements.measures.trends import find_other_trend
from agent.citations.statements.near_lines import list_near_lines
from agent.citations.statements.negations import denies, find_opposite
from agent.citations.statements.proofs import Proof
from agent.citations.statements.sums import Sum, explain_number, find_mixed_units
from agent.citations.statements.written_sums import find_written_sums
from printed.dates import find_weekdays
from printed.folding import compact_text
from printed.quantities import Quantity, find_periods, find_quantities
from printed.units import list_scales

NO_PROOF = "it names no words that were read"
MAX_STATEMENT, MAX_FACTS, MAX_COMPUTED = 4000, 200, 12
TOO_LONG = f"it is longer than the {MAX_STATEMENT:,} letters of a sentence that can be checked"
TOO_MANY_FACTS = f"it says more than the {MAX_FACTS} numbers, names and quotes that can be checked"
TURNED = "it holds signs behind which letters are shown in another order"
MIXED = "{number}, whose parts are in {units}"
BESIDE = "{parts} are in other lines of the page"
ELSEWHERE = "what else it says, which is in {name}"
OPPOSITE = "“{said}”, since it says “{instead}”"
_SIGN = re.compile(r"[%‰€$£¥<>≤≥±]|(?<!\w)[-−–](?=\d)")
# Of a sentence: fewer words that stand in another line tell nothing.
MIN_ELSEWHERE, SHARE_ELSEWHERE = 2, 0.6


class State(StrEnum):
    """The three states of a sentence that names lines; pages, files, `/v0` and MCP have these words."""

    PROVEN = "proven"
    NOT_CHECKED = "cited, not checked"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class Verdict:
    """`missing`: what of the sentence stands in none of the lines. `sums`: how its numbers come of those that do.

    `asks_again`: its author may prove it or leave it out. `gap`: why the lines do not prove it although all its facts
    stand there.
    """

    missing: Sequence[str] = ()
    sums: Sequence[Sum] = ()
    asks_again: bool = True
    gap: str = ""

    @property
    def state(self) -> State:
        return State.UNSUPPORTED if self.missing else State.NOT_CHECKED if self.gap else State.PROVEN


def _is_none(name: str) -> bool:
    return False


def check_statement(
    statement: str, proofs: Sequence[Proof], is_definition: Callable[[str], bool] = _is_none
) -> Verdict:
    """`is_definition` says of a name whether it is one of the product's own, as of a schema: no line has to say it."""
    if not proofs:
        return Verdict([NO_PROOF])
    if len(statement) > MAX_STATEMENT:
        return Verdict(gap=TOO_LONG)
    if TURNS_AROUND.search(statement):
        return Verdict([TURNED])
    statement = make_plain(statement)
    facts = find_facts(statement)
    if facts.count > MAX_FACTS:
        return Verdict(gap=TOO_MANY_FACTS)
    nameless = _list_names_elsewhere(facts, proofs)
    own_names = [name for name in nameless if is_definition(name)]
    missing = [*_list_missing_quotes(facts, proofs), *(name for name in nameless if name not in own_names)]
    missing += _list_missing_weekdays(facts, proofs)
    missing += [written for written, days in facts.dates.items() if not any(days & proof.days for proof in proofs)]
    for written, partial in facts.partial_dates.items():
        if not any(proof.says_part_of_day(partial) for proof in proofs):
            missing.append(written)
    sums, not_there = _check_numbers(statement, facts, proofs)
    parts = _list_parts_beside(statement, not_there, facts, proofs)
    missing += [written for written in not_there if written not in parts]
    missing += [each.written for each in facts.quantities if not _says_quantity(each, proofs)]
    missing += _list_other_periods(statement, proofs)
    if not missing and (opposite := find_opposite(statement, [proof.text for proof in proofs])):
        missing.append(OPPOSITE.format(said=opposite.said, instead=opposite.instead))
    printed = " ".join(proof.text for proof in proofs)
    if not (missing or denies(statement) or denies(printed)) and (trends := find_other_trend(statement, printed)):
        missing.append(OPPOSITE.format(said=trends[0], instead=trends[1]))
    if not missing and (elsewhere := _find_elsewhere(statement, facts, proofs)):
        missing.append(ELSEWHERE.format(name=elsewhere))
    if missing:
        return Verdict(list(dict.fromkeys(missing)), sums)
    beside = BESIDE.format(parts=", ".join(parts)) if parts else ""
    return Verdict([], sums, gap=beside or find_gap(statement, facts, proofs, own_names, is_sum=bool(sums)))


def _check_numbers(statement: str, facts: Facts, proofs: Sequence[Proof]) -> tuple[list[Sum], list[str]]:
    """How its numbers come of others, and those that stand nowhere, at least not with their unit."""
    sums: list[Sum] = []
    missing: list[str] = []
    written_out = find_written_sums(statement)
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
        elif not _is_part(written, facts) and written not in written_out:
            missing.append(written)
    return sums, missing


def _find_elsewhere(statement: str, facts: Facts, proofs: Sequence[Proof]) -> str:
    """The block id of a line that says what the cited ones do not; empty where there is none, as for words of one's own
    or in another language. Names have been looked for."""
    missing = list_long_words(statement).difference(
        list_long_words(" ".join(facts.names)), *(proof.words for proof in proofs)
    )
    if len(missing) < MIN_ELSEWHERE:
        return ""
    beside = {name: words for proof in proofs for name, words in proof.words_beside.items()}
    shares = {name: len(missing & words) / len(missing) for name, words in beside.items()}
    best = max(shares, key=lambda name: shares[name], default="")
    return best if best and shares[best] >= SHARE_ELSEWHERE else ""


def _list_parts_beside(statement: str, missing: Sequence[str], facts: Facts, proofs: Sequence[Proof]) -> list[str]:
    """List numbers that the sentence works out one of its lines with, and that stand in other lines of the page."""
    if not missing:
        return []
    texts = [text for proof in proofs for text in proof.beside.values()]
    results = find_written_sums(statement).items()
    sums = [each for result, each in results if any(map(_says(facts.numbers.get(result)), proofs))]
    parts = {part for each in sums for part in each.parts}
    return [written for written in missing if written in parts and any(stands_in(written, text) for text in texts)]


def _says(values: set[Decimal] | None) -> Callable[[Proof], bool]:
    return lambda proof: values is not None and proof.says_number(values)


def _list_missing_quotes(facts: Facts, proofs: Sequence[Proof]) -> Iterator[str]:
    texts = [proof.text for proof in proofs]
    for quote in facts.quotes:
        if compact_text(quote) and not any(stands_in(quote, text) and _has_signs(quote, text) for text in texts):
            yield f"“{quote}”"


def _list_names_elsewhere(facts: Facts, proofs: Sequence[Proof]) -> list[str]:
    """List the names that stand neither in the lines nor near them, in the name of their document or at its head."""
    texts = [text for proof in proofs for text in (proof.text, proof.document_name)]
    missing = _list_missing_names(facts, texts)
    near = [*list_near_lines(facts.names, proofs)] if missing else []
    return [name for name in _list_missing_names(facts, near, missing) if not _stands_in_parts(name, near)]


def _stands_in_parts(name: str, texts: Sequence[str]) -> bool:
    """“ACME Corp of Kingston” may stand in two lines of a letterhead."""
    parts = JOINED.split(name)
    return len(parts) > 1 and all(any(stands_in(part, text) for text in texts) for part in parts)


def _list_missing_weekdays(facts: Facts, proofs: Sequence[Proof]) -> Iterator[str]:
    texts = [proof.text for proof in proofs]
    days = {day.weekday() for proof in proofs for day in proof.days}
    days |= {day for text in texts for day in find_weekdays(text).values()}
    yield from (name for name, day in facts.weekdays.items() if day not in days)


def _list_missing_names(facts: Facts, texts: Sequence[str], names: Iterable[str] | None = None) -> list[str]:
    """List those of these names, or of all, that stand in no text."""
    return [
        name
        for name in (facts.names if names is None else names)
        if not any(stands_in(reading, text) for reading in facts.names[name] for text in texts)
        and not (facts.is_inflected and any(stands_bent(name, text) for text in texts))
    ]


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
