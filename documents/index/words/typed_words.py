"""Words as a person types them: words, "phrases", beginnings*, -words to leave out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from documents.index.words.expressions import Expression, Group, Phrase
from documents.index.words.terms import is_unspaced, join_number, split_terms

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


def open_end(word: TypedWord) -> TypedWord:
    """The word as the beginning of one, where it is long enough."""
    last = word.group[0].terms[-1]
    if word.is_excluded or not (len(last) >= MIN_PREFIX or is_unspaced(last)):
        return word
    return TypedWord(word.text, _make_group(word.group[0].terms, is_prefix=True))


def make_expression(typed: Sequence[TypedWord], *, needs_all: bool = True) -> Expression:
    excluded = tuple(word.group for word in typed if word.is_excluded)
    return Expression(tuple(word.group for word in typed if not word.is_excluded), excluded, needs_all)
