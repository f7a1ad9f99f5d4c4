"""`python -m tests.repository.limits_page` prints the values of constants into docs/limits.md.

The page is the registry too: each row names its constant, and the words after the number are the unit.
"""

from __future__ import annotations

import importlib
import os
import re
from datetime import timedelta
from pathlib import Path

import django

PAGE = Path(__file__).resolve().parents[2] / "docs/limits.md"
ROW = re.compile(r"^\| (?P<limit>[^|]+) \| (?P<value>[^|]+) \| (?P<beyond>[^|]+) \| `(?P<name>[\w.]+)` \|$", re.M)
_NUMBER = re.compile(r"^[\d,. ]+")
_SIZES = ((1024**3, "GB"), (1024**2, "MB"), (1000**2, "MB"), (1024, "kB"))
_SPANS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def print_page(page: str) -> str:
    """Raises LookupError for a constant that is gone."""
    return ROW.sub(_print_row, page)


def _print_row(row: re.Match[str]) -> str:
    value = print_value(row["name"], read_constant(row["name"]), row["value"])
    return f"| {row['limit']} | {value} | {row['beyond']} | `{row['name']}` |"


def read_constant(name: str) -> object:
    module, _, constant = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), constant)
    except (ImportError, AttributeError) as error:
        raise LookupError(f"docs/limits.md names {name}, which is gone.") from error


def print_value(name: str, value: object, cell: str) -> str:
    """Durations, sizes and money bring their unit; of other numbers the cell has it."""
    if isinstance(value, timedelta):
        return _count(value.total_seconds(), _SPANS)
    if isinstance(value, dict):
        return f"{', '.join(map(str, value.values()))} {_NUMBER.sub('', cell)}"
    number = float(str(value))
    if "SECONDS" in name:
        return _count(number, _SPANS)
    if "BYTES" in name:
        size, unit = next(each for each in _SIZES if number % each[0] == 0)
        return f"{number / size:,.0f} {unit}"
    if "MICROS" in name or "USD" in name:
        return f"${number / (1_000_000 if 'MICROS' in name else 1):,.0f}"
    return f"{number:,.0f} {_NUMBER.sub('', cell)}"


def _count(number: float, units: tuple[tuple[int, str], ...]) -> str:
    size, unit = next(each for each in units if number % each[0] == 0)
    return f"{number / size:.0f} {unit}{'' if number == size else 's'}"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "docrouter.settings")
    django.setup()
    PAGE.write_text(print_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
