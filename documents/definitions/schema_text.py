"""A response format as text that a person edits. Nothing is lost on the way: the same text gives the same format."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field

from documents.definitions import schema_rules
from documents.definitions.schema_fields import FieldChange, list_field_changes
from documents.definitions.text_changes import TextLine, list_changed_lines
from kit import sanitize
from kit.errors import Invalid, Problem
from kit.json_types import JsonObject

EMPTY: JsonObject = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


@dataclass(frozen=True)
class TextCheck:
    """`changes` and `lines` say what differs from the former text; empty without one, or where a problem hides it.

    `warnings` keep nothing from being saved.
    """

    problems: list[Problem]
    changes: list[FieldChange] = field(default_factory=list)
    lines: list[TextLine] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    @property
    def summary(self) -> str:
        count = len(self.problems)
        return f"Not ready to save: {count} thing{'s' if count > 1 else ''} to put right." if count else ""


def check_text(text: str, *, former: JsonObject | None = None) -> TextCheck:
    """What saving this text would say, without saving it."""
    try:
        response_format = parse_text(text, name="", former=former)
    except Invalid as error:
        return TextCheck(list(error.problems))
    problems = schema_rules.find_problems(response_format)
    # Only what has the shape of a schema can be described field by field.
    if schema_rules.find_problems(response_format, descriptions=False):
        return TextCheck(problems)
    warnings = schema_rules.find_warnings(response_format)
    if former is None:
        return TextCheck(problems, warnings=warnings)
    lines = list_changed_lines(format_text(former), format_text(response_format))
    return TextCheck(problems, list_field_changes(former, response_format), lines, warnings)


def format_text(response_format: JsonObject) -> str:
    return json.dumps(response_format, indent=2, ensure_ascii=False)


def parse_text(text: str, *, name: str, former: JsonObject | None = None) -> JsonObject:
    """The response format in the text. A bare JSON Schema gets the name and strict of `former`, or a name from `name`.

    Raises Invalid with the place when it is no JSON. Whether the schema can be used is for schema_rules to say.
    """
    value = _load_json(text)
    if not isinstance(value, dict):
        raise _make_invalid("The text must be one JSON object, from { to }.")
    if "json_schema" in value or value.get("type") == "json_schema":
        return value
    around = dict(former["json_schema"]) if former else {"name": _make_plain_name(name), "strict": True}
    return {"type": "json_schema", "json_schema": {**around, "schema": value}}


def _load_json(text: str) -> object:
    try:
        sanitize.count_values(text)
        value = json.loads(
            text, object_pairs_hook=_refuse_duplicates, parse_constant=_refuse_constant, parse_float=_parse_finite
        )
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        where = f"Line {error.lineno}, column {error.colno}"
        raise _make_invalid(f"{where}: this is no JSON. {error.msg}.") from None
    except UnicodeEncodeError:
        raise _make_invalid("The text holds half of a character (a lone \\ud800 to \\udfff).") from None
    except RecursionError:
        raise _make_invalid("The JSON is nested too deeply.") from None
    except ValueError as error:
        raise _make_invalid(str(error)) from None
    return value


def _refuse_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuses a name that stands twice in one object: JSON readers keep the last and drop the first unseen."""
    members: dict[str, object] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError(f"“{name}” is in the same object twice; only one of them could be kept.")
        members[name] = value
    return members


def _refuse_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON number.")


def _parse_finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"The number {digits[:30]} is too large to be kept.")
    return number


def _make_plain_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_").lower()[:64] or "document"


def _make_invalid(sentence: str) -> Invalid:
    return Invalid(sentence, problems=[Problem("", sentence)], code="json")
