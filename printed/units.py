"""The unit of a number, by the words beside it: “39.80 EUR”, “€ 5”, “30 days”, “19 %”, and “3 million” as a number.

Units are compared, never converted: 36 months stand in no line that says three years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from printed.currencies import MARKS, SYMBOLS
from printed.languages import join_words, list_words

UNITS = join_words(lambda language: language.units)
TIMES = ("year", "month", "week", "day", "hour", "minute")
# Single letters, as they are written, with what they may stand for.
_LETTERS = {"g": "g", "t": "t day", "m": "m month minute", "l": "l", "h": "hour"}
_MONEY = join_words(lambda language: language.currencies)
_BY_WORD = {word: frozenset(codes.split("/")) for codes, words in _MONEY.items() for word in words}
_BY_WORD |= {word: frozenset([unit]) for unit, words in UNITS.items() for word in words}
SCALES = {"thousand": 10**3, "lakh": 10**5, "million": 10**6, "crore": 10**7, "billion": 10**9, "trillion": 10**12}
_SCALE_WORDS = join_words(lambda language: language.scales)
_FACTORS = {word: Decimal(SCALES[scale]) for scale, words in _SCALE_WORDS.items() for word in words}
SHORT_SCALES = ("teur", *(word for word in _FACTORS if len(word) < 4))
ADJECTIVE = "|".join(list_words(lambda language: language.unit_adjectives))
PERCENT = "|".join(["%", *(rf"{word.replace(' ', ' ?')}\b" for word in UNITS["%"] if word != "%")])
_BY_MARK = {mark: frozenset(code for code, marks in SYMBOLS.items() if mark == code or mark in marks) for mark in MARKS}
_MARK = "|".join(rf"{re.escape(mark)}(?!\w)" if mark[-1].isalpha() else re.escape(mark) for mark in MARKS)
_BEFORE = re.compile(rf"(?<!\w)(?P<mark>{'|'.join(map(re.escape, MARKS))})\s?[-−–]?\s?$")
_BEHIND = re.compile(
    rf"(?:[.,][-–]{{1,2}})?[\s\u00a0\u202f]?(?:(?P<mark>{_MARK})|(?P<percent>{PERCENT})"
    rf"|[(-]?(?:(?:{ADJECTIVE})\s)?(?P<word>[^\W\d_]+[²³]?))"
)
_SCALE = re.compile(r"[\s\u00a0\u202f]?(?P<word>[^\W\d_]+)\b\.?")
# Words that are money without a number beside them: no short ones, which may be others.
_SURE = "|".join(word for word, kinds in _BY_WORD.items() if kinds & {"EUR", "USD", "PLN"})
_ANY_MARK = re.compile(rf"\b(?:{'|'.join(SYMBOLS)})\b|[€£$¥]|\b(?:{_SURE})\b")
_WORD, _THOUSANDS = re.compile(r"[^\W\d_]+"), re.compile(r"\b[Tk](?:EUR\b|€)")
_NEAR = 24
_LONG = ("kg", "km", "cm", "mm", "kWh", "MWh", "qm", "m²", "m³")
_ATTACHED = "|".join(sorted({*(mark for mark in MARKS if mark.isalpha()), *_LONG}, key=len)[::-1])
_SHORT_FACTORS = {"k": "thousand", "m": "million", "mn": "million", "bn": "billion"}
_SHORT_SCALE = re.compile(r"(?P<amount>(?:[€$£]|\b(?:EUR|USD|GBP|CHF)) ?\d[\d.,]*) ?(?P<letter>(?i:k|mn?|bn))\b")
_GLUED = re.compile(rf"(?<=\d)(?=(?:{_ATTACHED})(?![\w]))|(?<![\w])(?:{'|'.join(sorted(SYMBOLS))})(?=\d)")
# The beginning of a longer word is enough, since German joins them: 3-Monatsfrist.
_OF_TIME = "|".join(word if len(word) > 3 else rf"{word}\b" for unit in TIMES for word in UNITS[unit])
_HYPHEN = re.compile(rf"(?<=\d)[-‑](?={_OF_TIME})", re.I)


class Unit(NamedTuple):
    """`kinds`: all that it can be; a sign of money may stand for several currencies."""

    written: str
    kinds: frozenset[str]

    @property
    def is_money(self) -> bool:
        return bool(self.kinds & SYMBOLS.keys())


def find_unit(text: str, start: int, end: int) -> Unit | None:
    """Find the unit of the number at this place, directly behind it, else before it."""
    behind, before = _BEHIND.match(text, end, end + _NEAR), _BEFORE.search(text[max(0, start - _NEAR) : start])
    if behind and (kinds := _name_kinds(behind)) and not (before and behind["word"] in _LETTERS):
        return Unit(behind[0].strip(" (-"), kinds)
    return Unit(before["mark"], _BY_MARK[before["mark"]]) if before else None


def _name_kinds(behind: re.Match[str]) -> frozenset[str]:
    if behind["mark"]:
        return _BY_MARK[behind["mark"]]
    if behind["percent"]:
        return frozenset("%")
    word = behind["word"]
    return _BY_WORD.get(word.lower(), frozenset()) or frozenset(_LETTERS.get(word, "").split())


def find_scale(text: str, end: int) -> tuple[Decimal, int]:
    """By how much the number that ends there is more than it says, and where the word for it ends."""
    word = _SCALE.match(text, end, end + _NEAR)
    factor = _FACTORS.get(word["word"].lower()) if word else None
    return (factor, word.end()) if word and factor else (Decimal(1), end)


def list_money(text: str) -> frozenset[str]:
    """The currencies that it names anywhere, as the head of a column does."""
    return frozenset(kind for kinds in _list_kinds(text) for kind in kinds if kind in SYMBOLS)


def _list_kinds(text: str) -> Iterator[frozenset[str]]:
    for match in _ANY_MARK.finditer(text):
        yield _BY_MARK.get(match[0]) or _BY_WORD.get(match[0], frozenset())


def list_scales(text: str) -> set[Decimal]:
    """List scales that belong to no single number: “in millions of EUR”, “TEUR”."""
    words = (match[0].lower() for match in _WORD.finditer(text) if not text[: match.start()].rstrip()[-1:].isdigit())
    return {_FACTORS[word] for word in words if word in _FACTORS} | (
        {Decimal(1000)} if _THOUSANDS.search(text) else set()
    )


def split_glued(text: str) -> str:
    """“39.80EUR”, “EUR39.80” and “a 30-day period” with a space beside the number, and “€250k” as thousands."""
    text = _SHORT_SCALE.sub(lambda match: f"{match['amount']} {_SHORT_FACTORS[match['letter'].lower()]}", text)
    text = _GLUED.sub(lambda match: f"{match[0]} ", text)
    return _HYPHEN.sub(" ", text)
