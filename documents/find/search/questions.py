"""What a question in whole sentences gives to look for: its words, the rare ones above all, its numbers and days."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from accounts.models import Organization
from documents.index.words import word_list
from documents.index.words.expressions import Expression, Group, Phrase
from documents.index.words.matching import PageFinder
from documents.index.words.terms import join_number, split_terms
from documents.index.words.typed_words import TypedWord, parse_words
from printed.dates import find_dates
from printed.numbers import list_readings
from printed.stopwords import HOMOGRAPHS, STOPWORDS

MAX_LETTERS, MAX_WORDS, MAX_CLUES = 2_000, 40, 10
# Words that nearly are one that stands on no page.
MAX_NEAR = 3
# In English as in other languages: hat, son and van are things that a question may be about.
_DROPPED = frozenset(term for word in STOPWORDS - HOMOGRAPHS for term in split_terms(word))
_PUNCTUATION = ".,;:!?()"


@dataclass(frozen=True)
class Question:
    """`weights`: of each group that is on a page at all; what few pages have weighs most."""

    text: str
    words: Sequence[str] = ()
    absent: Sequence[str] = ()
    weights: dict[Group, float] = field(default_factory=dict)
    numbers: Collection[Decimal] = ()
    days: Collection[date] = ()

    @property
    def expression(self) -> Expression:
        return Expression(tuple(self.weights), needs_all=False)

    def weigh(self, text: str) -> float:
        """From 0 to 1: how much of the question stands in a text. What no page has weighs as much as can be."""
        whole = sum(self.weights.values()) + len(self.absent)
        terms = f" {' '.join(split_terms(text))} | {' '.join(join_number(split_terms(word)) for word in text.split())} "
        part = sum(weight for group, weight in self.weights.items() if _stands_in(group, terms))
        return part / whole if whole else 0.0


def read_question(organization: Organization, text: str, pages: PageFinder) -> Question:
    text = " ".join(text.replace("\0", " ").split())[:MAX_LETTERS]
    # Each once; a minus before one is that of a number, where whole sentences are asked.
    words = _drop_stopwords(list({word.group: word for word in parse_words(text)}.values()))[:MAX_WORDS]
    weights: dict[Group, float] = {}
    absent = []
    for word in words:
        group, count = _count_pages(organization, word, pages)
        if count:
            weights[group] = 1 / math.log2(2 + count)
        else:
            absent.append(word.text.strip(_PUNCTUATION))
    texts = [word.text.strip(_PUNCTUATION) for word in words]
    numbers = [number for each in texts for number in list_readings(each) if _is_telling(each)]
    days = [day for printed in find_dates(text) for day in printed.days]
    return Question(text, texts, absent, weights, numbers[:MAX_CLUES], days[:MAX_CLUES])


def _drop_stopwords(words: Sequence[TypedWord]) -> Sequence[TypedWord]:
    """A question of stopwords alone keeps them. In capitals they are names: IT, hall A."""
    return [word for word in words if word.single_term not in _DROPPED or word.text.isupper()] or words


def _count_pages(organization: Organization, word: TypedWord, pages: PageFinder) -> tuple[Group, int]:
    count = pages.count_pages(word.group)
    if count or not word.single_term or any(map(str.isdigit, word.single_term)):
        return word.group, count
    near = word_list.list_near_words(organization, word.single_term)[:MAX_NEAR]
    group = tuple(Phrase((other,)) for other in near)
    return group, pages.count_pages(group) if group else 0


def _is_telling(text: str) -> bool:
    """A single figure is the number of too many things."""
    return sum(map(str.isdigit, text)) > 1


def _stands_in(group: Group, terms: str) -> bool:
    return any(f" {' '.join(phrase.terms)} " in terms for phrase in group)
