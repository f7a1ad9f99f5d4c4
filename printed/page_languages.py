"""Guess in which languages a page is written, by its small words and its labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from printed.folding import fold, split_names
from printed.language import Language
from printed.languages import LANGUAGES

FEWEST = 2
# A second language counts where the page has a good part of its words in it, as forms in two languages have.
SHARE = 0.4


def guess_languages(words: Iterable[str]) -> tuple[Language, ...]:
    """The likeliest first; English where nothing tells."""
    counts = Counter(fold(word.strip(".,:;()")) for word in words)
    scores = {language.code: _score(language.code, counts) for language in LANGUAGES if language.code}
    best = max(scores.values(), default=0)
    if best < FEWEST:
        return tuple(language for language in LANGUAGES if language.code == "en")
    likely = [language for language in LANGUAGES if scores.get(language.code, 0) >= max(FEWEST, SHARE * best)]
    return tuple(sorted(likely, key=lambda language: -scores[language.code]))


def _score(code: str, counts: Counter[str]) -> int:
    return sum(min(counts[word], 3) for word in _list_own_words()[code] & counts.keys())


@cache
def _list_own_words() -> dict[str, set[str]]:
    """By language the words of its table that no other table has: "total" and "de" tell nothing."""
    words = {language.code: _list_words(language) for language in LANGUAGES}
    shared = Counter(word for each in words.values() for word in each)
    return {code: {word for word in each if shared[word] == 1} for code, each in words.items()}


def _list_words(language: Language) -> set[str]:
    labels = " ".join([*language.fields.values(), *language.columns.values()])
    return {fold(word) for word in language.stopwords.split()} | {name for name in split_names(labels) if len(name) > 2}
