"""One list of words from a text layer and a picture of the same page."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from documents.backends.words import Word, number_rows

SAME_PLACE = 0.4
ALIKE = 0.6


def merge(layer: Iterable[Word], seen: list[Word], slope: float) -> list[Word]:
    """Text-layer words, and those words of the picture that stand elsewhere.

    A hidden word that repeats what is seen in its place (the invisible text of a searchable scan) is dropped; one that
    says something else is kept, still hidden.
    """
    layer = list(layer)
    visible = [word for word in layer if not word.hidden]
    hidden = [word for word in layer if word.hidden and not any(repeats(word, other) for other in seen)]
    new = [word for word in seen if not any(in_same_place(word, other) for other in visible)]
    return number_rows([*visible, *new, *hidden], slope)


def repeats(word: Word, other: Word) -> bool:
    return in_same_place(word, other) and (
        word.text in other.text or SequenceMatcher(None, word.text.lower(), other.text.lower()).ratio() >= ALIKE
    )


def in_same_place(word: Word, other: Word) -> bool:
    """The overlap covers a good part of the smaller box."""
    width = min(word.x1, other.x1) - max(word.x0, other.x0)
    height = min(word.y1, other.y1) - max(word.y0, other.y0)
    if width <= 0 or height <= 0:
        return False
    smaller = min((word.x1 - word.x0) * (word.y1 - word.y0), (other.x1 - other.x0) * (other.y1 - other.y0))
    return width * height >= SAME_PLACE * smaller
