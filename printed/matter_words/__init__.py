"""Words in which people speak of documents: types, matters and what a sentence does, one table a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules

from printed.matter_words.table import MatterWords, Table
from printed.type_words import fold_line, write_phrase

_names = sorted(module.name for module in iter_modules(__path__) if module.name != "table")
TABLES: tuple[MatterWords, ...] = tuple(import_module(f"{__name__}.{name}").WORDS for name in _names)
PICKS: Mapping[str, Callable[[MatterWords], Table]] = {
    "types": lambda table: table.types,
    "matters": lambda table: table.matters,
    "speech": lambda table: table.speech,
}

_WORDS = re.compile(r"\w+")
_HEAD = 3


@dataclass(frozen=True)
class Mention:
    """`weight` counts the letters that the table names, so that "lohnabrechnung*" holds against "*rechnung"."""

    name: str
    start: int
    end: int
    weight: int

    def covers(self, other: Mention) -> bool:
        size, other_size = self.end - self.start, other.end - other.start
        if self.start > other.start or self.end < other.end:
            return False
        return size > other_size or self.weight > other.weight


@dataclass(frozen=True)
class _Phrase:
    name: str
    pattern: re.Pattern[str]
    weight: int


def list_mentions(kind: str, text: str) -> list[Mention]:
    """All of a folded text, without those that stand inside a longer one."""
    mentions = find_words(kind, text)
    return [one for one in mentions if not any(other.covers(one) for other in mentions)]


@lru_cache(maxsize=256)
def find_words(kind: str, text: str) -> tuple[Mention, ...]:
    """Every place of a phrase. Only phrases are searched that begin as some word of the text does."""
    phrases = _index_phrases(kind)
    heads = {word[:length] for word in _WORDS.findall(text) for length in range(1, _HEAD + 1)} | {""}
    return tuple(
        Mention(phrase.name, match.start(), match.end(), phrase.weight)
        for head in sorted(heads & phrases.keys())
        for phrase in phrases[head]
        for match in phrase.pattern.finditer(text)
    )


def has_words(kind: str, name: str, text: str) -> bool:
    return any(mention.name == name for mention in find_words(kind, text))


@cache
def get_pattern(kind: str, name: str) -> re.Pattern[str]:
    longest_first = sorted(_join_phrases(kind)[name], key=lambda phrase: (-len(phrase), phrase))
    return re.compile("|".join(map(write_phrase, longest_first)))


@cache
def _index_phrases(kind: str) -> Mapping[str, Sequence[_Phrase]]:
    """By the first letters of their first word; those that may begin with any stand under no letters."""
    index: dict[str, list[_Phrase]] = {}
    for name, phrases in _join_phrases(kind).items():
        for phrase in sorted(phrases):
            start = _WORDS.match(phrase)
            head = start[0][:_HEAD] if start else ""
            weight = len(phrase.replace("*", ""))
            index.setdefault(head, []).append(_Phrase(name, re.compile(write_phrase(phrase)), weight))
    return index


@cache
def _join_phrases(kind: str) -> Mapping[str, set[str]]:
    joined: dict[str, set[str]] = {}
    for table in TABLES:
        for name, phrases in PICKS[kind](table).items():
            joined.setdefault(name, set()).update(fold_line(phrase.strip()) for phrase in phrases.split(","))
    return joined
