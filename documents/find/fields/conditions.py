"""Conditions as a query has them: `{"field": "total", "operator": "gt", "value": 1000}`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.db.models import Exists, OuterRef, Q

from accounts.models import Organization
from documents.find.field_conditions import OPERATORS, FieldCondition, Literal, read_literal
from documents.find.narrowing import narrow_by_value
from kit.errors import Invalid

MAX_CHOICES, MAX_LETTERS = 50, 500
FILTER_SHAPE = 'A filter is an object such as {"field": "total", "operator": "gt", "value": 1000}.'
# What begins with a further zero is the number of a thing, not an amount.
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,16})(\.\d{1,9})?")


def select_documents(organization: Organization, condition: FieldCondition) -> Q:
    if not condition.is_negated:
        return narrow_by_value(organization, condition.list_values())
    return ~Q(Exists(condition.opposite.list_values().filter(document=OuterRef("pk"))))


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
    if operator == "empty":
        if value not in (None, True, False):
            raise Invalid(f"The value of empty is true or false: {field} has to be empty, or must not be.")
        return FieldCondition(field, operator, (value is not False,), f"{field} is {'not ' * (value is False)}empty")
    choices = _parse_choices(field, operator, value)
    return FieldCondition(field, operator, choices, f"{field} {operator} {', '.join(map(str, choices))}")


def _parse_choices(field: str, operator: str, value: object) -> tuple[Literal, ...]:
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


def _parse_literal(field: str, value: object) -> Literal:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, int | float | str):
        raise Invalid(f"{field} is compared with a text, a number, or true or false.")
    text = str(value).replace("\0", "").strip()
    if not text or len(text) > MAX_LETTERS:
        raise Invalid(f"The value that {field} is compared with has 1 to {MAX_LETTERS} characters.")
    if not isinstance(value, str) and not _NUMBER.fullmatch(text):
        raise Invalid(f"{text[:60]} is no number of 17 figures before and 9 after the point at most.")
    return read_literal(text, _NUMBER)
