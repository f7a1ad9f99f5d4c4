"""A label and its value, where one stands in a line and the other in the next: “Bill to:”, and the name below it."""

from __future__ import annotations

from collections.abc import Mapping

from agent.citations.statements.words.ordinary_words import LANGUAGES, is_ordinary
from documents.reading.blocks import BlockPlace

MAX_WORDS = 3


def join_label(place: BlockPlace, text: str, beside: Mapping[BlockPlace, str]) -> str:
    """The line with the value below it where it is a label, and with the label above it where that is one.

    Other lines are no part of the next: a line says nothing of its neighbour.
    """
    above, below = (beside.get(BlockPlace(place.page, place.line + step), "") for step in (-1, 1))
    parts = [above if _is_label(above) else "", text, below if _is_label(text) else ""]
    return " ".join(filter(None, parts))


def _is_label(line: str) -> bool:
    """What ends with a colon, and a few ordinary words without an end, as “Invoice number”."""
    line = line.rstrip(" |")
    words = line.split()
    if line.endswith(":"):
        return True
    return 0 < len(words) <= MAX_WORDS and all(word.isalpha() and is_ordinary(word, LANGUAGES) for word in words)
