"""One condition on a field, however it was written: `total > 1000` in a list's address, an object in a query."""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import reduce
from re import Pattern
from typing import NamedTuple, TypeAlias

from django.db.models import Q, QuerySet

from documents.models import CurrentValue
from kit.rows.models import fold_case

Literal: TypeAlias = Decimal | date | str
_LOOKUPS: dict[str, tuple[str, Callable[..., object]]] = {
    "eq": ("exact", operators.eq),
    "ne": ("exact", operators.eq),
    "in": ("exact", operators.eq),
    "lt": ("lt", operators.lt),
    "le": ("lte", operators.le),
    "gt": ("gt", operators.gt),
    "ge": ("gte", operators.ge),
    "contains": ("contains", operators.contains),
}
OPERATORS = (*("eq", "ne", "lt", "le", "gt", "ge", "contains", "in"), "empty")


class ValueReading(NamedTuple):
    """A value as it is compared; the fields are the columns of `CurrentValue`."""

    text: str
    number: Decimal | None = None
    day: date | None = None


@dataclass(frozen=True)
class FieldCondition:
    """The value fulfils one of the `choices`; `empty` has one, which says whether the value has to be empty.

    `words` say the condition to people.
    """

    field: str
    operator: str
    choices: tuple[Literal | bool, ...]
    words: str = ""

    @property
    def is_for_empty_values(self) -> bool:
        return self.operator == "empty" and self.choices[0] is True

    @property
    def is_negated(self) -> bool:
        """A query asks that no value of the document fulfils `opposite`; a filter asks for one that fulfils this."""
        return self.operator == "ne" or self.is_for_empty_values

    @property
    def opposite(self) -> FieldCondition:
        """For a negated condition alone."""
        return replace(self, choices=(False,)) if self.operator == "empty" else replace(self, operator="eq")

    @property
    def column(self) -> str:
        """`number` or `day` where all choices are compared as such, else `text`."""
        columns = set(map(_find_column, self.choices))
        return columns.pop() if len(columns) == 1 else "text"

    def list_values(self) -> QuerySet[CurrentValue, CurrentValue]:
        """The values that fulfil it, in all organizations."""
        return CurrentValue.objects.filter(self.compile(), path=self.field)

    def compile(self, prefix: str = "") -> Q:
        """A test of the columns of one value, to which `prefix` leads."""
        if self.operator == "empty":
            is_empty = Q(**{f"{prefix}text": ""})
            return is_empty if self.choices[0] else ~is_empty
        lookup, _ = _LOOKUPS[self.operator]
        tests = (Q(**{f"{prefix}{_find_column(each)}__{lookup}": _fold(each)}) for each in self.choices)
        condition = reduce(operators.or_, tests)
        return ~condition | Q(**{f"{prefix}{self.column}__isnull": True}) if self.operator == "ne" else condition

    def holds(self, readings: Sequence[ValueReading]) -> bool:
        """Judges the values of one record, as a query of documents judges all values of a document."""
        condition = self.opposite if self.is_negated else self
        return any(map(condition._is_fulfilled, readings)) != self.is_negated

    def _is_fulfilled(self, reading: ValueReading) -> bool:
        if self.operator == "empty":
            return reading.text != ""
        _, compare = _LOOKUPS[self.operator]
        values = ((getattr(reading, _find_column(each)), _fold(each)) for each in self.choices)
        return any(value is not None and compare(value, literal) for value, literal in values)


def read_literal(text: str, number: Pattern[str]) -> Literal:
    """A number, or a day such as 2026-12-31, or else the text itself."""
    if number.fullmatch(text):
        return Decimal(text)
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def _find_column(choice: object) -> str:
    return {Decimal: "number", date: "day"}.get(type(choice), "text")


def _fold(choice: Literal | bool) -> Literal | bool:
    return fold_case(choice)[: CurrentValue.MAX_TEXT] if isinstance(choice, str) else choice
