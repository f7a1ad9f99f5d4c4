"""The arguments of a card as fields of a form, made from the tool's JSON schema; and back from what was typed.

A value that its plain field would not give back unchanged is edited as JSON, so nothing is lost by opening a form.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from agent.registry import Tool
from agent.signatures import Arguments, JsonSchema
from docrouter.kit.errors import AppError, Problem

WHOLE = "json"
MOST_IN_A_LINE = 60
Typed: TypeAlias = Mapping[str, str]


@dataclass(frozen=True)
class Field:
    """`kind` is text, long, integer, number, yes_no, choice, lines, scalar or json; `text` is what stands in it."""

    name: str
    kind: str
    text: str
    help: str
    is_required: bool
    choices: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").capitalize()

    @property
    def rows(self) -> int:
        """The height of a text area before it grows with its text."""
        return min(18, max(3, self.text.count("\n") + 1 + len(self.text) // 80))


@dataclass
class Read:
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


class _Wrong(ValueError):
    """What was typed is no such value; the message says what would be."""


def fields_of(tool: Tool, arguments: Arguments) -> list[Field]:
    required = tool.parameters["required"]
    return [
        _field(name, schema, arguments.get(name, ABSENT), name in required)
        for name, schema in tool.parameters["properties"].items()
    ]


def as_json(arguments: Arguments) -> str:
    return json.dumps(arguments, ensure_ascii=False, indent=2)


def read(tool: Tool, typed: Typed) -> Read:
    """From a form's data: `json` for the whole, else `arg-<name>` with `kind-<name>` for each parameter."""
    if WHOLE in typed:
        return _read_whole(typed[WHOLE])
    made = Read()
    for name, schema in tool.parameters["properties"].items():
        text = typed.get(f"arg-{name}", "").replace("\r\n", "\n")
        try:
            value = _parsed(typed.get(f"kind-{name}", "json"), text, schema, name in tool.parameters["required"])
        except _Wrong as wrong:
            made.problems[name] = str(wrong)
            continue
        if value is not ABSENT:
            made.arguments[name] = value
    return made


def problems_at(tool: Tool, error: AppError) -> dict[str, str]:
    """A failure's problems by the field that each belongs to; what belongs to none stands at "", the whole."""
    found: dict[str, list[str]] = {}
    for problem in error.problems or [Problem("", error.sentence)]:
        found.setdefault(_place(tool, problem, error.code), []).append(problem.message)
    return {name: "\n".join(messages) for name, messages in found.items()}


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


def _field(name: str, schema: JsonSchema, value: Any, required: bool) -> Field:
    choices = tuple(schema.get("enum", ())) if _are_texts(schema.get("enum", ())) else ()
    for kind in _kinds(schema, value, choices):
        text = _shown(kind, value)
        if _gives_back(kind, text, schema, required, value):
            return Field(name, kind, text, schema.get("description", ""), required, choices)
    return Field(name, "json", _shown("json", value), schema.get("description", ""), required)


def _kinds(schema: JsonSchema, value: Any, choices: Sequence[str]) -> Iterable[str]:
    """The fields that would suit, the most comfortable first."""
    if choices:
        return ["choice"]
    kind = schema.get("type")
    if kind == "string" or (kind is None and isinstance(value, str)):
        return ["long"] if isinstance(value, str) and (len(value) > MOST_IN_A_LINE or "\n" in value) else ["text"]
    if kind is None:
        return ["scalar"] if value is ABSENT or value is None or isinstance(value, bool | int | float) else []
    if kind == "array":
        return ["lines"] if schema.get("items", {}).get("type") == "string" else []
    return {"integer": ["integer"], "number": ["number"], "boolean": ["yes_no"]}.get(str(kind), [])


def _gives_back(kind: str, text: str, schema: JsonSchema, required: bool, value: Any) -> bool:
    try:
        return _same(_parsed(kind, text.replace("\r\n", "\n"), schema, required), value)
    except _Wrong:
        return value is ABSENT  # an empty field of something required: it is for the person to fill


def _same(one: Any, other: Any) -> bool:
    """True is not 1, and 1.0 is not 1, once they are JSON."""
    return (one is other) if ABSENT in (one, other) else json.dumps(one) == json.dumps(other)


def _shown(kind: str, value: Any) -> str:
    if value is ABSENT:
        return ""
    if kind in ("text", "long", "choice") and isinstance(value, str):
        return value
    if kind == "lines" and isinstance(value, list):
        return "\n".join(map(str, value))
    if kind == "scalar" and value is None:
        return ""
    return json.dumps(value, ensure_ascii=False, indent=2)


def _parsed(kind: str, text: str, schema: JsonSchema, required: bool) -> Any:
    """The value that was typed, or ABSENT. Raises _Wrong."""
    if kind == "scalar":
        return _scalar(text)
    if not text.strip() and kind != "lines":
        return _empty(kind, text, schema, required)
    if kind in ("text", "long", "choice"):
        return text
    if kind == "lines":
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        return lines if lines or required else ABSENT
    return _number(kind, text) if kind in ("integer", "number") else _json(kind, text)


def _empty(kind: str, text: str, schema: JsonSchema, required: bool) -> Any:
    """Nothing was typed: left out, where that may be; an empty text is a text, and a value of any type is none."""
    if not required:
        return ABSENT
    if "type" not in schema and kind in ("text", "long"):
        return None
    if kind in ("text", "long"):
        return text
    raise _Wrong("A value is needed here.")


def _scalar(text: str) -> Any:
    if not text.strip():
        return None
    try:
        value = _loads(text)
    except ValueError:
        return text
    return text if isinstance(value, str | list | dict) else value


def _loads(text: str) -> Any:
    """Raises ValueError, also for what only Python takes for JSON."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON value")


def _number(kind: str, text: str) -> int | float:
    try:
        value = _loads(text)
    except ValueError:
        value = None
    if isinstance(value, bool) or not isinstance(value, int if kind == "integer" else int | float):
        example = "a whole number, such as 3" if kind == "integer" else "a number, such as 12.5"
        raise _Wrong(f"This must be {example}.")
    return value


def _json(kind: str, text: str) -> Any:
    try:
        return _loads(text)
    except ValueError as error:
        what = "yes or no" if kind == "yes_no" else "JSON"
        raise _Wrong(f"This is not {what}: {error}.") from None


def _read_whole(text: str) -> Read:
    try:
        arguments = _loads(text)
    except ValueError as error:
        return Read(problems={"": f"This is not JSON: {error}."})
    if not isinstance(arguments, dict):
        return Read(problems={"": "The arguments are one JSON object: {…}."})
    return Read(arguments)


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)
