"""What a person types into a form, as a value of the schema's type."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from documents.values import Schema
from documents.values.fields import get_kind
from documents.values.references import resolve_plain
from kit.errors import Invalid
from kit.json_types import Json
from kit.sanitize import parse as parse_json

_TRUE, _FALSE = {"true", "yes", "1", "on"}, {"false", "no", "0", "off"}
# Either all groups have three digits after the same mark, or there is no group at all.
_COMMA_GROUPS = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?")
_POINT_GROUPS = re.compile(r"\d{1,3}(\.\d{3}){2,}|\d{1,3}(\.\d{3})+,\d+")
_DECIMAL_COMMA = re.compile(r"\d+,\d+")
_PLAIN = re.compile(r"\d+(\.\d+)?|\.\d+")
_LETTERS_INSIDE = re.compile(r"\d\s*[^\W\d_]+\s*\d")
# More are infinite as a float, and from 4,301 on Python refuses to make an integer of them.
MAX_NUMBER = 300
_DATES = (
    re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"),
    re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})"),
)
_SLASHES = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


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
    digits = re.sub(r"[^\d.,()+\-]", "", text.replace("−", "-"))
    negative = digits.startswith("-") or digits.endswith("-") or (digits.startswith("(") and digits.endswith(")"))
    digits = digits.strip("()+-")
    if _COMMA_GROUPS.fullmatch(digits):
        digits = digits.replace(",", "")
    elif _POINT_GROUPS.fullmatch(digits) or _DECIMAL_COMMA.fullmatch(digits):
        digits = digits.replace(".", "").replace(",", ".")
    # The letters of "EUR 12" go; without those of "1e3" or "10 of 20" it would be another number.
    if not _PLAIN.fullmatch(digits) or _LETTERS_INSIDE.search(text):
        raise Invalid(f"“{text}” is no number. Write it like 17116.55.", code="value")
    value = float(digits) if "." in digits else int(digits)
    return -value if negative else value


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
    for pattern in _DATES:
        if match := pattern.fullmatch(text):
            return _make_date(int(match["year"]), int(match["month"]), int(match["day"]), text)
    if match := _SLASHES.fullmatch(text):
        first, second, year = map(int, match.groups())
        if first > 12 or first == second:
            return _make_date(year, second, first, text)
        if second > 12:
            return _make_date(year, first, second, text)
        raise Invalid(
            f"“{text}” can be read in two ways. Write the date like {year}-{second:02}-{first:02}.", code="value"
        )
    raise Invalid(f"“{text}” is no date. Write it like 2026-12-27.", code="value")


def _make_date(year: int, month: int, day: int, text: str) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        raise Invalid(f"“{text}” is no day of the calendar.", code="value") from None


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
