"""The words of languages: which are no names though a capital letter begins them, and their dictionary forms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from agent.citations.statements.words.census import FIRST, load_names
from printed import languages

if TYPE_CHECKING:
    from simplemma.strategies.dictionary_lookup import DictionaryLookupStrategy

# The stopwords of all languages tell which one a text is in; bent names are compared otherwise.
LANGUAGES = tuple(language.code for language in languages.LANGUAGES if not language.bends_names)
CAPITALIZES_NOUNS = frozenset(language.code for language in languages.LANGUAGES if language.capitalizes_nouns)
_STOPWORDS = {language.code: frozenset(language.stopwords.split()) for language in languages.LANGUAGES}
_LANGUAGES_OF_STOPWORDS = {
    word: [code for code, common in _STOPWORDS.items() if word in common]
    for word in frozenset().union(*_STOPWORDS.values())
}
_WORD = re.compile(r"[^\W\d_]+")
_NOT = re.compile(r"n['’]t$")
# Names beyond these in a census are words more often than names.
_FIRST_NAMES_TAKEN = 300
MIN_LETTERS, MAX_LETTERS = 4, 60
# Several rules ask the same of a statement and its lines.
TEXTS_KEPT, WORDS_KEPT = 1_000, 10_000


@lru_cache(TEXTS_KEPT)
def list_languages(text: str) -> tuple[str, ...]:
    """Those that it may be written in: by the small words, or by any. All of them of a text without words to tell by,
    and none of a language that is not known here."""
    words = _WORD.findall(text)
    counts = Counter(code for word in words for code in _LANGUAGES_OF_STOPWORDS.get(word.lower(), ()))
    if not counts:
        plain = [word for word in words if word.islower() and len(word) >= MIN_LETTERS]
        if not plain:
            return LANGUAGES
        counts = Counter({each: sum(word in _load_dictionary(each) for word in plain) for each in LANGUAGES})
    highest = max(counts.values())
    return tuple(language for language in LANGUAGES if highest and counts[language] == highest)


def is_ordinary(word: str, languages: Sequence[str]) -> bool:
    """Whether one of the languages has it, and as no name: “Payment”, “Landlord's”, not “Anna”, “Novak's”.

    True where there is no language to ask.
    """
    if not languages or _NOT.search(word):
        return True
    parts = [part.lower() for part in _WORD.findall(word) if len(part) > 1]
    return load_names(FIRST, _FIRST_NAMES_TAKEN).isdisjoint(parts) and all(
        any(_has(each, part) for each in languages) for part in parts
    )


def find_form(word: str, languages: Sequence[str]) -> str:
    """Under which the first of the languages that knows it lists it: “cover” for “covers”. Else the word."""
    forms = (_find_form_in(language, word) for language in languages)
    return next((form.lower() for form in forms if form), word)


@lru_cache(WORDS_KEPT)
def _find_form_in(language: str, word: str) -> str | None:
    return _load_forms().get_lemma(word, language)


@lru_cache(WORDS_KEPT)
def _has(language: str, word: str) -> bool:
    listed = _load_dictionary(language)
    if word in listed or language not in CAPITALIZES_NOUNS or len(word) > MAX_LETTERS:
        return word in listed
    # What a compound ends with is a noun too.
    return any(word[at:].capitalize() in listed for at in range(len(word) - MIN_LETTERS))


@cache
def _load_forms() -> DictionaryLookupStrategy:
    # Checking answers needs it, starting does not.
    from simplemma.strategies.dictionaries import LOW_MEMORY_DICTIONARY_FACTORY  # noqa: PLC0415
    from simplemma.strategies.dictionary_lookup import DictionaryLookupStrategy  # noqa: PLC0415

    return DictionaryLookupStrategy(LOW_MEMORY_DICTIONARY_FACTORY)


def _load_dictionary(language: str) -> Mapping[str, str]:
    from simplemma.strategies.dictionaries import LOW_MEMORY_DICTIONARY_FACTORY  # noqa: PLC0415 - see above

    return LOW_MEMORY_DICTIONARY_FACTORY.get_dictionary(language)
