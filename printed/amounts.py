"""Amounts that are more than their digits: 4,2 Mio. EUR · $250k · 7.201,33 S · 120.00 DR · 2 ½ · 1 290:50 kr."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from printed.currencies import MARKS, list_marks
from printed.folding import read_digits
from printed.languages import list_words
from printed.number_words import find_worded_numbers
from printed.numbers import Number, parse_numbers
from printed.units import find_scale

_SPACE = r"[ \u00a0\u2009\u202f]"
_MARK = "|".join(re.escape(mark) for mark in MARKS)
_DEBITS = frozenset(list_words(lambda language: language.debits))
_SIDE = "|".join([*_DEBITS, *list_words(lambda language: language.credits)])
_SHORT = {"k": 10**3, "t": 10**3, "m": 10**6, "mm": 10**6, "b": 10**9}
_KRONOR = ("SEK", "NOK", "DKK", "kr")
_KRONA = "|".join(_KRONOR)
_INDIAN = list_marks("INR")
_CRORE = 10**7
_OTHER_WORDS = ("S", "H", "Cr", "Dr")
_HAS_CENTS = re.compile(r"[.,]\d\d$")
# A number starts at its first digits, so that a long run of them is read once.
_AMOUNT = re.compile(
    rf"""(?<![\w.,:/'’])(?!(?<=\d{_SPACE})\d{{3}}(?!\d))
    (?P<number>[-−–+(]?(?:(?:{_MARK}){_SPACE}?)?[-−–]?
      (?:\d{{1,3}}(?:{_SPACE}\d{{3}}(?!\d))++(?:[.,]\d{{1,9}})?|\d(?:[\d.,'’]{{0,30}}\d)?+))
    (?: {_SPACE}?(?P<fraction>[¼-¾⅐-⅞])(?!\w)
      | {_SPACE}(?P<over>[1-9]\d?)/(?P<under>2|3|4|5|8|16|32|64)(?![\w/.,])
      | :(?P<cents>\d\d)(?:{_SPACE}?(?P<krona>{_KRONA}))?(?![\w:])
      | (?P<gap>{_SPACE}?)(?P<short>MM|[kKTmMbB]){_SPACE}?(?P<money>(?:{_MARK})(?!\w))?(?!\w)
      | {_SPACE}?\(?(?P<side>{_SIDE})\)?(?!\w)
      | (?={_SPACE}?(?P<word>[^\W\d_])) )""",
    re.VERBOSE,
)
_FRACTION_ALONE = re.compile(rf"(?<![\w.,/])(?<!\d{_SPACE})[¼-¾⅐-⅞](?!\w)")
_SCALE_BEFORE = re.compile(
    rf"(?<!\w)(?<!\d{_SPACE})(?P<scale>[TKkM]|[^\W\d_]{{2,9}}\.?){_SPACE}?"
    rf"(?P<number>(?:{_MARK}){_SPACE}?[-−–]?\d(?:[\d.,'’]{{0,30}}\d)?+)(?!\w)"
)


@dataclass(frozen=True)
class PrintedAmount:
    """A stretch of a text and what it can mean. `is_sure`: its digits alone would say another value."""

    start: int
    end: int
    readings: list[Number]
    is_sure: bool = True


def find_amounts(text: str) -> Iterator[PrintedAmount]:
    """Find them where digits alone would say another value, and numbers in words."""
    text = read_digits(text)
    for match in _AMOUNT.finditer(text):
        end, readings = _read_amount(text, match)
        if readings:
            yield PrintedAmount(match.start(), end, readings, is_sure=not _is_maybe_tax_code(match))
    for match in _SCALE_BEFORE.finditer(text):
        factor = Decimal(_SHORT.get(match["scale"].lower(), 0)) or find_scale(text, match.start())[0]
        if factor > 1:
            readings = [_multiply(number, factor) for number in parse_numbers(match["number"])]
            yield PrintedAmount(*match.span(), readings)
    for match in _FRACTION_ALONE.finditer(text):
        yield PrintedAmount(*match.span(), [Number(Decimal(str(unicodedata.numeric(match[0]))))])
    for start, end, value in find_worded_numbers(text):
        yield PrintedAmount(start, end, [Number(value)])


def _is_maybe_tax_code(match: re.Match[str]) -> bool:
    """Receipts print one behind an amount: $12.50 M."""
    return bool(match["short"] and not match["money"] and _HAS_CENTS.search(match["number"]) and match["gap"])


def _read_amount(text: str, match: re.Match[str]) -> tuple[int, list[Number]]:
    numbers = parse_numbers(match["number"])
    if match["side"]:
        return match.end(), list(_read_side(match["number"], numbers, match["side"]))
    if match["word"]:
        factor, end = find_scale(text, match.end())
        return end, [_multiply(number, factor) for number in numbers if factor > 1]
    if match["short"]:
        factor = Decimal(_SHORT[match["short"].lower()])
        return match.end(), [
            _multiply(number, factor)
            for number in numbers
            if match["money"] or (number.currency and match["short"] != "T")
        ]
    if match["cents"] and not match["krona"]:  # else a time
        numbers = [number for number in numbers if number.currency in _KRONOR]
    part = _read_part(match)
    return match.end(), [_add(number, part) for number in numbers if number.value % 1 == 0 and part < 1]


def _read_part(match: re.Match[str]) -> Decimal:
    if match["fraction"]:
        return Decimal(str(unicodedata.numeric(match["fraction"])))
    if match["cents"]:
        return Decimal(match["cents"]) / 100
    return Decimal(match["over"]) / Decimal(match["under"])


def _read_side(printed: str, numbers: list[Number], side: str) -> Iterator[Number]:
    """Without cents some of them are sizes, hours, titles and, in India, crores: 12 S, 24 H, 12 Dr. May, ₹ 5 Cr."""
    # Receipts of countries with a decimal point print S behind what has the standard rate of tax.
    has_cents = _HAS_CENTS.search(printed) and (side != "S" or printed[-3] == "," or "'" in printed or "’" in printed)
    is_side = has_cents or side not in _OTHER_WORDS
    for number in numbers:
        if is_side:
            yield number._replace(value=-abs(number.value)) if side in _DEBITS else number
        elif side == "Cr" and number.currency in _INDIAN:
            yield _multiply(number, Decimal(_CRORE))


def _multiply(number: Number, factor: Decimal) -> Number:
    return number._replace(value=number.value * factor)


def _add(number: Number, part: Decimal) -> Number:
    return number._replace(value=number.value + (part if number.value >= 0 else -part))
