"""The functions of the language of value checks. Each takes the values of the extraction first, for their budget."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

from documents.checks.checked_values import CheckedValues
from documents.checks.findings import CannotCompute
from printed.currencies import format_amount
from printed.dates import parse_dates
from printed.numbers import list_readings


def describe_operand(value: object) -> str:
    if isinstance(value, Decimal):
        return format_amount(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"“{value[:60]}”"
    return "nothing" if value is None else "a group of fields" if isinstance(value, dict) else "a list"


def require_number(value: object) -> Decimal:
    if isinstance(value, Decimal):
        return value
    if value is None:
        raise CannotCompute("A value that the expression needs is empty.")
    raise CannotCompute(f"{describe_operand(value)} is no number; amount() reads one from a text.")


def _list_items(values: CheckedValues, items: object) -> list[object]:
    if not isinstance(items, list):
        raise CannotCompute("The function takes a list, such as [row[…] for row in …].")
    values.budget.spend(len(items))
    return items


def _list_numbers(values: CheckedValues, items: object) -> list[Decimal]:
    """Empty values of rows do not count."""
    return [require_number(item) for item in _list_items(values, items) if item is not None]


def _add_up(values: CheckedValues, items: object) -> Decimal:
    return sum(_list_numbers(values, items), Decimal(0))


def _choose(function: Callable[[list[Decimal]], Decimal]) -> Callable[..., Decimal]:
    def choose(values: CheckedValues, *items: object) -> Decimal:
        numbers = _list_numbers(values, list(items) if len(items) > 1 else items[0] if items else None)
        if not numbers:
            raise CannotCompute("There is no number to choose from.")
        return function(numbers)

    return choose


def _read_amount(values: CheckedValues, value: object) -> Decimal:
    if isinstance(value, Decimal):
        return value
    readings = list_readings(value, values.decimal_mark)
    if len(readings) != 1:
        raise CannotCompute(f"{describe_operand(value)} is no one amount.")
    return readings.pop()


def _count_days(values: CheckedValues, first: object, then: object) -> Decimal:
    return Decimal((_read_day(then) - _read_day(first)).days)


def _read_day(value: object) -> date:
    days = parse_dates(value[:60]) if isinstance(value, str) else set()
    if len(days) != 1:
        raise CannotCompute(f"{describe_operand(value)} is no one date.")
    return days.pop()


def _is_near(values: CheckedValues, one: object, other: object) -> bool:
    return values.is_close(require_number(one), require_number(other), None)


def _round(values: CheckedValues, number: object, places: object = Decimal(0)) -> Decimal:
    digits = min(max(int(require_number(places)), 0), 10)
    return require_number(number).quantize(Decimal(1).scaleb(-digits), rounding="ROUND_HALF_UP")


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sum": _add_up,
    "count": lambda values, items: Decimal(len(_list_items(values, items))),
    "min": _choose(min),
    "max": _choose(max),
    "all": lambda values, items: all(_list_items(values, items)),
    "any": lambda values, items: any(_list_items(values, items)),
    "abs": lambda values, number: abs(require_number(number)),
    "round": _round,
    "near": _is_near,
    "amount": _read_amount,
    "days": _count_days,
}
