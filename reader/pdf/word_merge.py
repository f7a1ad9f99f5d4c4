"""One list of words from a text layer and a picture of the same page."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

import numpy as np

from reader.order.lines import number_lines
from reader.words import Word

SAME_PLACE = 0.4
ALIKE = 0.6


def merge_words(layer: Iterable[Word], seen: list[Word], slope: float) -> list[Word]:
    """Text-layer words, and those words of the picture that stand elsewhere.

    A hidden word that repeats what is seen in its place (the invisible text of a searchable scan) is dropped; one that
    says something else is kept, still hidden.
    """
    layer = list(layer)
    visible = [word for word in layer if not word.hidden]
    places, occupied = Places(seen), Places(visible)
    hidden = [
        word for word in layer if word.hidden and not any(is_same_word(word, seen[at]) for at in places.find_near(word))
    ]
    new = [word for word in seen if not occupied.find_near(word)]
    return number_lines([*visible, *new, *hidden], slope)


def is_same_word(word: Word, other: Word) -> bool:
    return word.text in other.text or SequenceMatcher(None, word.text.lower(), other.text.lower()).ratio() >= ALIKE


class Places:
    """The boxes of words, all compared at once: a page has thousands of each kind."""

    def __init__(self, words: Sequence[Word]) -> None:
        boxes = np.array([word[1:5] for word in words], dtype=np.float64).reshape(-1, 4)
        self.x0, self.y0, self.x1, self.y1 = boxes.T
        self.areas = (self.x1 - self.x0) * (self.y1 - self.y0)

    def find_near(self, word: Word) -> list[int]:
        """Find words in the same place: the overlap covers a good part of the smaller box."""
        widths = np.minimum(word.x1, self.x1) - np.maximum(word.x0, self.x0)
        heights = np.minimum(word.y1, self.y1) - np.maximum(word.y0, self.y0)
        smaller = np.minimum((word.x1 - word.x0) * (word.y1 - word.y0), self.areas)
        overlaps = (widths > 0) & (heights > 0) & (widths * heights >= SAME_PLACE * smaller)
        return [int(at) for at in np.flatnonzero(overlaps)]
