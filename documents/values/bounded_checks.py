"""jsonschema's validator with a bound on its work: strangers write the schemas and the values that it checks.

Every keyword that looks at a value takes steps from one budget, all patterns share one deadline, and messages quote
no more than the beginning of what they are about.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from fractions import Fraction
from functools import wraps
from itertools import islice
from typing import TypeAlias

import regex
from jsonschema import Draft7Validator, FormatChecker, validators
from jsonschema.exceptions import ValidationError
from referencing import Registry

from documents.values.patterns import MAX_COUNTED, count_repeats
from documents.values.stored import Schema
from kit.json_types import Json

MAX_STEPS = 1_000_000
"""Four seconds at most. A table of 10,000 rows and 10 columns takes 600,000, in less than a second."""
PATTERN_SECONDS = 1.0
MAX_ERRORS = 2_000
MAX_VALUE_LEVELS = 100
MAX_PLACE_LETTERS = 20_000_000
"""Of the places of all nodes together, which messages name. 10,000 rows of 10 columns have 2,500,000."""
_LETTERS_A_STEP = 500
_QUOTED = 60
_LONG_NAME = 40
_MAX_LISTED = 20

Errors: TypeAlias = Iterator[ValidationError]
Keyword: TypeAlias = Callable[[Draft7Validator, Json, Json, Mapping[str, Json]], Errors]


class TooMuchWork(Exception):
    """The budget of steps is used up before the check has ended."""


class TooDeep(Exception):
    """The value is nested too deeply."""


class Budget:
    """What one check may cost: steps of the validator, and seconds of this thread inside of patterns."""

    def __init__(self, steps: int = MAX_STEPS, pattern_seconds: float = PATTERN_SECONDS) -> None:
        self.steps = steps
        self.pattern_seconds = pattern_seconds

    def spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise TooMuchWork

    def matches(self, pattern: str, text: str) -> bool:
        """Raises TimeoutError when the patterns of this check have taken too long together."""
        self.spend(1)
        # A schema of before the rule that bounds them.
        if count_repeats(pattern) > MAX_COUNTED:
            raise TooMuchWork
        began = time.thread_time()
        try:
            return regex.search(pattern, text, timeout=max(self.pattern_seconds, 0)) is not None
        finally:
            self.pattern_seconds -= time.thread_time() - began


_current: ContextVar[Budget] = ContextVar("budget of the check")


class _List(list[Json]):
    def __repr__(self) -> str:
        return f"a list of {len(self)}"


class _Object(dict[str, Json]):
    def __repr__(self) -> str:
        return f"an object of {len(self)} fields"


class _Text(str):
    def __repr__(self) -> str:
        return repr(f"{self[:_QUOTED]}…")


def iterate_errors(schema: Schema, value: Json, *, formats: FormatChecker, budget: Budget) -> Errors:
    """At most MAX_ERRORS. Raises TooMuchWork or TimeoutError when the budget does not cover the check."""
    # With a registry of its own: that of jsonschema asks the network for what a $ref names.
    validator = _Validator(_make_schema_quotable(schema), format_checker=formats, registry=Registry())
    token = _current.set(budget)
    try:
        yield from islice(validator.iter_errors(_make_quotable(value)), MAX_ERRORS)
    finally:
        _current.reset(token)


def iterate_formal_errors(schema: object) -> Errors:
    """What keeps a schema from being JSON Schema draft 7. The work grows with the size of the schema alone."""
    token = _current.set(Budget(steps=1000 * MAX_STEPS))
    try:
        yield from islice(_Validator(Draft7Validator.META_SCHEMA).iter_errors(_make_quotable(schema)), MAX_ERRORS)
    finally:
        _current.reset(token)


def count_nodes(value: Json, budget: Budget) -> None:
    """Takes a step for each node. Raises TooDeep for what Python could not follow, TooMuchWork for endless names."""
    letters = 0
    for level, place in measure_nodes(value):
        budget.spend(1)
        letters += place
        if level > MAX_VALUE_LEVELS:
            raise TooDeep
        if letters > MAX_PLACE_LETTERS:
            raise TooMuchWork


def measure_nodes(value: Json) -> Iterator[tuple[int, int]]:
    """Of each node its level and the letters of its place: a long name stands in each place below it."""
    waiting = [(value, 0, 0)]
    while waiting:
        node, level, place = waiting.pop()
        yield level, place
        if isinstance(node, dict):
            waiting += [(inner, level + 1, place + len(name) + 1) for name, inner in node.items()]
        elif isinstance(node, list):
            waiting += [(item, level + 1, place + 6) for item in node]


def _make_quotable(value: Json) -> Json:
    """The same value, but cheap to quote: the validator's messages quote the whole of what does not fit."""
    if isinstance(value, dict):
        return _Object({name: _make_quotable(inner) for name, inner in value.items()})
    if isinstance(value, list):
        return _List(map(_make_quotable, value))
    return _Text(value) if isinstance(value, str) and len(value) > _QUOTED else value


def _make_schema_quotable(schema: Json) -> Json:
    """Also without `$schema`: inside a schema it would make jsonschema go on with a validator that has no bound."""
    if isinstance(schema, dict):
        kept = {word: inner for word, inner in schema.items() if word != "$schema" or not isinstance(inner, str)}
        quoted = ("enum", "const")
        return _Object(
            {word: (_make_quotable if word in quoted else _make_schema_quotable)(inner) for word, inner in kept.items()}
        )
    return _List(map(_make_schema_quotable, schema)) if isinstance(schema, list) else schema


