"""The editor of a schema: nothing is lost between the field list and the JSON, and one change stays in its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from tests.browser.schema_texts import schemas

Path = tuple[str | int, ...]


FROM_MODULES = """async ([text]) => {
    const [{ rows }, changes] = await Promise.all(['rows', 'changes'].map((name) => import(`/static/js/schema_${name}.js`)));
    const read = rows(text);
    return read.rows.map((row) => {
        const { path, holder, name, required, kind } = row;
        const may = kind !== 'json' || !['describe', 'setNullable', 'setKind'].includes(CHANGE);
        const given = (ARGUMENTS)(row, read);
        const after = may ? changes[CHANGE](text, CHANGE === 'add' ? holder : path, ...given) : text;
        return { path, holder, name, required, kind, after };
    });
}"""


SAME = {
    "describe": "(row) => [row.description]",
    "setRequired": "(row) => [row.required]",
    "setNullable": "(row) => [row.nullable]",
    "move": "(row) => [row.at]",
    "rename": "(row) => [row.name]",
}


texts = st.builds(
    lambda schema, indent, wrapped: json.dumps(
        {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}} if wrapped else schema,
        indent=indent,
        ensure_ascii=False,
    ),
    schemas,
    st.sampled_from([None, 1, 2, "\t"]),
    st.booleans(),
)


some = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def modules(page: Page) -> Page:
    """Any page of the product, and the modules one by one besides, which it has only joined."""
    page.route(
        re.compile(r"/static/js/\w+\.js$"),
        lambda route: route.fulfill(path=f"static/js/{route.request.url.split('/')[-1]}"),
    )
    page.goto("/sign-in")
    return page


def ask(page: Page, text: str, change: str = "describe", arguments: str = "(row) => [row.description]") -> Any:
    """Every row of the list, each with the text after this change of it alone."""
    script = FROM_MODULES.replace("CHANGE", json.dumps(change)).replace("ARGUMENTS", arguments)
    return page.evaluate(script, [text])


def literal(text: str) -> Any:
    """Objects as lists of pairs and numbers as they are written: what a text says, with order and 1.0 apart from 1."""
    return json.loads(
        text,
        object_pairs_hook=lambda pairs: ("object", pairs),
        parse_float=lambda raw: ("f", raw),
        parse_int=lambda raw: ("i", raw),
    )


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every part that holds no other, and the order of names in each object under the step "#"."""
    if isinstance(value, tuple) and value[0] == "object":
        yield (*path, "#"), [name for name, _ in value[1]]
        for name, inner in value[1]:
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        yield (*path, "#"), len(value)
        for at, inner in enumerate(value):
            yield from leaves(inner, (*path, at))
    else:
        yield path, value


def diff_paths(before: str, after: str) -> set[Path]:
    old, new = dict(leaves(literal(before))), dict(leaves(literal(after)))
    return {path for path in old.keys() | new.keys() if old.get(path, KeyError) != new.get(path, KeyError)}


def lies_in(path: Path, *places: Path) -> bool:
    return any(path[: len(place)] == place for place in places)


def part(text: str, path: Path) -> Any:
    here = literal(text)
    for step in path:
        here = dict(here[1])[step]
    return here


def rows_by_hand(schema: Any, path: Path) -> Iterator[tuple[Path, str, bool]]:
    properties = schema.get("properties")
    for name, field in properties.items() if isinstance(properties, dict) else ():
        here = (*path, "properties", name)
        yield here, name, name in schema.get("required", [])
        if isinstance(field, dict) and field.get("type") == "object":
            yield from rows_by_hand(field, here)
        if (
            isinstance(field, dict)
            and field.get("type") == "array"
            and isinstance(field.get("items"), dict)
            and field["items"].get("type") == "object"
        ):
            yield from rows_by_hand(field["items"], (*here, "items"))


def test_every_field_has_a_row_and_saying_what_it_says_changes_no_character(modules: Page) -> None:
    @some
    @given(text=texts)
    def each(text: str) -> None:
        whole = json.loads(text)
        root: Path = ("json_schema", "schema") if "json_schema" in whole else ()
        schema = whole["json_schema"]["schema"] if root else whole
        for change, value in SAME.items():
            result = ask(modules, text, change, value)
            assert [(tuple(row["path"]), row["name"], row["required"]) for row in result] == list(
                rows_by_hand(schema, root)
            )
            assert [row["path"] for row in result if row["after"] != text] == []

    each()


