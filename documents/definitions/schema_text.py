"""A response format as text that a person edits. Nothing is lost on the way: the same text gives the same format."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

from documents.definitions import schema_rules
from documents.definitions.schema_fields import FieldChange, field_changes
from documents.definitions.text_changes import TextLine, changed_lines
from kit import sanitize
from kit.errors import Invalid, Problem

EMPTY: dict[str, Any] = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


@dataclass(frozen=True)
class Checked:
    """`changes` and `lines` say what differs from the former text; empty without one, or where a problem hides it.

    `warnings` keep nothing from being saved.
    """

    problems: list[Problem]
    changes: list[FieldChange] = field(default_factory=list)
    lines: list[TextLine] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    @property
    def said(self) -> str:
        count = len(self.problems)
        return f"Not ready to save: {count} thing{'s' if count > 1 else ''} to put right." if count else ""


def checked(text: str, *, former: dict[str, Any] | None = None) -> Checked:
    """What saving this text would say, without saving it."""
    try:
        response_format = parsed(text, name="", former=former)
    except Invalid as error:
        return Checked(list(error.problems))
    problems = schema_rules.problems(response_format)
    # Only what has the shape of a schema can be told field by field.
    if schema_rules.problems(response_format, descriptions=False):
        return Checked(problems)
    warnings = schema_rules.find_warnings(response_format)
    if former is None:
        return Checked(problems, warnings=warnings)
    lines = changed_lines(written(former), written(response_format))
    return Checked(problems, field_changes(former, response_format), lines, warnings)


def written(response_format: dict[str, Any]) -> str:
    return json.dumps(response_format, indent=2, ensure_ascii=False)


def parsed(text: str, *, name: str, former: dict[str, Any] | None = None) -> dict[str, Any]:
    """The response format in the text. A bare JSON Schema gets the name and strict of `former`, or a name from `name`.

    Raises Invalid with the place when it is no JSON. Whether the schema can be used is for schema_rules to say.
    """
    value = _json(text)
    if not isinstance(value, dict):
        raise _refused("The text must be one JSON object, from { to }.")
    if "json_schema" in value or value.get("type") == "json_schema":
        return value
    around = dict(former["json_schema"]) if former else {"name": _plain_name(name), "strict": True}
    return {"type": "json_schema", "json_schema": {**around, "schema": value}}


def _json(text: str) -> object:
    try:
        sanitize.check_size(text)
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_finite)
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        where = f"Line {error.lineno}, column {error.colno}"
        raise _refused(f"{where}: this is no JSON. {error.msg}.") from None
    except UnicodeEncodeError:
        raise _refused("The text holds half of a character (a lone \\ud800 to \\udfff).") from None
    except RecursionError:
        raise _refused("The JSON is nested too deeply.") from None
    except ValueError as error:
        raise _refused(str(error)) from None
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuses a name that stands twice in one object: JSON readers keep the last and drop the first unseen."""
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"“{name}” stands twice in the same object; only one of them could be kept.")
        found[name] = value
    return found


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON number.")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"The number {digits[:30]} is too large to be kept.")
    return number


def _plain_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_").lower()[:64] or "document"


def _refused(sentence: str) -> Invalid:
    return Invalid(sentence, problems=[Problem("", sentence)], code="json")
