"""Names and values as people read them."""

from __future__ import annotations

import re
from decimal import Decimal

from documents.values import Schema
from kit.json_types import Json

_ABBREVIATIONS = {"id", "iban", "bic", "vat", "sku", "po", "url", "gst", "eu", "us", "no"}


def make_title(name: str, schema: Schema) -> str:
    """The schema's title, else the name in plain words: "invoice_date" → "Invoice date"."""
    if title := schema.get("title"):
        return str(title)
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-\s]+", " ", name).strip()
    words = [word.upper() if word.casefold() in _ABBREVIATIONS - {"no"} else word.lower() for word in spaced.split()]
    text = " ".join(words) or name
    return text[:1].upper() + text[1:]


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