CHANGES = {
    "describe": "() => ['Another “text”.']",
    "setRequired": "(row) => [!row.required]",
    "setNullable": "(row) => [!row.nullable]",
    "setKind": "(row) => [row.kind === 'rows' ? 'group' : row.kind === 'number' ? 'date' : 'rows']",
    "add": "(row) => [row.at, 'a_new_name']",
    "rename": "() => ['a_new_name']",
    "move": "(row) => [row.count - 1]",
    "removeField": "() => []",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_leaves_everything_but_its_own_field_as_it_was(modules: Page, change: str) -> None:
    @some
    @given(text=texts)
    def each(text: str) -> None:
        for row in ask(modules, text, change, CHANGES[change]):
            field, holder = tuple(row["path"]), tuple(row["holder"])
            own = places(change, field, holder)
            assert [path for path in diff_paths(text, row["after"]) if not lies_in(path, *own)] == []
            if change == "rename":
                assert part(text, field) == part(row["after"], (*field[:-1], "a_new_name"))

    each()


def places(change: str, field: Path, holder: Path) -> list[Path]:
    """What a change may touch."""
    order, new = (*holder, "properties", "#"), (*holder, "properties", "a_new_name")
    return {
        "describe": [(*field, "description"), (*field, "#")],
        "setRequired": [(*holder, "required"), (*holder, "#")],
        "setNullable": [(*field, "type"), (*field, "enum")],
        "setKind": [field],
        "add": [new, order, (*holder, "required"), (*holder, "#")],
        "rename": [field, new, order, (*holder, "required")],
        "move": [order],
        "removeField": [field, order, (*holder, "required")],
    }[change]


INVOICE = {
    "type": "object",
    "properties": {
        "address": {"type": "object", "properties": {"city": {"type": "string", "x-k": 1.0}}, "required": ["city"]},
        "total": {"type": "number", "minimum": 0.50},
    },
    "required": ["address"],
}


def test_a_field_that_goes_into_a_group_and_out_again_is_as_it_was(modules: Page) -> None:
    text = json.dumps(INVOICE, indent=2)
    moved = ask(
        modules, text, "regroup", "(row, read) => row.name === 'total' ? [read.rows[0].holds, 0] : [read.path, 0]"
    )[2]["after"]
    inner = {"total": {"type": "number", "minimum": 0.50}, "city": {"type": "string", "x-k": 1.0}}
    assert json.loads(moved)["properties"] == {"address": {**INVOICE["properties"]["address"], "properties": inner}}  # type: ignore[index]
    assert ask(modules, moved, "regroup", "(row, read) => [read.path, 1]")[1]["after"] == text


def test_a_group_becomes_a_list_of_rows_with_its_fields(modules: Page) -> None:
    schema = json.loads(ask(modules, json.dumps(INVOICE, indent=2), "setKind", "() => ['rows']")[0]["after"])
    address = INVOICE["properties"]["address"]  # type: ignore[index]
    assert schema["properties"]["address"] == {"type": "array", "items": {**address, "type": "object"}}


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ('{\n  "a": 1,\n}', 3, "A name in quotation marks must stand here, but “}” stands."),
        ('{"a": 1\n "b": 2}', 2, 'A comma or } must stand here, but “"” stands.'),
        ('{"a": {"b": 1, "b": 2}}', 1, "“b” is in the same object twice; only one of them could be kept."),
        ('{"a": NaN}', 1, "A value must stand here, but “N” stands."),
        ('{"a": 1', 1, "A comma or } must stand here, but the text ends."),
        ("[" * 5000, 1, "The JSON is nested too deeply."),
    ],
)
def test_it_says_where_a_text_is_no_json(modules: Page, text: str, line: int, sentence: str) -> None:
    refused = "async (text) => { const { parse } = await import('/static/js/json_text.js'); try { parse(text); } catch (e) { return [e.line, e.message]; } }"
    assert modules.evaluate(refused, text) == [line, sentence]
