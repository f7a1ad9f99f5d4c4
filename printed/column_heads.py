"""Heads of columns in all languages, and the columns that they name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from printed.folding import split_names
from printed.languages import LANGUAGES

LONGEST_HEAD = 5
"""Words."""
_SPOKEN_NAMES = ("sku", "description", "quantity", "unit", "unit_price", "tax_code", "amount")


def _collect_phrases() -> dict[tuple[str, ...], frozenset[str]]:
    phrases: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for language in LANGUAGES:
        for name, listed in language.columns.items():
            for phrase in listed.replace(";", ",").split(","):
                phrases[tuple(split_names(phrase))].add(name)
    phrases |= {tuple(split_names(name)): {name} for name in _SPOKEN_NAMES}
    return {words: frozenset(names) for words, names in phrases.items() if words}


_PHRASES = _collect_phrases()


def find_columns(words: Sequence[str]) -> frozenset[str]:
    """The columns that folded words are the whole head of: several where languages differ, none for other words."""
    return _PHRASES.get(tuple(words), frozenset())


def name_column(name: str) -> str:
    """The column that a field's name or title is a head of; empty without one, or where it could be several."""
    columns = find_columns(split_names(name))
    return next(iter(columns)) if len(columns) == 1 else ""
