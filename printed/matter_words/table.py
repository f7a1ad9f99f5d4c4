"""The table of words in which people speak of documents and of what stands in them, in one language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Table = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class MatterWords:
    """Phrases are parted by commas. A `*` stands for more letters of a word; alone it stands for some words."""

    types: Table
    """By the type of a document the words by which people call it."""
    matters: Table
    """By a matter the words that tell that somebody speaks of it."""
    speech: Table
    """By what a sentence does (greets, asks, points, compares, claims a right) the words that do it."""
