"""Words by which types of documents are told: titles, labels and phrases, one table a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from printed.folding import fold_letters
from printed.type_words.table import Table, TypeWords

_names = sorted(module.name for module in iter_modules(__path__) if module.name != "table")
LANGUAGES: Mapping[str, TypeWords] = {name: import_module(f"{__name__}.{name}").WORDS for name in _names}
TABLES: tuple[TypeWords, ...] = tuple(LANGUAGES.values())
_SPACE = r"[\s\xa0]+"
_WORD_START = r"(?<!\w)"


@cache
def get_titles() -> re.Pattern[str]:
    return _compile(_list_phrases(lambda table: table.titles))


@cache
def get_types_of_titles() -> Mapping[str, re.Pattern[str]]:
    return {name: _compile(phrases) for name, phrases in _join_phrases(lambda table: table.titles).items()}


@cache
def get_labels() -> Mapping[str, re.Pattern[str]]:
    return {name: _compile(phrases) for name, phrases in _join_phrases(lambda table: table.labels).items()}


@cache
def get_phrases() -> Mapping[str, re.Pattern[str]]:
    return {name: _compile(phrases) for name, phrases in _join_phrases(lambda table: table.phrases).items()}


def fold_line(text: str) -> str:
    """Folded as the phrases are, letter by letter, so that places stay."""
    return fold_letters(text.replace("’", "'"))


def _list_phrases(pick: Callable[[TypeWords], Table]) -> list[str]:
    return [phrase for phrases in _join_phrases(pick).values() for phrase in phrases]


def _join_phrases(pick: Callable[[TypeWords], Table]) -> dict[str, list[str]]:
    joined: dict[str, list[str]] = {}
    for table in TABLES:
        for name, phrases in pick(table).items():
            joined.setdefault(name, []).extend(phrase.strip() for phrase in phrases.split(","))
    return joined


def _compile(phrases: list[str]) -> re.Pattern[str]:
    """The longest first, so that "order confirmation" is not read as "order"."""
    longest_first = sorted({fold_line(phrase) for phrase in phrases}, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(_join_by_first_letter(longest_first))


def _join_by_first_letter(phrases: Iterable[str]) -> str:
    """Phrases stay in their order within a letter; most places of a text begin none, which one look then tells."""
    by_letter: dict[str, list[str]] = {}
    for phrase in phrases:
        by_letter.setdefault(phrase[0] if phrase[0].isalnum() else "", []).append(write_phrase(phrase))
    others = by_letter.pop("", [])
    start = len(_WORD_START)
    groups = [f"{letter}(?:{'|'.join(one[start + 1 :] for one in group)})" for letter, group in by_letter.items()]
    return "|".join([*([f"{_WORD_START}(?:{'|'.join(groups)})"] if groups else []), *others])


def write_phrase(phrase: str) -> str:
    words = [
        r"\S+(?:\s+\S+){0,4}?" if word == "*" else re.escape(word).replace(r"\*", r"\w*") for word in phrase.split()
    ]
    before, after = (_WORD_START if phrase[0].isalnum() or phrase[0] == "*" else ""), r"(?!\w)"
    return before + _SPACE.join(words) + after
