"""The share of a page that the engine has no letters for: it leaves out scripts that it was not taught."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from statistics import median

from reader.ocr.lines import OcrLine, OcrWord

# Measured on receipts and invoices: letters fill .6 to 1.1 of what they are expected to, dots before a price half of
# it. In Russian, Arabic and Hebrew lines the few that are recognized fill a twentieth to two thirds.
MAX_STRETCH = 1.35
# In heights. What is shorter, a number or a word, tells too little.
LONG = 3.0
# One may be a signature, a stamp, or a pattern in a photograph.
FEWEST = 2
WIDE_LETTER, NARROW_LETTER = 1.0, 0.5
# Vietnamese: these two letters are known, the vowels with signs above or below them are dropped: Nguyn, qun, ch.
HORNED = re.compile(r"[ơưƠƯ]")
OWN_LETTER = re.compile(r"[ơưăđƠƯĂĐ]")
WORD = re.compile(r"[^\W\d_]+")
VOWELS = frozenset("aeiouy")
FEWEST_HORNED = 2
# A share of the words of a page; on printed pages of other languages abbreviations stay below.
MAX_WITHOUT_VOWEL = 0.05
# Igbo, Welsh and others: where a vowel was dropped its place stays, and the letters left stand far apart: zr, bch, Tr.
WIDE_WORD = 1.2
FEWEST_WIDE, MAX_WIDE = 3, 0.05
# Yoruba has so many vowels that words keep some; those with a dot below are dropped: j, mta. These have none.
YORUBA = frozenset(["fún", "àti", "náà", "owó", "ìwé", "tí", "ní", "lórí", "wà"])
FEWEST_YORUBA = 3
TONED = re.compile(r"[àáèéìíòóùúÀÁÈÉÌÍÒÓÙÚ]")
# Greek letters are known, those with accents are not; alone they are signs of formulas.
GREEK_WORD = re.compile(r"[\u0370-\u03ff]\w{2,}|\w{2,}[\u0370-\u03ff]")


def measure_illegible(lines: Iterable[OcrLine]) -> int:
    """Percent of the length of all lines; lines without any text are those that were only seen."""
    illegible: list[float] = []
    whole = 0.0
    lines = list(lines)
    has_lost = has_lost_vowels([line.text for line in lines]) or has_wide_words(lines)
    is_yoruba = reads_as_yoruba([line.text for line in lines])
    for line in lines:
        length = max(line.width, line.height)
        whole += length
        is_lost = (has_lost and lacks_vowels(line.text)) or (is_yoruba and TONED.search(line.text))
        if is_lost or not is_legible(line):
            illegible.append(length)
    return round(100 * sum(illegible) / whole) if len(illegible) >= FEWEST else 0


def has_lost_vowels(texts: Sequence[str]) -> bool:
    """Whether a page is in Vietnamese with vowels missing. The engine is sure of such lines."""
    words = [word for text in texts for word in WORD.findall(text)]
    horned = sum(HORNED.search(word) is not None for word in words)
    return horned >= FEWEST_HORNED and sum(map(is_without_vowel, words)) > MAX_WITHOUT_VOWEL * len(words)


def has_wide_words(lines: Iterable[OcrLine]) -> bool:
    """Whether words without a vowel take the room of those with one. Abbreviations do not."""
    words = [word for line in lines for word in line.words if WORD.search(word.text)]
    widths = [measure_width(word) for word in words if not is_without_vowel(word.text)]
    usual = median(widths) if widths else 1.0
    wide = [word for word in words if is_cut_word(word.text) and measure_width(word) >= WIDE_WORD * usual]
    return len(wide) >= FEWEST_WIDE and len(wide) > MAX_WIDE * len(words)


def is_cut_word(text: str) -> bool:
    """Whether a vowel may be missing: in capitals it would be an abbreviation, and m is wide by itself: mm."""
    letters = "".join(WORD.findall(text))
    has_digit = any(sign.isdigit() for sign in text)
    return len(set(letters)) > 1 and not letters.isupper() and not has_digit and is_without_vowel(letters)


def measure_width(word: OcrWord) -> float:
    """Measure how wide a letter is, in heights."""
    left, top, right, bottom = word.box
    return (right - left) / max(1.0, bottom - top) / len(word.text)


def reads_as_yoruba(texts: Iterable[str]) -> bool:
    return len(YORUBA.intersection(word for text in texts for word in WORD.findall(text.lower()))) >= FEWEST_YORUBA


def lacks_vowels(text: str) -> bool:
    """Whether a line of such a page has lost some, or has letters of Vietnamese."""
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
