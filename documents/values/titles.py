"""The name of a field as people read it."""

from __future__ import annotations

import re

from documents.values.stored import Schema

_ABBREVIATIONS = {"id", "iban", "bic", "vat", "sku", "po", "url", "gst", "eu", "us"}


def make_title(name: str, schema: Schema) -> str:
    """The schema's title, else the name in plain words: "invoice_date" → "Invoice date"."""
    if title := schema.get("title"):
        return str(title)
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-\s]+", " ", name).strip()
    words = [word.upper() if word.casefold() in _ABBREVIATIONS else word.lower() for word in spaced.split()]
    text = " ".join(words) or name
    return text[:1].upper() + text[1:]
