"""What a value of a field has to be: `total > 1000`, `vendor = "ACME"`, `due < 2026-12-01`, `iban is empty`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from django.db import connection
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from accounts.models import Organization
from documents.models import CurrentValue
from kit.errors import Invalid
from kit.rows.models import fold_case

MAX_LETTERS = 500
EXAMPLE = "such as total > 1000"
# As many documents are named one by one. Where more match, a walk along the list's own order soon has a page of them.
FEW = 1000
Literal: TypeAlias = Decimal | date | str
_LOOKUPS = {"=": "exact", "!=": "exact", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "~": "contains"}
_COMPARISON = re.compile(r"(?P<path>[^=<>!~]+?)\s*(?P<sign>!=|>=|<=|=|>|<|~)\s*(?P<literal>.*)", re.DOTALL)
_EMPTY = re.compile(r"(?P<path>[^=<>!~]+?)\s+is\s+(?P<negated>not\s+)?empty", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?\d{1,17}(\.\d{1,9})?")


@dataclass(frozen=True)
class ValueCondition:
    """`literal` is None for "is empty", of which `sign` is "=" or "!="."""

    path: str
    sign: str
    literal: Literal | None
    words: str

    def list_rows(self) -> QuerySet[CurrentValue, CurrentValue]:
        """The values that fulfil it, of whichever organization."""
        return CurrentValue.objects.filter(self.make_condition(), path=self.path)

    @property
    def column(self) -> str:
        """What of the value is compared."""
        return {Decimal: "number", date: "day"}.get(type(self.literal), "text")

    def make_condition(self, prefix: str = "") -> Q:
        """On the columns of a value, which `prefix` leads to."""
        if self.literal is None:
            is_empty = Q(**{f"{prefix}text": ""})
            return is_empty if self.sign == "=" else ~is_empty
        literal = fold_case(self.literal)[: CurrentValue.MAX_TEXT] if isinstance(self.literal, str) else self.literal
        column = f"{prefix}{self.column}"
        condition = Q(**{f"{column}__{_LOOKUPS[self.sign]}": literal})
        return ~condition | Q(**{f"{column}__isnull": True}) if self.sign == "!=" else condition


def parse_condition(text: str) -> ValueCondition:
    """Raises Invalid with what is wrong about it."""
    text = text.strip().replace("\0", "")
    if len(text) > MAX_LETTERS:
        raise Invalid(f"A filter has {MAX_LETTERS} characters at most; this one has {len(text):,}.")
    if empty := _EMPTY.fullmatch(text):
        sign = "!=" if empty["negated"] else "="
        return ValueCondition(empty["path"], sign, None, f"{empty['path']} is {'not ' * (sign == '!=')}empty")
    match = _COMPARISON.fullmatch(text)
    if match is None:
        raise Invalid(f"“{text}” compares nothing. Write a field, a sign and a value, {EXAMPLE}.")
    path, sign = match["path"].strip(), match["sign"]
    literal = _parse_literal(match["literal"], text)
    if isinstance(literal, str) and sign not in ("=", "!=", "~"):
        raise Invalid(f"“{literal}” is no number and no day such as 2026-12-31, so {sign} cannot compare it.")
    if sign == "~":
        literal = str(_unquote(match["literal"]))
    return ValueCondition(path, sign, literal, f"{path} {sign} {match['literal'].strip()}")


def narrow_by_value(organization: Organization, rows: QuerySet[CurrentValue, CurrentValue]) -> Q:
    """The documents of these values."""
    of_organization = rows.filter(organization=organization)
    # Without the organization, which the document has: SQLite would take the index that begins with it.
    return narrow_to(
        of_organization.values_list("document_id", flat=True), Q(Exists(rows.filter(document=OuterRef("pk"))))
    )


def narrow_to(keys: QuerySet[Model, str], many: Q) -> Q:
    """The documents of these keys, named one by one where they are FEW, else as `many` says it."""
    first_keys = list(keys.order_by()[: FEW + 1])
    return Q(pk__in=set(first_keys)) if len(first_keys) <= FEW else many


def begins_with(text: str) -> Q:
    """Values that begin with the text, found by an index."""
    folded = fold_case(text)[: CurrentValue.MAX_TEXT]
    if connection.vendor == "sqlite":  # Its LIKE is for either case, and no index has that order.
        return Q(text__gte=folded, text__lt=f"{folded}\U0010ffff")
    return Q(text__startswith=folded)


def _parse_literal(written: str, text: str) -> Literal:
    written = written.strip()
    if not written:
        raise Invalid(f"“{text}” lacks a value. Write one after the sign, {EXAMPLE}, or “is empty”.")
    if written[0] == '"':
        return _unquote(written)
    if _NUMBER.fullmatch(written):
        return Decimal(written)
    try:
        return date.fromisoformat(written)
    except ValueError:
        return written


def _unquote(written: str) -> str:
    written = written.strip()
    if not written.startswith('"'):
        return written
    if len(written) < 2 or not written.endswith('"'):
        raise Invalid(f"The quotation mark before {written[1:40]} is never closed.")
    return written[1:-1]
