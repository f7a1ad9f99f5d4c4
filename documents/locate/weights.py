"""How much a value says by itself: "INV-2025-49883" can stand alone, "1" cannot."""

from __future__ import annotations

from printed.dates import parse_dates
from printed.folding import compact_text
from printed.numbers import parse_money, parse_number

MAX_WEIGHT = 14


def get_weight(value: object) -> int:
    """Letters and digits that have to fall together by chance; dates count as eight."""
    if isinstance(value, bool) or value is None:
        return 0
    number = parse_number(value)
    if number is not None:
        digits = str(abs(number)).replace(".", "").lstrip("0")
        return min(len(digits.rstrip("0")) if number == number.to_integral_value() else len(digits), MAX_WEIGHT)
    text = str(value)
    return 8 if parse_dates(text) else min(len(compact_text(text)), MAX_WEIGHT)


def is_unique_unlabelled(value: object) -> bool:
    """True when one single match, without any label, is proof enough."""
    if isinstance(value, bool):
        return False
    if parse_number(value) is not None:
        return get_weight(value) >= (3 if "." in str(value) and not str(value).endswith(".0") else 5)
    return get_weight(value) >= (3 if parse_money(str(value)) else 4)


def is_self_evident(value: object) -> bool:
    """True for names, addresses and long codes: all places that have them mean the same, so the first will do."""
    if not isinstance(value, str) or parse_dates(value):
        return False
    length = len(compact_text(value))
    has_digits = any(char.isdigit() for char in value)
    has_letters = any(char.isalpha() for char in value)
    return has_letters and (length >= 8 or (length >= 5 and (has_digits or " " in value.strip())))