def _count_steps(word: str, limit: Json, value: Json) -> int:
    """How much a keyword does by itself; what it descends to counts on its own."""
    if word in ("enum", "const"):
        return _count_compared(limit, value)
    if word == "$ref":
        return 1 + str(limit).count("/")  # each is a look-up
    if word == "dependencies":
        return 1 + len(limit) + sum(len(names) for names in limit.values() if isinstance(names, list)) // 10
    steps = 1
    if isinstance(value, str):
        steps += len(value) // _LETTERS_A_STEP
    if isinstance(value, (dict, list)) and word in _WALKS_THE_VALUE:
        steps += len(value)
    if isinstance(limit, dict) and isinstance(value, dict):
        steps += min(len(limit), len(value)) + len(limit) // 10
    elif isinstance(limit, list):
        steps += len(limit) // 10 if word == "required" else len(limit)
    return steps


def _count_compared(limit: Json, value: Json) -> int:
    if isinstance(value, (dict, list)):
        # An object is compared as far as it is alike, in the worst case with everything that is allowed.
        return 1 + len(json.dumps(limit)) // 10
    return 1 + (len(limit) // 10 if isinstance(limit, list) else 0)


def _charge(word: str, keyword: Keyword) -> Keyword:
    @wraps(keyword)
    def check(validator: Draft7Validator, limit: Json, value: Json, schema: Mapping[str, Json]) -> Errors:
        _current.get().spend(_count_steps(word, limit, value))
        yield from keyword(validator, limit, value, schema) or ()

    return check


def _check_pattern(validator: Draft7Validator, pattern: str, value: Json, schema: Mapping[str, Json]) -> Errors:
    if isinstance(value, str) and not _current.get().matches(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _check_pattern_properties(
    validator: Draft7Validator, patterns: Json, value: Json, schema: Mapping[str, Json]
) -> Errors:
    if not isinstance(value, dict):
        return
    for pattern, inner in patterns.items():
        for name, item in value.items():
            if _current.get().matches(pattern, name):
                yield from validator.descend(item, inner, path=name, schema_path=pattern)


def _check_additional_properties(
    validator: Draft7Validator, allowed: Json, value: Json, schema: Mapping[str, Json]
) -> Errors:
    if not isinstance(value, dict):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    budget = _current.get()
    extra = [name for name in value if name not in known and not any(budget.matches(each, name) for each in patterns)]
    if isinstance(allowed, dict):
        for name in extra:
            yield from validator.descend(value[name], allowed, path=name)
    elif not allowed and extra:
        yield ValidationError(f"has no field {list_first(extra)} in the schema")


def list_first(names: Iterable[str]) -> str:
    """The first of them, so that a problem stays a sentence."""
    first = [name[:_LONG_NAME] for name in islice(names, _MAX_LISTED + 1)]
    return ", ".join(first[:_MAX_LISTED]) + (" and more" if len(first) > _MAX_LISTED else "")


def _check_any_of(validator: Draft7Validator, options: Json, value: Json, schema: Mapping[str, Json]) -> Errors:
    if not any(_fits(validator, option, value) for option in options):
        yield ValidationError(f"{value!r} fits none of the given schemas")


def _check_one_of(validator: Draft7Validator, options: Json, value: Json, schema: Mapping[str, Json]) -> Errors:
    fitting = sum(1 for _ in islice((True for option in options if _fits(validator, option, value)), 2))
    if fitting != 1:
        yield ValidationError(f"{value!r} fits {'several' if fitting else 'none'} of the given schemas")


def _fits(validator: Draft7Validator, schema: Json, value: Json) -> bool:
    return next(iter(validator.descend(value, schema)), None) is None


def _check_required(validator: Draft7Validator, names: Json, value: Json, schema: Mapping[str, Json]) -> Errors:
    """One error for all names: one each would grow with the square of them."""
    if isinstance(value, dict) and not all(name in value for name in names):
        yield ValidationError("lacks required fields")


def _check_unique_items(validator: Draft7Validator, is_unique: Json, value: Json, schema: Mapping[str, Json]) -> Errors:
    """Compares by text: jsonschema compares each pair of items that cannot be sorted."""
    if not is_unique or not isinstance(value, list):
        return
    seen: set[str] = set()
    for item in value:
        text = json.dumps(_normalize_numbers(item), sort_keys=True)
        _current.get().spend(1 + len(text) // 20)
        if text in seen:
            yield ValidationError("holds the same item twice")
            return
        seen.add(text)


def _normalize_numbers(value: Json) -> Json:
    """1.0 is the same number as 1."""
    if isinstance(value, dict):
        return {name: _normalize_numbers(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_normalize_numbers(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _check_multiple_of(validator: Draft7Validator, divisor: Json, value: Json, schema: Mapping[str, Json]) -> Errors:
    try:
        yield from Draft7Validator.VALIDATORS["multipleOf"](validator, divisor, value, schema)
    except OverflowError:  # a whole number too large for a float
        if Fraction(value) % Fraction(divisor):
            yield ValidationError(f"is not a multiple of {divisor}")


_WALKS_THE_VALUE = (
    "items",
    "additionalItems",
    "contains",
    "propertyNames",
    "additionalProperties",
    "patternProperties",
)
_OWN: dict[str, Keyword] = {
    "pattern": _check_pattern,
    "patternProperties": _check_pattern_properties,
    "additionalProperties": _check_additional_properties,
    "anyOf": _check_any_of,
    "oneOf": _check_one_of,
    "required": _check_required,
    "uniqueItems": _check_unique_items,
    "multipleOf": _check_multiple_of,
}
_KEYWORDS: dict[str, Keyword] = {**Draft7Validator.VALIDATORS, **_OWN}
_Validator: type[Draft7Validator] = validators.extend(  # type: ignore[no-untyped-call]
    Draft7Validator, {word: _charge(word, keyword) for word, keyword in _KEYWORDS.items()}
)
