"""Letters and digits that read alike: O and 0, l, 1 and I, S and 5, B and 8, rn and m."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from printed.folding import fold_letters

_JOINED = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("ii", "u"))
_SKELETON = str.maketrans({"o": "0", "l": "1", "i": "1", "|": "1", "z": "2", "s": "5", "b": "8", "g": "9", "q": "9"})
_AS_DIGITS = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "|": "1", "S": "5", "B": "8", "Z": "2"})
# A letter behind a number is a unit or a code, and one before it may be a sign of money: 12.5l, S5.00.
_LETTER_IN_NUMBER = re.compile(r"(?<=[\d.,/-])[OolI|SBZ](?=[\d.,/-])|^[Oo](?=[\d.,/-])|(?<=[.,]\d)[Oo]$")
_EDGE = re.compile(r"[\W_]+")


class Difference(NamedTuple):
    """Letters of a value and those that the page has in their place; one of them may be empty."""

    value: str
    page: str

    @property
    def is_alike(self) -> bool:
        return make_skeleton(self.value) == make_skeleton(self.page)

    @property
    def has_digits(self) -> bool:
        return any(char.isdigit() for char in self.value + self.page)


def make_skeleton(text: str) -> str:
    """Equal for texts that read alike."""
    text = fold_letters(text)
    for letters, letter in _JOINED:
        text = text.replace(letters, letter)
    return text.translate(_SKELETON)


def read_letters_as_digits(text: str) -> str:
    """“1,2O4.50” as 1,204.50: letters among digits that look like digits."""
    if text.isalpha() or not any(char.isdigit() for char in text):
        return text
    while (read := _LETTER_IN_NUMBER.sub(lambda match: match[0].translate(_AS_DIGITS), text)) != text:
        text = read
    return text


def list_differences(value: str, printed: str) -> tuple[Difference, ...]:
    """Without case, accents, spaces and punctuation, which make no other text."""
    return tuple(_iterate_differences(_EDGE.sub("", value), _EDGE.sub("", printed)))


def _iterate_differences(one: str, other: str) -> Iterator[Difference]:
    """Letters that differ beside one another are one difference: rn for m."""
    start = start_other = end = end_other = 0
    steps = [*Levenshtein.opcodes(fold_letters(one), fold_letters(other))]
    for step in steps:
        if step.tag == "equal":
            if end > start or end_other > start_other:
                yield Difference(one[start:end], other[start_other:end_other])
            start, start_other = step.src_end, step.dest_end
        end, end_other = step.src_end, step.dest_end
    if steps and (end > start or end_other > start_other):
        yield Difference(one[start:end], other[start_other:end_other])


def describe_differences(differences: Sequence[Difference]) -> str:
    """“The page has “O” for “0”.”"""
    parts = []
    for value, page in differences:
        if not page:
            parts.append(f"no “{value}”")
        else:
            parts.append(f"“{page}” for “{value}”" if value else f"“{page}” more")
    return f"The page has {', '.join(parts)}."
