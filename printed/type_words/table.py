"""The table of words by which one language's types of documents are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Table = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class TypeWords:
    """Phrases are parted by commas. A `*` ends a word that may have more letters; alone it stands for some words."""

    titles: Table
    """By the type of a document the words that it has as its title."""
    labels: Table
    """By a sign the words that stand for it at the beginning of a cell."""
    phrases: Table
    """By a sign the words that stand for it anywhere in a line."""
