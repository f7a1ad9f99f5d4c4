"""The words that made invoices print; `words.toml` has a table a language."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Words:
    """Texts have their variants between bars; `heads` are the columns of a row, and `tax_ids` those of companies."""

    language: str
    title: str
    number: str
    issued: str
    due: str
    order: str
    customer: str
    attention: str
    subtotal: str
    tax: str
    total: str
    tax_id: str
    tax_ids: str
    registration: str
    forms: str
    streets: str
    cities: str
    names: str
    people: str
    goods: str
    heads: list[str]
    closing: str
    delivery: str
    your_tax_id: str
    notes: str
    rates: list[int]
    comma: bool
    dates: list[str]
    months: str
    currency: str
    sign: str
    phone: str
    domain: str


TABLES = tomllib.loads(Path(__file__).with_name("words.toml").read_text())
LANGUAGES = tuple(Words(language=language, **table) for language, table in TABLES.items())
