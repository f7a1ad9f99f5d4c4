"""What a field has to be: `{"field": "total", "operator": "gt", "value": 1000}`, judged by the database and here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q

from accounts.models import Organization
from documents.find.filters.value_conditions import narrow_to
from documents.models import CurrentValue
from kit.errors import Invalid
from kit.rows.models import fold_case

MAX_CHOICES, MAX_LETTERS = 50, 500
OPERATORS = ("eq", "ne", "lt", "le", "gt", "ge", "contains", "in", "empty")
FILTER_SHAPE = 'A filter is an object such as {"field": "total", "operator": "gt", "value": 1000}.'
_LOOKUPS = {"lt": "lt", "le": "lte", "gt": "gt", "ge": "gte"}
# What begins with a further zero is the number of a thing, not an amount.
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,16})(\.\d{1,9})?")


class Reading(NamedTuple):
    """What a value is compared by."""

    text: str
    number: Decimal | None = None
    day: date | None = None


@dataclass(frozen=True)
class FieldCondition:
    """`choices` are what the value is compared with; of `empty` there is one, which says whether it has to be."""

    field: str
    operator: str
    choices: tuple[Decimal | date | str | bool, ...]

    @property
    def words(self) -> str:
        if self.operator == "empty":
            return f"{self.field} is {'' if self.choices[0] else 'not '}empty"
        return f"{self.field} {self.operator} {', '.join(str(choice) for choice in self.choices)}"

    @property
    def is_negated(self) -> bool:
        """No value of the document may fulfil it, where a plain condition asks for one that does."""
        return self.operator == "ne" or (self.operator == "empty" and self.choices[0] is True)

    @property
    def compared_column(self) -> str:
        """`number` or `day` where the value is compared as such, else empty."""
        columns = {_choose_column(choice) for choice in self.choices if not isinstance(choice, bool)}
        return columns.pop() if len(columns) == 1 and columns != {"text"} else ""

    def select_documents(self, organization: Organization) -> Q:
        rows = CurrentValue.objects.filter(self.make_condition(), path=self.field)
        of_organization = rows.filter(organization=organization)
        if self.is_negated:
            return ~Q(Exists(rows.filter(document=OuterRef("pk"))))
        # Without the organization, which the document has: SQLite would take the index that begins with it.
        many = Q(Exists(rows.filter(document=OuterRef("pk"))))
        return narrow_to(of_organization.values_list("document_id", flat=True), many)

    def make_condition(self) -> Q:
        """On a value; of a negated condition what may not be."""
        if self.operator == "empty":
            return ~Q(text="")
        if self.operator == "contains":
            return Q(text__contains=_fold(self.choices[0]))
        condition = Q()
        for choice in self.choices:
            column = _choose_column(choice)
            condition |= Q(**{f"{column}__{self._lookup}": _fold(choice) if column == "text" else choice})
        return condition

    def holds(self, readings: Sequence[Reading]) -> bool:
        """Of the values of one row of a table."""
        return any(map(self._is_fulfilled, readings)) != self.is_negated

    def _is_fulfilled(self, reading: Reading) -> bool:
        if self.operator == "empty":
            return reading.text != ""
        if self.operator == "contains":
            return _fold(self.choices[0]) in reading.text
        return any(self._is_fulfilled_by(reading, choice) for choice in self.choices)

    def _is_fulfilled_by(self, reading: Reading, choice: Decimal | date | str | bool) -> bool:
        column = _choose_column(choice)
        value = getattr(reading, column)
        literal = _fold(choice) if column == "text" else choice
        return value is not None and _compare(self.operator, value, literal)

    @property
    def _lookup(self) -> str:
        return _LOOKUPS.get(self.operator, "exact")


def parse_condition(raw: object) -> FieldCondition:
    """Raises Invalid with what is wrong about it."""
    if not isinstance(raw, Mapping) or set(raw) - {"field", "operator", "value"}:
        raise Invalid(FILTER_SHAPE)
    field, operator, value = raw.get("field"), raw.get("operator"), raw.get("value")
    if not isinstance(field, str) or not field.strip():
        raise Invalid(FILTER_SHAPE)
    if not isinstance(operator, str) or operator not in OPERATORS:
        raise Invalid(f"There is no operator “{str(operator)[:60]}”. The operators are {', '.join(OPERATORS)}.")
    field = field.strip()
    return FieldCondition(field, operator, _parse_choices(field, operator, value))


def _parse_choices(field: str, operator: str, value: object) -> tuple[Decimal | date | str | bool, ...]:
    if operator == "empty":
        if value not in (None, True, False):
            raise Invalid(f"The value of empty is true or false: {field} has to be empty, or must not be.")
        return (value is not False,)
    if operator == "in":
        if not isinstance(value, list) or not 0 < len(value) <= MAX_CHOICES:
            raise Invalid(f"The value of in is a list of 1 to {MAX_CHOICES} values for {field}.")
        return tuple(_parse_literal(field, each) for each in value)
    literal = _parse_literal(field, value)
    if operator == "contains":
        return (str(value),)
    if operator not in ("eq", "ne") and isinstance(literal, str):
        raise Invalid(f"“{literal[:60]}” is no number and no day such as 2026-12-31, so {operator} cannot compare it.")
    return (literal,)


def _parse_literal(field: str, value: object) -> Decimal | date | str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float | str):
        text = str(value).replace("\0", "").strip()
        if not text or len(text) > MAX_LETTERS:
            raise Invalid(f"The value that {field} is compared with has 1 to {MAX_LETTERS} characters.")
        return _read_literal(text, must_be_number=not isinstance(value, str))
    raise Invalid(f"{field} is compared with a text, a number, or true or false.")


def _read_literal(text: str, *, must_be_number: bool) -> Decimal | date | str:
    if _NUMBER.fullmatch(text):
        return Decimal(text)
    if must_be_number:
        raise Invalid(f"{text[:60]} is no number of 17 figures before and 9 after the point at most.")
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def _compare(operator: str, value: Any, literal: object) -> bool:
    """Two of the same type."""
    match operator:
        case "lt":
            return bool(value < literal)
        case "le":
            return bool(value <= literal)
        case "gt":
            return bool(value > literal)
        case "ge":
            return bool(value >= literal)
    return bool(value == literal)


def _choose_column(choice: object) -> str:
    return {Decimal: "number", date: "day"}.get(type(choice), "text")


def _fold(choice: object) -> str:
    return fold_case(str(choice))[: CurrentValue.MAX_TEXT]
