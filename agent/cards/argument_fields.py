"""The arguments of a card as fields of a form, made from the tool's JSON schema; and back from what was typed.

A value that its plain field would not give back unchanged is edited as JSON, so nothing is lost by opening a form.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from agent.toolkit.registry import Tool
from agent.toolkit.signatures import Arguments
from kit import sanitize
from kit.errors import AppError, Problem
from kit.json_types import Json, JsonSchema

WHOLE = "json"
# JSON too, but shown as the fields that a schema has.
SCHEMA_ARGUMENT = "response_format"
MAX_IN_A_LINE = 60
LISTS = ("lines", "several")
Typed: TypeAlias = Mapping[str, str]
Choice: TypeAlias = tuple[str, str]
ChoicesByName: TypeAlias = Mapping[str, Sequence[Choice]]
"""Parameter name to what can be chosen for it."""


@dataclass(frozen=True)
class Field:
    """`kind` is text, long, integer, number, yes_no, choice, several, lines, scalar, schema or json; `text` is what
    stands in it. `choices` are (value, words); `was_given` tells an empty list from one that is left out.
    """

    name: str
    kind: str
    text: str
    is_required: bool
    was_given: bool
    choices: tuple[Choice, ...] = ()

    @property
    def label(self) -> str:
        return "Fields" if self.kind == "schema" else self.name.replace("_", " ").capitalize()

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def rows(self) -> int:
        """The height of a text area before it grows with its text."""
        return min(18, max(3, self.text.count("\n") + 1 + len(self.text) // 80))


@dataclass
class FormArguments:
    """What was typed, as arguments, with what is wrong by the field's name; "" is the whole."""

    arguments: Arguments = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    def refuse_unknown(self, tool: Tool) -> None:
        """What no field could show must not be dropped on the way to the fields."""
        unknown = [name for name in self.arguments if name not in tool.parameters["properties"]]
        if unknown:
            known = ", ".join(tool.parameters["properties"])
            self.problems[""] = f"There is no argument called {', '.join(unknown)}. There are: {known}."


class _Absent:
    """Stands for an argument that is left out."""


ABSENT = _Absent()


class _InvalidText(ValueError):
    """What was typed is no such value; the message says what would be."""


def fields_of(tool: Tool, arguments: Arguments, *, choices: ChoicesByName | None = None) -> list[Field]:
    """Without those that the arguments exclude: a call about several things has no fields for a single one."""
    required, properties = tool.parameters["required"], tool.parameters["properties"]
    return [
        _build_field(
            name, properties[name], arguments.get(name, ABSENT), name in required, tuple((choices or {}).get(name, ()))
        )
        for name in _list_fitting(tool, arguments)
    ]


def _list_fitting(tool: Tool, arguments: Arguments) -> list[str]:
    """What means several things comes first: a person looks through it and takes some out."""
    names = list(tool.parameters["properties"])
    for several, single in tool.instead_of.items() if arguments else ():
        if several in arguments:
            fitting = [name for name in names if name in arguments or name not in single]
            names = [several, *(name for name in fitting if name != several)]
        else:
            names.remove(several)
    return names


def format_line(value: Json) -> str:
    """An entry of a list, on one line of a field."""
    return json.dumps(value, ensure_ascii=False)


def format_arguments(arguments: Arguments) -> str:
    return json.dumps(arguments, ensure_ascii=False, indent=2)


def read_form(tool: Tool, typed: Typed) -> FormArguments:
    """From a form's data: `json` for the whole, else for each parameter `arg-<name>`, `kind-<name>`, `had-<name>`."""
    if WHOLE in typed:
        return _read_whole(typed[WHOLE])
    form_arguments = FormArguments()
    for name, schema in tool.parameters["properties"].items():
        text = typed.get(f"arg-{name}", "").replace("\r\n", "\n")
        try:
            stays = name in tool.parameters["required"] or bool(typed.get(f"had-{name}"))
            value = _parse_text(
                typed.get(f"kind-{name}", "json"), text, schema, name in tool.parameters["required"], stays
            )
        except _InvalidText as wrong:
            form_arguments.problems[name] = str(wrong)
            continue
        if value is not ABSENT:
            form_arguments.arguments[name] = value
    return form_arguments


def problems_at(tool: Tool, error: AppError) -> dict[str, str]:
    """A failure's problems by the field that each belongs to; what belongs to none stands at "", the whole."""
    messages_by_field: dict[str, list[str]] = {}
    for problem in error.problems or [Problem("", error.sentence)]:
        messages_by_field.setdefault(_place(tool, problem, error.code), []).append(problem.message)
    return {name: "\n".join(messages) for name, messages in messages_by_field.items()}


def _place(tool: Tool, problem: Problem, code: str) -> str:
    properties: Mapping[str, JsonSchema] = tool.parameters["properties"]
    first = problem.where.split(".")[0].split("[")[0]
    if first in properties:
        return first
    if code == "name_taken" and "name" in properties:
        return "name"
    objects = [name for name, schema in properties.items() if schema.get("type") == "object"]
    # Places inside a response format are named from its own root.
    if problem.where and first != "arguments" and len(objects) == 1:
        return objects[0]
    return next((name for name in properties if f"'{name}'" in problem.message), "")


