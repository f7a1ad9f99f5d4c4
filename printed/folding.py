"""Texts as they are compared: without case, accents, spacing and punctuation."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SEPARATORS = re.compile(r"[\W_]+")
# Where one printed word is two things: "Total:17.50", "No#12", "(12)", "Leeds;York"; but 12:30 and 1,5 stay whole.
_PARTS = re.compile(r"(?<!\d):|:(?!\d)|[=#|()\[\]{};\"“”«»]+|,(?=\D)|(?<=\D),")
_EDGES = " \t\n.,:;()[]{}\"'“”„‘’«»*"
_SIGNED = re.compile(r"[-−–]\s*\d")
_DIGIT_GAP = re.compile(r"(?<=\d)[\W_]*(?=\d)")
_DIGITS = re.compile(r"\d(?:[\d.,'’٫٬]*\d)?")
_ARABIC_SIGNS = {"٫": ".", "٬": ",", "٪": "%"}
# Letters that have no decomposition.
PLAIN_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})
_WORDS = re.compile(r"[^\W\d_]+")


def fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in parts if not unicodedata.combining(char)).translate(PLAIN_LETTERS)


def fold_letters(text: str) -> str:
    """Folded letter by letter, so that places stay those of the text."""
    return text.lower() if text.isascii() else "".join(map(_fold_letter, text))


@lru_cache(maxsize=4096)
def _fold_letter(letter: str) -> str:
    return fold(letter)[:1] or letter


def read_digits(text: str) -> str:
    """Digits of all scripts as 0 to 9 and full-width signs as plain ones, letter by letter, so that places stay.

    A number in digits of two scripts is unreadable: the Bengali 4 looks like an 8.
    """
    return text if text.isascii() else "".join(map(_read_sign, _DIGITS.sub(_refuse_mixed, text)))


def _refuse_mixed(run: re.Match[str]) -> str:
    zeros = {ord(char) - unicodedata.decimal(char) for char in run[0] if char.isdecimal()} - {ord("０")}
    return run[0] if len(zeros) < 2 else "\ufffd" * len(run[0])


@lru_cache(maxsize=4096)
def _read_sign(char: str) -> str:
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    is_full_width = unicodedata.east_asian_width(char) == "F"
    return unicodedata.normalize("NFKC", char) if is_full_width else _ARABIC_SIGNS.get(char, char)


@lru_cache(maxsize=20_000)
def compact_text(text: str) -> str:
    """Letters and digits only."""
    text = fold(read_digits(text))
    return text if text.isalnum() else _SEPARATORS.sub("", text)


def split_parts(word: str) -> list[str]:
    """The raw parts of one printed word that can each be a value of its own."""
    if word.isalnum():
        return [word]
    return [part for part in _PARTS.split(word) if part]


def trim_text(text: str) -> str:
    """Without punctuation at the edges, spaces collapsed: what still counts as an exact match."""
    return " ".join(text.split()).strip(_EDGES)


def split_names(text: str) -> list[str]:
    """Folded words of a label or a field name; camelCase and snake_case are taken apart."""
    return _WORDS.findall(fold(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).replace("_", " ")))


def digits_agree(value: str, quote: str) -> bool:
    """False when a decimal mark or a minus sign tells two otherwise equal texts apart: 1.5 is not 15, -5 is not 5."""
    if bool(_SIGNED.match(value.strip())) != bool(_SIGNED.match(quote.strip())):
        return False
    gaps = zip(_DIGIT_GAP.findall(value), _DIGIT_GAP.findall(quote), strict=False)
    return not any({one, other} in ({"", "."}, {"", ","}) for one, other in gaps)
