"""Amounts of values as exact numbers, and how far two of them may lie apart."""

from __future__ import annotations

from decimal import Decimal

from kit.json_types import Json
from printed.numbers import parse_number, parse_numbers

# ISO 4217: the others have two.
_WITHOUT_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_WITH_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"
MAX_LETTERS = 60


def count_decimals(currency: str) -> int:
    code = currency.strip().upper()
    if len(code) != 3:
        return 2
    return 0 if code in _WITHOUT_DECIMALS else 3 if code in _WITH_THREE_DECIMALS else 2


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


def format_amount(amount: Decimal, decimals: int = 2) -> str:
    """17116.5 → 17,116.50: as many decimals as the currency has, or as the amount needs."""
    needed = -int(amount.normalize().as_tuple().exponent)
    return f"{amount:,.{max(decimals, min(needed, 10))}f}"
