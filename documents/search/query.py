"""What is typed into a search: words, "phrases", beginnings*, -words to leave out; and the terms of the list's box."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.actor import Actor
from documents.catalog.filters import DocumentFilter, parse_filter
from documents.word_index.expressions import Expression, Group, Phrase
from documents.word_index.terms import is_unspaced, join_number, split_terms
from kit.errors import Invalid

MAX_LETTERS = 500
MAX_WORDS = 20
MIN_PREFIX = 2
_WORD = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))(?P<star>(?<=")\*)?')


@dataclass(frozen=True)
class TypedWord:
    """One word or phrase as it was typed, and what of the index will do for it."""

    text: str
    group: Group
    is_excluded: bool = False

    @property
    def single_term(self) -> str:
        """Empty for a phrase and for the beginning of a word."""
        phrase = self.group[0]
        return phrase.terms[0] if len(phrase.terms) == 1 and not phrase.is_prefix else ""


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
        excluded = tuple(word.group for word in self.typed if word.is_excluded)
        return Expression(tuple(word.group for word in self.wanted_words), excluded, needs_all)


def parse_query(actor: Actor, text: str, *, is_typing: bool = False) -> SearchQuery:
    """`is_typing`: the last word may be the beginning of one. Raises Invalid for what is too long."""
    if len(text) > MAX_LETTERS:
        raise Invalid(f"The search has {len(text):,} characters; {MAX_LETTERS} are the most.")
    narrowing = parse_filter(actor, {"q": [text]})
    words = parse_words(narrowing.words)
    if len(words) > MAX_WORDS:
        raise Invalid(f"The search has {len(words)} words; {MAX_WORDS} are the most.")
    if is_typing and words and narrowing.words.endswith(words[-1].text):
        words[-1] = _open_end(words[-1])
    return SearchQuery(narrowing, words, _find_problem(narrowing, words))


def parse_words(text: str) -> list[TypedWord]:
    """A quotation mark that is left open closes at the end. What has no letter or figure is left out."""
    words = []
    for match in _WORD.finditer(text):
        written = match["phrase"] if match["phrase"] is not None else match["word"]
        terms = split_terms(written)
        if not terms:
            continue
        is_prefix = bool(match["star"]) or written.endswith("*")
        is_prefix = is_prefix and (len(terms[-1]) >= MIN_PREFIX or is_unspaced(terms[-1]))
        words.append(TypedWord(written, _make_group(terms, is_prefix), bool(match["minus"])))
    return words


def _make_group(terms: tuple[str, ...], is_prefix: bool) -> Group:
    """A number of several parts is meant in any of its forms."""
    joined = join_number(terms)
    phrase = Phrase(terms, is_prefix)
    return (phrase, Phrase((joined,), is_prefix)) if joined else (phrase,)


def _open_end(word: TypedWord) -> TypedWord:
    last = word.group[0].terms[-1]
    if word.is_excluded or not (len(last) >= MIN_PREFIX or is_unspaced(last)):
        return word
    return TypedWord(word.text, _make_group(word.group[0].terms, is_prefix=True))


def _find_problem(narrowing: DocumentFilter, words: Sequence[TypedWord]) -> str:
    if narrowing.refusals:
        return narrowing.refusals[0].sentence
    if words and all(word.is_excluded for word in words):
        return "Write what to look for as well: what is left out alone would leave everything else."
    if narrowing.words.strip() and not words:
        return "The search has no letters or figures. Write a word, or the beginning of one and *."
    return ""
