"""Sentences that deny what their lines say, or say what these deny: a word of both, beside “not” in one of them alone.

By rules, and careful: one word after the negation is compared, by its dictionary form. What is refused, excluded or
missing in other words is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.citations.statements.words.ordinary_words import find_form, list_languages
from printed.languages import LANGUAGES, list_words
from printed.stopwords import STOPWORDS

_NEGATIONS = frozenset(list_words(lambda language: language.negations))
# In other languages, such as Portuguese, it is a small word.
_NO, _HAVE_NO = "no", frozenset(each.code for each in LANGUAGES if "no" in each.negations.split())
_AFTER_VERB = frozenset(list_words(lambda language: language.late_negations))
_DENIALS = tuple(list_words(lambda language: language.denials))
_LIMITS = frozenset(list_words(lambda language: language.limits))
# What holds with an exception is not compared.
_EXCEPTIONS = frozenset(list_words(lambda language: language.exceptions))
_DOCUMENTS = frozenset(list_words(lambda language: language.documents))
_PASSED_OVER = STOPWORDS | _NEGATIONS | frozenset(list_words(lambda language: language.passed_over))
_MENTIONS = frozenset(list_words(lambda language: language.mentions))
MIN_LETTERS = 4
_TOKEN = re.compile(r"\w+(?:['’]\w+)?|[.,;:!?()–—]")
_CONTRACTED = re.compile(r"n['’]t$")


@dataclass(frozen=True)
class Opposite:
    """`said` is a word of the sentence; `instead` what stands in its place in the line."""

    said: str
    instead: str


def find_opposite(statement: str, lines: Sequence[str]) -> Opposite | None:
    sentence, printed = _Words(statement), [_Words(line) for line in lines]
    if not sentence.may_deny:
        affirmed = set().union(*(each.forms.keys() - each.denied.keys() for each in printed))
        denied = {form: phrase for each in printed for form, phrase in each.denied.items() if form not in affirmed}
        return next((Opposite(sentence.forms[form], denied[form]) for form in denied if form in sentence.forms), None)
    if any(each.may_deny for each in printed):
        return None
    forms = {form: word for each in printed for form, word in each.forms.items()}
    return next((Opposite(phrase, forms[form]) for form, phrase in sentence.denied.items() if form in forms), None)


def denies_documents(text: str) -> bool:
    """Whether it says what they do not: “no lease names a deposit”, “the lease does not mention one”."""
    tokens, behind = _split_denial(text)
    if not behind or text.rstrip().endswith("?"):
        return False
    return denies_all_documents(text) or not (_DOCUMENTS.isdisjoint(tokens) or _MENTIONS.isdisjoint(tokens))


def denies_all_documents(text: str) -> bool:
    """Whether it says so of all: “no lease names a deposit”, “none of the leases does”, “none names one”."""
    tokens, behind = _split_denial(text)
    if not behind or text.rstrip().endswith("?"):
        return False
    first = next((each for each in tokens[1:] if each in _MENTIONS or each not in _PASSED_OVER), "")
    return (0 in behind and first in _MENTIONS) or not _DOCUMENTS.isdisjoint(behind.values())


def _split_denial(text: str) -> tuple[list[str], dict[int, str]]:
    """Its words, and by the place of each negation the next word that tells something."""
    tokens = [token.lower() for token in _TOKEN.findall(text)]
    negations = [at for at, token in enumerate(tokens) if token in _NEGATIONS or _CONTRACTED.search(token)]
    return tokens, {at: next((each for each in tokens[at + 1 :] if each not in STOPWORDS), "") for at in negations}


def denies(text: str) -> bool:
    """Whether it may deny anything."""
    return _Words(text).may_deny


class _Words:
    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        self.languages = list_languages(text)

    @cached_property
    def forms(self) -> dict[str, str]:
        """The words that can be compared, by their dictionary form."""
        return {self._find_form(token): token for token in self.tokens if _is_telling(token)}

    @cached_property
    def denied(self) -> dict[str, str]:
        """By its form each word that is denied, with its negation. Nothing where more than one thing is."""
        places = [at for at, token in enumerate(self.tokens) if self._is_negation(token)]
        if len(places) != 1 or _EXCEPTIONS & {token.lower() for token in self.tokens}:
            return {}
        [at] = places
        negation = self.tokens[at]
        word = _find_next(self.tokens[at + 1 :])
        if word.lower() in _DOCUMENTS:  # “no lease names one” is of many, and none of its lines says the opposite
            return {}
        if not word and negation in _AFTER_VERB:
            word = next((each for each in _list_clause(self.tokens[:at]) if each.islower() and _is_telling(each)), "")
        return {self._find_form(word): f"{negation} {word}"} if word else {}

    @property
    def may_deny(self) -> bool:
        folded = (token.lower() for token in self.tokens)
        return any(self._is_negation(token) or token.startswith(_DENIALS) for token in folded)

    def _is_negation(self, token: str) -> bool:
        folded = token.lower()
        if folded == _NO:
            return not _HAVE_NO.isdisjoint(self.languages)
        return folded in _NEGATIONS or _CONTRACTED.search(folded) is not None

    def _find_form(self, word: str) -> str:
        return find_form(word.lower(), self.languages)


def _find_next(tokens: Sequence[str]) -> str:
    for token in tokens:
        if not token.isalpha() or token.lower() in _LIMITS:  # as “no. 5”
            return ""
        if _is_telling(token):
            return token
    return ""


def _list_clause(tokens: Sequence[str]) -> list[str]:
    """The last one of them."""
    ends = [at for at, token in enumerate(tokens) if not token[0].isalnum()]
    return list(tokens[ends[-1] + 1 if ends else 0 :])


def _is_telling(word: str) -> bool:
    folded = word.lower()
    return len(word) >= MIN_LETTERS and word.isalpha() and folded not in _PASSED_OVER
