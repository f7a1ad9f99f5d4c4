"""What a value must look like, and when it must be there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from documents.checks.checked_values import CheckedValues, quote
from documents.checks.findings import CannotCompute, Finding, make_failure
from documents.checks.parameters import Parameter, ParameterType
from documents.checks.schema_paths import SchemaPaths
from documents.checks.value_check import ValueCheck
from documents.values.stored import Stored

MAX_CHOICES_SHOWN = 6
MAX_LETTERS = 10_000


@dataclass(frozen=True)
class DateOrderCheck(ValueCheck):
    kind = "date_order"
    title = "One date is not before another"
    parameters = (
        Parameter("first", "The earlier date", ParameterType.DAY),
        Parameter("then", "The later date", ParameterType.DAY),
    )

    first: str
    then: str

    def describe(self, paths: SchemaPaths) -> str:
        return f"{paths.title_of(self.then)} is not before {paths.title_of(self.first)}."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        computed = 0
        for first, then in values.iterate_together([self.first, self.then]):
            earlier, later = values.read_day(first), values.read_day(then)
            computed += earlier is not None and later is not None
            if earlier and later and later < earlier:
                title, other = values.title_of(then), values.title_of(first)
                yield make_failure(f"{title}, {later}, is before {other}, {earlier}.", then.where, first.where)
        if not computed:
            titles = f"{values.paths.title_of(self.first)} or {values.paths.title_of(self.then)}"
            raise CannotCompute(f"{titles} is empty.", *_list_owner(values, self.then))


@dataclass(frozen=True)
class RequiredIfCheck(ValueCheck):
    kind = "required_if"
    title = "A field is needed when another says so"
    parameters = (
        Parameter("field", "The field that is needed", ParameterType.FIELD),
        Parameter("if_field", "When this field has a value", ParameterType.FIELD),
        Parameter("equals", "Only when it is", ParameterType.TEXT, required=False, help="Empty: any text."),
    )

    field: str
    if_field: str
    equals: str | None = None

    def describe(self, paths: SchemaPaths) -> str:
        condition = f"is “{self.equals}”" if self.equals else "has a value"
        return f"{paths.title_of(self.field)} is needed when {paths.title_of(self.if_field)} {condition}."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        for needed, other in values.iterate_together([self.field, self.if_field]):
            applies = fold(other.value) == fold(self.equals) if self.equals else not other.is_empty
            if applies and needed.is_empty:
                title, condition = values.title_of(needed), values.title_of(other)
                yield make_failure(f"{title} is empty; {condition} is {quote(other.value)}.", needed.where, other.where)


@dataclass(frozen=True)
class PatternCheck(ValueCheck):
    kind = "pattern"
    title = "A text matches a pattern"
    parameters = (
        Parameter("field", "The field", ParameterType.TEXT_FIELD),
        Parameter("pattern", "The pattern", ParameterType.PATTERN, help="A regular expression: ^INV-[0-9]{4}$"),
        Parameter("message", "What to say when it does not", ParameterType.TEXT, required=False),
    )

    field: str
    pattern: str
    message: str | None = None

    def describe(self, paths: SchemaPaths) -> str:
        return f"{paths.title_of(self.field)} matches {self.pattern}."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        for cell in values.list_cells(self.field):
            text = "" if cell.is_empty else str(cell.value)[:MAX_LETTERS]
            if text and not values.budget.matches(self.pattern, text):
                message = self.message or f"{quote(cell.value)} does not match the pattern {self.pattern}."
                yield make_failure(message, cell.where)


@dataclass(frozen=True)
class OneOfCheck(ValueCheck):
    kind = "one_of"
    title = "A value is one of a list"
    parameters = (
        Parameter("field", "The field", ParameterType.FIELD),
        Parameter("choices", "Allowed values, one per line", ParameterType.CHOICES),
    )

    field: str
    choices: tuple[str, ...]

    def describe(self, paths: SchemaPaths) -> str:
        return f"{paths.title_of(self.field)} is one of {self._list_choices()}."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        allowed = {fold(choice) for choice in self.choices}
        for cell in values.list_cells(self.field):
            if not cell.is_empty and fold(cell.value) not in allowed:
                yield make_failure(f"{quote(cell.value)} is none of {self._list_choices()}.", cell.where)

    def _list_choices(self) -> str:
        more = f" and {len(self.choices) - MAX_CHOICES_SHOWN} more" if len(self.choices) > MAX_CHOICES_SHOWN else ""
        return f"{', '.join(self.choices[:MAX_CHOICES_SHOWN])}{more}"


def fold(value: Stored) -> str:
    """As two values are compared: without case, outer and double spaces; 5 and 5.0 are one number."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(str(value).split()).casefold()


def _list_owner(values: CheckedValues, path: str) -> list[str]:
    known = values.paths.find(path)
    return [(known.table if known else "") or path]
