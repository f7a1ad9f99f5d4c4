"""The parameters of value checks: what each may be, refused with a sentence that says what would be right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TypeAlias

from documents.checks.schema_paths import SchemaPath, SchemaPaths
from documents.values.patterns import find_pattern_problem
from kit.errors import Invalid
from kit.json_types import Json

MAX_CHOICES = 200
MAX_TEXT = 200
MAX_FIELDS = 10
MAX_TOLERANCE = Decimal(1_000_000_000)
Parsed: TypeAlias = str | tuple[str, ...] | Decimal | int | None


class ParameterType(StrEnum):
    FIELD = "field"
    NUMBER = "number"
    SINGLE_NUMBER = "single number"
    COLUMN = "column of numbers"
    DAY = "date"
    TEXT_FIELD = "text"
    SINGLE = "single value"
    LIST = "list"
    PATTERN = "pattern"
    TEXT = "words"
    EXPRESSION = "expression"
    CHOICES = "choices"
    TOLERANCE = "tolerance"
    COUNT = "count"


@dataclass(frozen=True)
class Parameter:
    """`many` takes a list of such. `options` are the only values, with their titles."""

    name: str
    title: str
    type: ParameterType
    required: bool = True
    many: bool = False
    options: tuple[tuple[str, str], ...] = ()
    help: str = ""

    @property
    def is_path(self) -> bool:
        return self.type in _FITS

    def fits(self, path: SchemaPath) -> bool:
        return path.lists <= 1 and _FITS[self.type][1](path)

    def parse(self, value: Json, paths: SchemaPaths) -> Parsed:
        """Raises Invalid."""
        if value is None or value in ("", []):
            if self.required:
                raise Invalid(f"{self.name} is missing: {self.title[:1].lower()}{self.title[1:]}.")
            return () if self.many else None
        if self.many:
            return self._parse_many(value, paths)
        if self.options:
            return self._parse_option(value)
        return self._parse_path(value, paths) if self.is_path else _PARSERS[self.type](self.name, value)

    def _parse_many(self, value: Json, paths: SchemaPaths) -> tuple[str, ...]:
        if not isinstance(value, list) or len(value) > MAX_FIELDS:
            raise Invalid(f"{self.name} must be a list of 1 to {MAX_FIELDS} fields.")
        return tuple(dict.fromkeys(self._parse_path(each, paths) for each in value))

    def _parse_option(self, value: Json) -> str:
        names = [name for name, _ in self.options]
        if value not in names:
            raise Invalid(f"{self.name} must be one of {', '.join(names)}.")
        return str(value)

    def _parse_path(self, value: Json, paths: SchemaPaths) -> str:
        if not isinstance(value, str):
            raise Invalid(f"{self.name} must be the dotted name of a field, such as invoice.total.")
        known = paths.find(value.replace("[]", "").replace(".*", ""))
        if known is None:
            near = paths.find_nearest(value[:MAX_TEXT])
            offer = f" The nearest are: {', '.join(near)}." if near else ""
            raise Invalid(f"{self.name}: the schema has no field {value[:MAX_TEXT]}.{offer}")
        if known.lists > 1:
            raise Invalid(f"{self.name}: {known.path} is inside a list of a list, which no check can read.")
        if not self.fits(known):
            raise Invalid(f"{self.name} must be {_FITS[self.type][0]}; {known.path} is {_describe(known)}.")
        return known.path


def _describe(path: SchemaPath) -> str:
    kind = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "yes or no"}
    words = kind.get(path.type, "a list" if path.is_list else "a group")
    return f"a column of {path.table} ({words})" if path.table and not path.is_list else words


_NUMBERS = ("number", "integer", "string")
_FITS: dict[ParameterType, tuple[str, Callable[[SchemaPath], bool]]] = {
    ParameterType.FIELD: ("a single value or a column", lambda path: path.is_leaf),
    ParameterType.NUMBER: ("a number or an amount", lambda path: path.type in _NUMBERS),
    ParameterType.SINGLE_NUMBER: (
        "a number or an amount outside of lists",
        lambda path: path.type in _NUMBERS and not path.table,
    ),
    ParameterType.COLUMN: (
        "a column of numbers in a list",
        lambda path: bool(path.table) and (path.is_list or path.type in _NUMBERS),
    ),
    ParameterType.DAY: ("a date", lambda path: path.type == "string"),
    ParameterType.TEXT_FIELD: ("text", lambda path: path.type in ("string", "integer")),
    ParameterType.SINGLE: ("a single value outside of lists", lambda path: path.is_leaf and not path.table),
    ParameterType.LIST: ("a list", lambda path: path.is_list),
}


def _parse_text(name: str, value: Json) -> str:
    if not isinstance(value, (str, int, float, bool)) or len(str(value)) > MAX_TEXT:
        raise Invalid(f"{name} must be text of at most {MAX_TEXT} characters.")
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _parse_expression(name: str, value: Json) -> str:
    if not isinstance(value, str):
        raise Invalid(f"{name} must be text.")
    return value


def _parse_pattern(name: str, value: Json) -> str:
    if not isinstance(value, str):
        raise Invalid(f"{name} must be a regular expression.")
    if problem := find_pattern_problem(value):
        raise Invalid(f"{name}: the pattern {problem}.")
    return value


def _parse_choices(name: str, value: Json) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAX_CHOICES:
        raise Invalid(f"{name} must be a list of 1 to {MAX_CHOICES} texts.")
    return tuple(dict.fromkeys(_parse_text(name, each) for each in value))


def _parse_tolerance(name: str, value: Json) -> Decimal:
    try:
        number = Decimal(str(value)) if not isinstance(value, bool) and len(str(value)) <= MAX_TEXT else Decimal(-1)
    except InvalidOperation:
        number = Decimal(-1)
    if not number.is_finite() or not 0 <= number <= MAX_TOLERANCE:
        raise Invalid(f"{name} must be a number from 0, such as 0.05.")
    return number


def _parse_count(name: str, value: Json) -> int:
    number = _parse_tolerance(name, value)
    if number != int(number):
        raise Invalid(f"{name} must be a whole number from 0.")
    return int(number)


_PARSERS: dict[ParameterType, Callable[[str, Json], Parsed]] = {
    ParameterType.PATTERN: _parse_pattern,
    ParameterType.TEXT: _parse_text,
    ParameterType.EXPRESSION: _parse_expression,
    ParameterType.CHOICES: _parse_choices,
    ParameterType.TOLERANCE: _parse_tolerance,
    ParameterType.COUNT: _parse_count,
}
