"""The words that tell something in a sentence, and whether a line has them, in another form or with the same meaning.

Small words tell nothing, nor do those by which a sentence says what its line shows: “amounts to”, “according to”.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from agent.citations.statements.words.ordinary_words import CAPITALIZES_NOUNS, find_form, list_languages
from printed.dates import MONTHS, WEEKDAYS
from printed.folding import fold
from printed.language import Language
from printed.languages import LANGUAGES, join_words, list_words
from printed.stopwords import NO, YES

MIN_LETTERS, MIN_ROOT, MIN_HEAD = 2, 4, 5
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_PART = re.compile(r"[^\W\d_]+")


def _fold_all(*picks: Callable[[Language], str]) -> frozenset[str]:
    words = list_words(lambda each: " ".join(pick(each) for pick in picks).replace(",", " "))
    return frozenset(map(fold, words))


PARTIES = {fold(word): key for key, words in join_words(lambda each: each.parties).items() for word in words}
_LABELS, _MEANINGS = join_words(lambda each: each.label_words), join_words(lambda each: each.meanings)
_SAME = {fold(word): key for table in (_LABELS, _MEANINGS) for key, words in table.items() for word in [key, *words]}
_SAME |= PARTIES
_NUMBERS = join_words(lambda each: each.numbers)
_SAME |= {fold(word): number for number, words in _NUMBERS.items() for word in words}
_MONTHS = frozenset(map(fold, [*MONTHS, *WEEKDAYS, *YES, *NO]))
"""Days are compared as what they mean."""


def _list_light(language: Language) -> frozenset[str]:
    """Small words, those that are compared otherwise, as units and negations, and those that only report."""
    numbers = [words.split()[1:] for words in language.numbers.split(",") if words.split()[:1] == ["1"]]
    tables = (
        *(language.stopwords, language.reports, language.documents, language.directions, language.before),
        *(language.after, language.universals, language.permits, language.obliges),
        *(language.units, language.currencies, language.scales, language.negations, language.titles),
        *(language.pages, language.lines, language.passed_over, *(word for words in numbers for word in words)),
    )
    return frozenset(fold(word) for table in tables for word in table.replace(",", " ").split())


_LIGHT = {each.code: _list_light(each) for each in LANGUAGES}
_REPORTS = frozenset(LANGUAGES[0].reports.split())
_DERIVED = _fold_all(lambda each: each.derived) | {""}


def list_content_words(text: str) -> Iterator[str]:
    """In their order, as they are written."""
    languages = tuple(list_languages(text))
    for match in WORD.finditer(text):
        if not is_light(match[0], languages):
            yield match[0]


@lru_cache(maxsize=20_000)
def is_light(word: str, languages: Sequence[str]) -> bool:
    """Whether it tells nothing in these languages, or is compared in another way."""
    folded = fold(word)
    if len(folded) < MIN_LETTERS or folded in _MONTHS or _SAME.get(folded) in _REPORTS:
        return True
    return any(folded in _LIGHT[each] for each in languages or _LIGHT)


def is_label(words: str) -> bool:
    """Whether they are no name though they are written as one: “VAT”, “EUR Miete”."""
    labels = _SAME.keys() - PARTIES.keys()
    return all(word in labels or is_light(word, ()) for word in fold(words).split())


@lru_cache(maxsize=20_000)
def list_meanings(word: str, languages: Sequence[str]) -> frozenset[str]:
    """Under which it is compared: as it is, its dictionary form, and what it means in any language."""
    folded = fold(word)
    parts = _PART.findall(folded) if not folded.isalpha() else []
    forms = {folded, *(part for part in parts if len(part) >= MIN_LETTERS), *_list_forms(word, languages)}
    return frozenset(forms | {_SAME[form] for form in forms if form in _SAME})


def _list_forms(word: str, languages: Sequence[str]) -> Iterator[str]:
    yield fold(find_form(word, languages))
    yield fold(find_form(word.lower(), languages))


def says_word(word: str, languages: Sequence[str], printed: frozenset[str]) -> bool:
    """Whether one of the printed meanings is one of the word, or of its root."""
    meanings = list_meanings(word, languages)
    if not meanings.isdisjoint(printed):
        return True
    joins = not CAPITALIZES_NOUNS.isdisjoint(languages) and _SAME.keys().isdisjoint(meanings)
    return any(_is_akin(each, other, joins=joins) for each in meanings for other in printed)


def _is_akin(word: str, other: str, *, joins: bool) -> bool:
    """“Payment” and “payable”; of “employer” and “employee” the endings tell. `joins`: “Karte” is in “Landkarte”."""
    if word[:MIN_ROOT] != other[:MIN_ROOT]:
        return joins and len(word) >= MIN_HEAD and other.endswith(word)
    if word in PARTIES or other in PARTIES:
        return False
    same = next((at for at, (one, two) in enumerate(zip(word, other, strict=False)) if one != two), None)
    root = min(len(word), len(other)) if same is None else same
    return word[root:] in _DERIVED and other[root:] in _DERIVED
