"""How much a value says by itself: "INV-2025-49883" can stand alone, "1" cannot."""

from __future__ import annotations

from typing import Any

from documents.locate.amounts import as_number, money_in
from documents.locate.dates import as_dates
from documents.locate.folding import compact

MAX_WEIGHT = 14


def weight(value: Any) -> int:
    """Letters and digits that have to fall together by chance; dates count as eight."""
    if isinstance(value, bool) or value is None:
        return 0
    number = as_number(value)
    if number is not None:
        digits = str(abs(number)).replace(".", "").lstrip("0")
        return min(len(digits.rstrip("0")) if number == number.to_integral_value() else len(digits), MAX_WEIGHT)
    text = str(value)
    return 8 if as_dates(text) else min(len(compact(text)), MAX_WEIGHT)


def stands_alone(value: Any) -> bool:
    """True when one single match, without any label, is proof enough."""
    if isinstance(value, bool):
        return False
    if as_number(value) is not None:
        return weight(value) >= (3 if "." in str(value) and not str(value).endswith(".0") else 5)
    return weight(value) >= (3 if money_in(str(value)) else 4)


def says_itself(value: Any) -> bool:
    """True for names, addresses and long codes: all places that have them mean the same, so the first will do."""
    if not isinstance(value, str) or as_dates(value):
        return False
    length = len(compact(value))
    has_digits = any(char.isdigit() for char in value)
    has_letters = any(char.isalpha() for char in value)
    return has_letters and (length >= 8 or (length >= 5 and (has_digits or " " in value.strip())))
