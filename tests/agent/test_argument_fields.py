"""Arguments as a form and back: what a person does not touch stays exactly as it was."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import Role
from agent.cards import argument_fields
from agent.cards.argument_fields import fields_of, problems_at, read_form
from agent.toolkit.registry import Tool, ToolContext, registry
from agent.toolkit.tool_kinds import Access, Effect
from kit.errors import Conflict, Invalid, Problem


def everything(
    context: ToolContext,
    name: str,
    count: int,
    size: float,
    on: bool,
    tags: list[str],
    body: dict[str, Any],
    value: Any,
    note: str | None = None,
    page: int | None = None,
    quick: bool | None = None,
    labels: list[str] | None = None,
    rows: list[int] | None = None,
) -> dict[str, Any]:
    """Takes one of everything."""
    return {}


TOOL = Tool("everything", everything, "document", Access.WRITE, Effect.LOCAL, "Everything", "i-braces", Role.REVIEWER)
WHOLE: dict[str, Any] = {
    "name": "Invoice",
    "count": 3,
    "size": 1.5,
    "on": True,
    "tags": ["a", "b"],
    "body": {"a": [1, {"b": None}]},
    "value": "2026-01-02",
}


def type_form(tool: Tool, arguments: dict[str, Any], **changed: str) -> dict[str, str]:
    """What a browser sends of the form for these arguments; newlines arrive as CR LF."""
    sent = {}
    for field in fields_of(tool, arguments):
        sent[f"kind-{field.name}"] = field.kind
        sent[f"had-{field.name}"] = "1" if field.was_given else ""
        sent[f"arg-{field.name}"] = changed.get(field.name, field.text).replace("\n", "\r\n")
    return sent


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"name": "two\nlines"},
        {"name": "ends\r\nin CR LF"},
        {"name": ""},
        {"name": "  spaced  "},
        {"count": 0},
        {"size": 1.0},
        {"size": -1e-7},
        {"on": False},
        {"tags": []},
        {"tags": ["two\nlines", " spaced"]},
        {"body": {}},
        {"value": None},
        {"value": ""},
        {"value": 12},
        {"value": 1.0},
        {"value": True},
        {"value": "12"},
        {"value": "true"},
        {"value": [1, "a"]},
        {"value": {"sku": "A", "amount": 2}},
        {"note": "x" * 200},
        {"note": ""},
        {"page": 7, "quick": False, "labels": ["one"], "rows": [1, 2]},
        {"labels": []},
        {"name": "Ünïcode “quotes” <b>&amp; 漢字"},
    ],
)
def test_what_is_not_touched_comes_back_exactly(change: dict[str, Any]) -> None:
    arguments = WHOLE | change
    form = read_form(TOOL, type_form(TOOL, arguments))
    assert (form.arguments, form.problems) == (arguments, {})
    assert repr(form.arguments) == repr({name: arguments[name] for name in form.arguments})
    assert read_form(TOOL, {"json": argument_fields.format_arguments(arguments)}).arguments == arguments


@pytest.mark.parametrize("tool", list(registry), ids=lambda tool: tool.name)
def test_every_tool_has_a_form_for_each_of_its_parameters(tool: Tool) -> None:
    fields = fields_of(tool, {})
    assert [field.name for field in fields] == list(tool.parameters["properties"])
    assert all(field.kind != "json" or field.text == "" for field in fields)


@pytest.mark.parametrize("name", [tool.name for tool in registry if tool.instead_of])
def test_a_call_about_several_has_no_fields_for_one_and_the_other_way_round(name: str) -> None:
    tool = registry.find(name)
    for several, single in tool.instead_of.items():
        names = [field.name for field in fields_of(tool, {several: ["a"]})]
        assert names[0] == several and not set(names) & set(single) and set(single) < set(tool.parameters["properties"])
        alone = [field.name for field in fields_of(tool, {next(iter(single)): "a"})]
        assert several not in alone and set(single) <= set(alone)


def test_each_value_gets_the_field_that_suits_it() -> None:
    kinds = {field.name: field.kind for field in fields_of(TOOL, WHOLE | {"note": "long " * 20})}
    assert kinds == {
        "name": "text",
        "count": "integer",
        "size": "number",
        "on": "yes_no",
        "tags": "lines",
        "body": "json",
        "value": "text",
        "note": "long",
        "page": "integer",
        "quick": "yes_no",
        "labels": "lines",
        "rows": "json",
    }


@pytest.mark.parametrize(
    ("field", "text", "problem"),
    [
        ("count", "three", "This must be a whole number, such as 3."),
        ("count", "1.5", "This must be a whole number, such as 3."),
        ("size", "1,5", "This must be a number, such as 12.5."),
        ("size", "NaN", "This must be a number, such as 12.5."),
        ("count", " ", "A value is needed here."),
        ("body", "{", "This is not JSON: "),
        ("on", "", "A value is needed here."),
    ],
)
def test_what_cannot_be_read_is_said_at_its_field_and_the_rest_is_read(field: str, text: str, problem: str) -> None:
    form = read_form(TOOL, type_form(TOOL, WHOLE, **{field: text}))
    assert list(form.problems) == [field] and form.problems[field].startswith(problem)
    assert form.arguments == {name: value for name, value in WHOLE.items() if name != field}


def test_an_emptied_field_is_left_out_or_becomes_nothing() -> None:
    arguments = WHOLE | {"note": "x", "page": 2}
    form = read_form(TOOL, type_form(TOOL, arguments, note="", page="", value=""))
    assert form.arguments == WHOLE | {"value": None}


@pytest.mark.parametrize(("text", "problem"), [("{", "This is not JSON"), ("[1]", "one JSON object")])
def test_json_that_is_no_object_is_said(text: str, problem: str) -> None:
    assert problem in read_form(TOOL, {"json": text}).problems[""]


def test_a_name_that_no_field_shows_is_not_dropped_on_the_way_to_the_fields() -> None:
    form = read_form(TOOL, {"json": '{"nmae": "x"}'})
    form.refuse_unknown(TOOL)
    assert form.problems[""].startswith("There is no argument called nmae. There are: name, count")


@pytest.mark.parametrize(
    ("error", "place"),
    [
        (Invalid("x", problems=[Problem("count", "is wrong")]), "count"),
        (Invalid("x", problems=[Problem("tags.0", "is wrong")]), "tags"),
        (Invalid("x", problems=[Problem("json_schema.schema.properties.a", "has no description")]), "body"),
        (Invalid("x", problems=[Problem("arguments", "'count' is a required property")]), "count"),
        (Conflict("There is a schema named so already.", code="name_taken"), "name"),
        (Invalid("The document has not been read yet."), ""),
    ],
)
def test_a_problem_is_shown_at_its_field(error: Any, place: str) -> None:
    assert list(problems_at(TOOL, error)) == [place]


def test_a_schema_is_shown_by_its_fields_and_comes_back_as_it_is() -> None:
    response_format = {"type": "json_schema", "json_schema": {"name": "made", "schema": {"type": "object"}}}
    tool = registry.find("create_schema")
    name, schema, *_ = fields_of(tool, {"name": "Invoice", "response_format": response_format})
    assert (name.kind, schema.kind, schema.label) == ("text", "schema", "Fields")
    typed = {"arg-name": "Invoice", "kind-name": "text", "kind-response_format": "schema"}
    form = read_form(tool, {**typed, "arg-response_format": schema.text})
    assert form.arguments["response_format"] == response_format
    assert "This is not JSON" in read_form(tool, {**typed, "arg-response_format": "{"}).problems["response_format"]
    # What is no schema stays a text, so that it can be put right.
    assert fields_of(tool, {"name": "Invoice", "response_format": "text"})[1].kind == "json"
