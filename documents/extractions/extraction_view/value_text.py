"""Values as people read them."""

from __future__ import annotations

from decimal import Decimal

from kit.json_types import Json


def format_value(value: Json, kind: str) -> str:
    """Empty for None; amounts with thousands marks; groups and lists by their size."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, int | float):
        return format_number(value, kind)
    if isinstance(value, list):
        return "1 entry" if len(value) == 1 else f"{len(value)} entries"
    if isinstance(value, dict):
        parts = [format_value(inner, "") for inner in value.values()]
        return ", ".join(part for part in parts if part)
    return str(value)


def format_number(value: int | float, kind: str) -> str:
    """17116.55 → 17,116.55; a whole number has no decimals, other numbers two or as many as they need."""
    exact = Decimal(str(value))
    if kind == "integer" or exact == exact.to_integral_value():
        return f"{int(exact):,}"
    decimals = max(2, -int(exact.as_tuple().exponent))
    return f"{exact:,.{decimals}f}"
