"""The share of a page that the engine has no letters for: it leaves out scripts that it was not taught."""

import re
import unicodedata
from collections.abc import Iterable

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
GREEK_WORD = re.compile(r"[\u0370-\u03ff]\w{2,}|\w{2,}[\u0370-\u03ff]")


def measure_illegible(lines: Iterable[OcrLine]) -> int:
    """Percent of the length of all lines; lines without any text are those that were only seen."""
    illegible: list[float] = []
    whole = 0.0
    for line in lines:
        length = max(line.width, line.height)
        whole += length
        if not is_legible(line):
            illegible.append(length)
    return round(100 * sum(illegible) / whole) if len(illegible) >= FEWEST else 0


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
