"""Words in which people speak of documents: types, matters and what a sentence does, one table a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
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


def list_mentions(kind: str, text: str) -> list[Mention]:
    """All of a folded text, without those that stand inside a longer one."""
    mentions = [mention for name in _compile_all(kind) for mention in _search(kind, name, text)]
    return [one for one in mentions if not any(other.covers(one) for other in mentions)]


def has_words(kind: str, name: str, text: str) -> bool:
    return next(_search(kind, name, text), None) is not None


def get_pattern(kind: str, name: str) -> re.Pattern[str]:
    return _compile_all(kind)[name][0]


def _search(kind: str, name: str, text: str) -> Iterator[Mention]:
    pattern, weights = _compile_all(kind)[name]
    for match in pattern.finditer(text):
        yield Mention(name, match.start(), match.end(), weights[(match.lastindex or 1) - 1])


@cache
def _compile_all(kind: str) -> Mapping[str, tuple[re.Pattern[str], Sequence[int]]]:
    joined: dict[str, set[str]] = {}
    for table in TABLES:
        for name, phrases in PICKS[kind](table).items():
            joined.setdefault(name, set()).update(fold_line(phrase.strip()) for phrase in phrases.split(","))
    return {name: _compile(phrases) for name, phrases in joined.items()}


def _compile(phrases: set[str]) -> tuple[re.Pattern[str], Sequence[int]]:
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    pattern = re.compile("|".join(f"({write_phrase(phrase)})" for phrase in longest_first))
    return pattern, [len(phrase.replace("*", "")) for phrase in longest_first]
