"""Numbers as they are printed: 17,116.55 · 17.116,55 · € 12.- · 12.— · 5,000/- · (40.00) · 40.00- · 20%."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from kit.json_types import Json
from printed.currencies import MARKS, MARKS_WITHOUT_DECIMALS
from printed.folding import read_digits

_MARK = "|".join(re.escape(mark) for mark in MARKS)
_PRINTED = re.compile(
    rf"(?P<open>\()?(?P<sign>[-−–+])?(?P<before>{_MARK})?\s?(?P<late_sign>[-−–])?"
    rf"(?P<digits>\d(?:[\d.,'’\s]*\d)?)(?:[.,:](?:-{{1,2}}|[–—])|/[-–—=])?\s?(?P<percent>%)?(?P<after>{_MARK})?"
    r"(?P<trailing>[-−–])?(?P<close>\))?"
)
MAX_LETTERS = 60
_EDGES = ".,:;*[]{}\"'“”"
_SPACES = re.compile(r"[\s'’]")
# Only thousands are parted by spaces: 12 34 are two numbers.
_OTHER_GAP = re.compile(r"\d{4}[\s'’]|[\s'’](?!\d{3}(?!\d))")
_LEADING_POINT = re.compile(r"^([-−–+(]?[€$£]?)\.(?=\d)")


class Number(NamedTuple):
    """One way to read a printed number. `implies` is the decimal mark that this reading takes for granted, if any:
    in 1,234 the comma can part thousands or decimals."""

    value: Decimal
    percent: bool = False
    implies: str = ""
    currency: str = ""


def parse_numbers(text: str) -> list[Number]:
    """Every way to read a text that is one number; none when it is something else."""
    text = read_digits(text)
    text = _LEADING_POINT.sub(r"\g<1>0.", text)
    text = text.strip(_EDGES) if text[:1] in _EDGES or text[-1:] in ".,:;*]}\"'“”" else text
    printed = _PRINTED.fullmatch(text)
    if printed is None or _OTHER_GAP.search(printed["digits"]):
        return []
    currency = printed["before"] or printed["after"] or ""
    minus = bool(printed["sign"] in ("-", "−", "–") or printed["late_sign"] or printed["trailing"])
    bracketed = bool(printed["open"] and printed["close"])
    readings = []
    amounts = _parse_amounts(printed["digits"])
    if len(amounts) > 1 and currency in MARKS_WITHOUT_DECIMALS:
        amounts = amounts[1:]
    for amount, implies in amounts:
        readings.append(Number(-amount if minus else amount, bool(printed["percent"]), implies, currency))
        if bracketed and not minus:  # accountants print minus as brackets; others just bracket
            readings.append(Number(-amount, bool(printed["percent"]), implies, currency))
    return readings


def _parse_amounts(digits: str) -> list[tuple[Decimal, str]]:
    digits = _SPACES.sub("", digits)
    marks = [char for char in digits if char in ".,"]
    if not marks:
        return [(Decimal(digits), "")]
    last = marks[-1]
    whole, _, cents = digits.rpartition(last)
    if len(set(marks)) == 2:
        fits = marks.count(last) == 1 and _is_grouped(whole)
        return [(_make_decimal(whole, cents), "")] if fits else []
    if len(marks) > 1:
        return [(_make_decimal(digits, ""), "")] if _is_grouped(digits) else []
    if len(cents) == 3 and len(whole) <= 3 and whole.lstrip("0"):
        return [(_make_decimal(whole, cents), last), (_make_decimal(digits, ""), "," if last == "." else ".")]
    return [(_make_decimal(whole, cents), "")]


def _is_grouped(whole: str) -> bool:
    """1,234,567 and, as in India, 12,34,567."""
    first, *groups = re.split("[.,]", whole)
    return bool(groups) and 1 <= len(first) <= 3 and len(groups[-1]) == 3 and all(len(g) in (2, 3) for g in groups)


def _make_decimal(whole: str, cents: str) -> Decimal:
    digits = re.sub("[.,]", "", whole)
    return Decimal(f"{digits}.{cents}" if cents else digits)


def choose_number(text: str, decimal_mark: str) -> Decimal | None:
    """The number that a text is, where the decimal mark of its country is known. Brackets mean minus."""
    return min((each.value for each in parse_numbers(text) if each.implies in ("", decimal_mark)), default=None)


def to_json_number(number: Decimal) -> int | float:
    """A number with decimals stays one: 12.00 is 12.0."""
    return float(number) if number.as_tuple().exponent else int(number)


def find_decimal_mark(texts: Iterable[str]) -> str:
    """The mark that this document uses for decimals, when all its unmistakable numbers agree; else nothing."""
    seen = {mark for text in texts if (mark := _find_certain_mark(text))}
    return seen.pop() if len(seen) == 1 else ""


def _find_certain_mark(text: str) -> str:
    marks = [char for char in text if char in ".,"]
    if len(marks) > 1 and marks[-1] != marks[0]:
        return marks[-1]
    if len(marks) == 1 and len(text.rpartition(marks[0])[2].strip(")-%€£$ ")) == 2:
        return marks[0]
    return ""


def parse_number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def parse_money(text: str) -> list[Number]:
    """Parse "$8.20" or "1.234,50" as amounts; nothing for plain digits, which may be an identifier."""
    text = text.strip()
    return [] if text.isdecimal() else [number for number in parse_numbers(text) if not number.implies]


def list_readings(value: Json, decimal_mark: str = "") -> set[Decimal]:
    """Every amount that the value can mean: none for what is no number, several for "1,234" of an unknown country."""
    number = parse_number(value)
    if number is not None:
        return {number}
    if not isinstance(value, str) or len(value) > MAX_LETTERS:
        return set()
    readings = parse_numbers(value)
    if decimal_mark:
        readings = [each for each in readings if each.implies in ("", decimal_mark)]
    return {each.value for each in readings}
