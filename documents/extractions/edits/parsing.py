"""What a person types into a form, as a value of the schema's type."""

from __future__ import annotations

import re
from collections.abc import Callable

from documents.values import Schema
from documents.values.fields import get_kind
from documents.values.references import resolve_plain
from kit.errors import Invalid
from kit.json_types import Json
from kit.sanitize import parse as parse_json
from printed.dates import parse_dates
from printed.numbers import choose_number, to_json_number
from printed.stopwords import NO, YES

_TRUE, _FALSE = YES | {"1", "on"}, NO | {"0", "off"}
_NO_FIGURE = re.compile(r"[^\d.,'’()+\-\s]")
_LETTERS_INSIDE = re.compile(r"\d\s*[^\W\d_]+\s*\d")
# More are infinite as a float, and from 4,301 on Python refuses to make an integer of them.
MAX_NUMBER = 300
_FIGURES = re.compile(r"\d+([-/.])\d+\1\d+")
_WHOLE_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")


def parse_input(schema: Schema, text: str) -> Json:
    """`schema` is the field's own. Nothing typed means empty (None). Raises Invalid with what would be understood."""
    text = text.strip()
    if not text:
        return None
    schema = resolve_plain(schema, schema)
    if choices := schema.get("enum"):
        return _parse_choice(choices, text)
    kind = get_kind(schema)
    parse = _PARSERS.get(kind)
    if parse:
        return parse(text)
    return _parse_date(text) if schema.get("format") == "date" else text


def _parse_choice(choices: list[Json], text: str) -> Json:
    for choice in choices:
        if choice is not None and str(choice).casefold() == text.casefold():
            return choice
    allowed = ", ".join(str(choice) for choice in choices if choice is not None)
    raise Invalid(f"“{text}” is none of the choices: {allowed}.", code="value")


def _parse_number(text: str) -> int | float:
    if len(text) > MAX_NUMBER:
        raise Invalid(f"A number may have {MAX_NUMBER} characters; this has {len(text):,}. Shorten it.", code="value")
    # The letters of "EUR 12" go; without those of "1e3" or "10 of 20" it would be another number.
    number = choose_number(_NO_FIGURE.sub("", text.replace("−", "-")).strip(), ".")
    if number is None or _LETTERS_INSIDE.search(text):
        raise Invalid(f"“{text}” is no number. Write it like 17116.55.", code="value")
    return to_json_number(number)


def _parse_whole_number(text: str) -> int:
    value = _parse_number(text)
    if value != int(value):
        raise Invalid(f"“{text}” is no whole number.", code="value")
    return int(value)


def _parse_boolean(text: str) -> bool:
    if text.casefold() not in _TRUE | _FALSE:
        raise Invalid(f"“{text}” is neither yes nor no.", code="value")
    return text.casefold() in _TRUE


def _parse_date(text: str) -> str:
    has_year = _WHOLE_YEAR.search(text) is not None
    days = sorted(parse_dates(text)) if has_year else []
    if len(days) > 1:
        raise Invalid(f"“{text}” can be read in two ways. Write the date like {days[-1]}.", code="value")
    if not days:
        what = "no day of the calendar" if has_year and _FIGURES.fullmatch(text) else "no date"
        raise Invalid(f"“{text}” is {what}. Write it like 2026-12-27.", code="value")
    return days[0].isoformat()


def _parse_json_value(text: str) -> Json:
    try:
        return parse_json(text)
    except ValueError:
        raise Invalid("This needs JSON, such as {} or [].", code="value") from None


_PARSERS: dict[str, Callable[[str], Json]] = {
    "number": _parse_number,
    "integer": _parse_whole_number,
    "boolean": _parse_boolean,
    "object": _parse_json_value,
    "array": _parse_json_value,
}
