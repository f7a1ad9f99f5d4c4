"""Sentences of an answer that name no source although what they state comes from documents.

A sentence may lean on what the answer cites elsewhere, on the person's own words, and on what the server computed. An
amount, a day, an identifier or a longer quotation that stands in none of these has no source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.citations.claims.checking import Proof
from agent.citations.claims.facts import YEAR, Facts, find_facts
from agent.citations.evidence import stands_in

NAMES_NONE = "it names no source for {facts}"
MAX_NAMED, MAX_LETTERS = 5, 100_000
# Fewer words in quotation marks are a name or a word that is spoken of.
MIN_QUOTED = 4
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Known:
    """What needs no source: `texts` that the person said or the server computed, and the names of documents."""

    texts: Sequence[str]
    names: Sequence[str] = ()

    @cached_property
    def proofs(self) -> list[Proof]:
        return [Proof(text[:MAX_LETTERS]) for text in self.texts]


def find_unnamed(claim: str, cited: Sequence[Proof], known: Known) -> str:
    """What of the sentence has no source, as a reason; empty where all has."""
    unnamed = list(dict.fromkeys(_list_unnamed(find_facts(claim), [*cited, *known.proofs], known.names)))
    return NAMES_NONE.format(facts=", ".join(unnamed[:MAX_NAMED])) if unnamed else ""


def _list_unnamed(facts: Facts, proofs: Sequence[Proof], names: Sequence[str]) -> Iterator[str]:
    for written, values in facts.numbers.items():
        is_amount = any(each.unit and each.unit.is_amount and each.values & values for each in facts.measured)
        if (is_amount or _is_telling(written)) and not any(values & proof.values for proof in proofs):
            yield written
    yield from (written for written, days in facts.dates.items() if not any(days & proof.days for proof in proofs))
    texts = [*(proof.text for proof in proofs), *names]
    quoted = (quote for quote in facts.quotes if len(quote.split()) >= MIN_QUOTED)
    codes = (name for name in facts.names if _DIGIT.search(name) and not name.isdigit())
    yield from (words for words in (*quoted, *codes) if not any(stands_in(words, text) for text in texts))


def _is_telling(written: str) -> bool:
    """Small numbers count things, and a year is said of much."""
    return len(_DIGIT.findall(written)) > 2 and not YEAR.fullmatch(written)
