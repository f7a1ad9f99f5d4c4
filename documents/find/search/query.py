"""What is typed into a search: words as documents.index.words reads them, and the terms of the list's box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.actor import Actor
from documents.find.filters import DocumentFilter, parse_filter
from documents.index.words.expressions import Expression
from documents.index.words.typed_words import TypedWord, make_expression, open_end, parse_words
from kit.errors import Invalid

MAX_LETTERS = 500
MAX_WORDS = 20


@dataclass(frozen=True)
class SearchQuery:
    """`typed` is without the terms that narrow the documents, which are in `narrowing`."""

    narrowing: DocumentFilter
    typed: Sequence[TypedWord]
    problem: str = ""

    @property
    def wanted_words(self) -> list[TypedWord]:
        return [word for word in self.typed if not word.is_excluded]

    def make_expression(self, *, needs_all: bool = True) -> Expression:
        return make_expression(self.typed, needs_all=needs_all)


def parse_query(actor: Actor, text: str, *, is_typing: bool = False) -> SearchQuery:
    """`is_typing`: the last word may be the beginning of one. Raises Invalid for what is too long."""
    if len(text) > MAX_LETTERS:
        raise Invalid(f"The search has {len(text):,} characters; {MAX_LETTERS} are the most.")
    narrowing = parse_filter(actor, {"q": [text]})
    words = parse_words(narrowing.words)
    if len(words) > MAX_WORDS:
        raise Invalid(f"The search has {len(words)} words; {MAX_WORDS} are the most.")
    if is_typing and words and narrowing.words.endswith(words[-1].text):
        words[-1] = open_end(words[-1])
    return SearchQuery(narrowing, words, _find_problem(narrowing, words))


def _find_problem(narrowing: DocumentFilter, words: Sequence[TypedWord]) -> str:
    if narrowing.refusals:
        return narrowing.refusals[0].sentence
    if words and all(word.is_excluded for word in words):
        return "Write what to look for as well: what is left out alone would leave everything else."
    if narrowing.words.strip() and not words:
        return "The search has no letters or figures. Write a word, or the beginning of one and *."
    return ""
