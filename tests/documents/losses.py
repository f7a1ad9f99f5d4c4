"""What a file prints and its words do not have."""

from __future__ import annotations

from collections.abc import Sequence

from reader.words import Word
from tests.documents.files_of_kinds import VALUES


def list_lost(words: Sequence[Word]) -> list[str]:
    """Values of the invoice whose words do not follow each other, or have no box on the page."""
    text = f" {' '.join(word.text for word in words if has_box(word))} "
    # Marks that a kind sets around its texts.
    for mark in '",:[]{};•':
        text = text.replace(mark, " ")
    text = " ".join(text.split())
    return [value for value in VALUES if " ".join(value.replace(",", " ").split()) not in text]


def has_box(word: Word) -> bool:
    return 0 <= word.x0 < word.x1 <= 1 and 0 <= word.y0 < word.y1 <= 1 and not word.hidden
