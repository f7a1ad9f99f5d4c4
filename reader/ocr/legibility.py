"""The share of a page that the engine has no letters for: it leaves out scripts that it was not taught."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from reader.ocr.lines import OcrLine

# Measured on receipts and invoices: letters fill .6 to 1.1 of what they are expected to, dots before a price half of
# it. In Russian, Arabic and Hebrew lines the few that are recognized fill a twentieth to two thirds.
MAX_STRETCH = 1.35
# In heights. What is shorter, a number or a word, tells too little.
LONG = 3.0
# One may be a signature, a stamp, or a pattern in a photograph.
FEWEST = 2
WIDE_LETTER, NARROW_LETTER = 1.0, 0.5
# Greek letters are known, those with accents are not; alone they are signs of formulas.
# Vietnamese: these two letters are known, the vowels with signs above or below them are dropped: Nguyn, qun, ch.
HORNED = re.compile(r"[ơưƠƯ]")
OWN_LETTER = re.compile(r"[ơưăđƠƯĂĐ]")
WORD = re.compile(r"[^\W\d_]+")
VOWELS = frozenset("aeiouy")
FEWEST_HORNED = 2
# A share of the words of a page; on printed pages of other languages abbreviations stay below.
MAX_WITHOUT_VOWEL = 0.05
GREEK_WORD = re.compile(r"[\u0370-\u03ff]\w{2,}|\w{2,}[\u0370-\u03ff]")


def measure_illegible(lines: Iterable[OcrLine]) -> int:
    """Percent of the length of all lines; lines without any text are those that were only seen."""
    illegible: list[float] = []
    whole = 0.0
    lines = list(lines)
    has_lost = has_lost_vowels([line.text for line in lines])
    for line in lines:
        length = max(line.width, line.height)
        whole += length
        if not is_legible(line) or (has_lost and lacks_vowels(line.text)):
            illegible.append(length)
    return round(100 * sum(illegible) / whole) if len(illegible) >= FEWEST else 0


def has_lost_vowels(texts: Sequence[str]) -> bool:
    """Whether a page is in Vietnamese with vowels missing. The engine is sure of such lines."""
    words = [word for text in texts for word in WORD.findall(text)]
    horned = sum(HORNED.search(word) is not None for word in words)
    return horned >= FEWEST_HORNED and sum(map(is_without_vowel, words)) > MAX_WITHOUT_VOWEL * len(words)


def lacks_vowels(text: str) -> bool:
    """Whether a line of such a page is in Vietnamese."""
    return OWN_LETTER.search(text) is not None or any(map(is_without_vowel, WORD.findall(text)))


def is_without_vowel(word: str) -> bool:
    plain = unicodedata.normalize("NFD", word.lower())
    return VOWELS.isdisjoint(plain)


def is_legible(line: OcrLine) -> bool:
    length, thickness = max(line.width, line.height), max(1.0, min(line.width, line.height))
    if length < LONG * thickness:
        return True
    if GREEK_WORD.search(line.text):
        return False
    return length <= MAX_STRETCH * thickness * sum(map(measure_letter, line.text))


def measure_letter(letter: str) -> float:
    """In heights of a line."""
    return WIDE_LETTER if unicodedata.east_asian_width(letter) in "WF" else NARROW_LETTER