def _build_field(name: str, schema: JsonSchema, value: Json, required: bool, choices: tuple[Choice, ...]) -> Field:
    was_given = value is not ABSENT
    choices = choices or tuple((each, each) for each in schema.get("enum", ()) if isinstance(each, str))
    for kind in _kinds(schema, value, bool(choices)):
        text = _format_text(kind, value)
        if _gives_back(kind, text, schema, required, value):
            return Field(name, kind, text, required, was_given, _add_present(choices, text))
    kind = "schema" if name == SCHEMA_ARGUMENT and isinstance(value, dict) else "json"
    return Field(name, kind, _format_text("json", value), required, was_given)


def _add_present(choices: tuple[Choice, ...], text: str) -> tuple[Choice, ...]:
    """What stands there stays choosable, though it is not offered any more."""
    missing = [each for each in text.split("\n") if each and each not in dict(choices)] if choices else []
    return (*choices, *((each, each) for each in missing))


def _kinds(schema: JsonSchema, value: Json, has_choices: bool) -> Iterable[str]:
    """The fields that would suit, the most comfortable first."""
    kind = schema.get("type")
    if kind == "string" or (kind is None and isinstance(value, str)):
        is_long = isinstance(value, str) and (len(value) > MAX_IN_A_LINE or "\n" in value)
        return [*(["choice"] if has_choices else []), "long" if is_long else "text"]
    if kind is None:
        return ["scalar"] if value is ABSENT or value is None or isinstance(value, bool | int | float) else []
    if kind == "array":
        if has_choices:
            return ["several"]
        return ["lines"] if schema.get("items", {}).get("type") == "string" else []
    return {"integer": ["integer"], "number": ["number"], "boolean": ["yes_no"]}.get(str(kind), [])


def _gives_back(kind: str, text: str, schema: JsonSchema, required: bool, value: Json) -> bool:
    try:
        stays = required or value is not ABSENT
        return _same(_parse_text(kind, text.replace("\r\n", "\n"), schema, required, stays), value)
    except _InvalidText:
        return value is ABSENT  # an empty field of something required: it is for the person to fill


def _same(one: Json, other: Json) -> bool:
    """True is not 1, and 1.0 is not 1, once they are JSON."""
    return (one is other) if ABSENT in (one, other) else json.dumps(one) == json.dumps(other)


def _format_text(kind: str, value: Json) -> str:
    if value is ABSENT:
        return ""
    if kind in ("text", "long", "choice") and isinstance(value, str):
        return value
    if kind in LISTS and isinstance(value, list):
        return "\n".join(each if isinstance(each, str) else format_line(each) for each in value)
    if kind == "scalar" and value is None:
        return ""
    return json.dumps(value, ensure_ascii=False, indent=2)


def _parse_text(kind: str, text: str, schema: JsonSchema, required: bool, stays: bool) -> Json:
    """The value that was typed, or ABSENT; an empty list `stays` where there was a list. Raises _InvalidText."""
    if kind == "scalar":
        return _parse_scalar(text)
    if not text.strip() and kind not in LISTS:
        return _parse_empty(kind, text, schema, required)
    if kind in ("text", "long", "choice"):
        return text
    if kind in LISTS:
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        is_texts = schema.get("items", {}).get("type") == "string"
        return [line if is_texts else _parse_json("json", line) for line in lines] if lines or stays else ABSENT
    return _parse_number(kind, text) if kind in ("integer", "number") else _parse_json(kind, text)


def _parse_empty(kind: str, text: str, schema: JsonSchema, required: bool) -> Json:
    """Nothing was typed: left out, where that may be; an empty text is a text, and a value of any type is none."""
    if "type" not in schema and kind in ("text", "long"):
        return None
    if not required:
        return ABSENT
    if kind in ("text", "long"):
        return text
    raise _InvalidText("A value is needed here.")


def _parse_scalar(text: str) -> Json:
    if not text.strip():
        return None
    try:
        value = sanitize.parse(text)
    except ValueError:
        return text
    return text if isinstance(value, str | list | dict) else value


def _parse_number(kind: str, text: str) -> int | float:
    try:
        value = sanitize.parse(text)
    except ValueError:
        value = None
    if isinstance(value, bool) or not isinstance(value, int if kind == "integer" else int | float):
        example = "a whole number, such as 3" if kind == "integer" else "a number, such as 12.5"
        raise _InvalidText(f"This must be {example}.")
    return value


def _parse_json(kind: str, text: str) -> Json:
    try:
        return sanitize.parse(text)
    except ValueError as error:
        what = "yes or no" if kind == "yes_no" else "JSON"
        raise _InvalidText(f"This is not {what}: {error}.") from None


def _read_whole(text: str) -> FormArguments:
    try:
        arguments = sanitize.parse(text)
    except ValueError as error:
        return FormArguments(problems={"": f"This is not JSON: {error}."})
    if not isinstance(arguments, dict):
        return FormArguments(problems={"": "The arguments are one JSON object: {…}."})
    return FormArguments(arguments)
