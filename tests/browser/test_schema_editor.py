"""The editor of a schema: nothing is lost between the field list and the JSON, and one change stays in its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page, expect

from tests.browser.conftest import enter

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

words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)
names = words | st.sampled_from(["__proto__", "1", "toString", "properties", 'a"b\\c', "ü", ""])
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=4,
)
# What the list has no column for.
extra = st.dictionaries(
    st.sampled_from(["pattern", "minItems", "x-note", "title", "$comment", "examples", "minimum", "not"]),
    values,
    max_size=3,
)
described = extra | st.fixed_dictionaries({"description": words})
SCALARS: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": "number"},
    {"type": ["null", "integer"]},
    {"type": "string", "format": "date"},
    {"type": ["string", "null"], "enum": ["a", None]},
    {"enum": ["x", "y"]},
    {"type": "string", "format": "iban"},
]
LOCKED: list[Any] = [
    {"$ref": "#/$defs/a"},
    {"oneOf": [{"type": "string"}, {"type": "number"}]},
    {"const": 1.0},
    True,
    {},
    ["odd"],
    {"type": ["string", "number"]},
    {"type": "array", "items": [{"type": "string"}]},
    {"type": "array"},
]


def shuffle(parts: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.permutations(list(parts.items())).map(dict)


def fields_of(properties: dict[str, Any], more: dict[str, Any], drawn: list[int]) -> dict[str, Any]:
    required = [name for name, on in zip(properties, drawn, strict=False) if on]
    return {"type": "object", "properties": properties, **({"required": required} if required else {}), **more}


def group(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    strategy = st.builds(
        fields_of, st.dictionaries(names, inner, max_size=4), extra, st.lists(st.integers(0, 1), min_size=4, max_size=4)
    )
    return strategy.flatmap(shuffle)


scalars = st.builds(lambda base, more: {**more, **base}, st.sampled_from(SCALARS), described).flatmap(shuffle)
fields = st.recursive(
    scalars | st.sampled_from(LOCKED),
    lambda inner: (
        group(inner) | (group(inner) | scalars).map(lambda items: {"items": items, "type": "array", "minItems": 1})
    ),
    max_leaves=8,
)
schemas = st.builds(lambda schema, more: {**schema, "$defs": {"a": more}}, group(fields), extra)
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
    page.route("**/static/js/*_*.js", lambda route: route.fulfill(path=f"static/js/{route.request.url.split('/')[-1]}"))
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
        ('{"a": {"b": 1, "b": 2}}', 1, "“b” stands twice in the same object; only one of them could be kept."),
        ('{"a": NaN}', 1, "A value must stand here, but “N” stands."),
        ('{"a": 1', 1, "A comma or } must stand here, but the text ends."),
        ("[" * 5000, 1, "The JSON is nested too deeply."),
    ],
)
def test_it_says_where_a_text_is_no_json(modules: Page, text: str, line: int, sentence: str) -> None:
    refused = "async (text) => { const { parse } = await import('/static/js/json_text.js'); try { parse(text); } catch (e) { return [e.line, e.message]; } }"
    assert modules.evaluate(refused, text) == [line, sentence]


def test_a_schema_is_made_field_by_field_and_changed_as_json(page: Page) -> None:
    enter(page)
    page.get_by_role("link", name="Schemas").click()
    page.get_by_role("link", name="New schema").click()
    page.get_by_label("Name", exact=True).fill("Delivery note")
    page.get_by_role("button", name="Add field").click()
    page.keyboard.type("number")
    page.keyboard.press("Tab")
    page.get_by_label("Description of number").fill("Number after “Delivery note”.")
    page.keyboard.press("Enter")
    page.keyboard.type("lines")
    page.keyboard.press("Tab")
    page.get_by_label("Type of lines").select_option("list of rows")
    page.get_by_label("Description of lines").fill("One row for each article.")
    page.get_by_label("More for lines").click()
    page.get_by_role("button", name="Add a field inside").click()
    page.keyboard.type("sku")
    page.keyboard.press("Tab")
    expect(page.locator(".err:visible")).to_have_count(1)
    page.get_by_label("Description of sku").fill("Article number.")
    expect(page.locator(".err:visible")).to_have_count(0)
    page.get_by_role("button", name="Create schema").click()
    page.wait_for_url(re.compile(r"/schemas/[0-9a-f]{24}$"))
    expect(page.locator("tr.level-1")).to_contain_text("sku")

    page.get_by_role("link", name="Edit").click()
    page.get_by_role("button", name="JSON", exact=True).click()
    text = page.get_by_label("Response format, as JSON")
    whole = text.input_value()
    text.fill(whole.replace('"Article number."', '"Article number."\n "pattern": "^[0-9]+$"'))
    page.get_by_role("button", name="Fields").click()
    line = whole.split('"Article number."')[0].count("\n") + 2
    expect(page.get_by_role("alert")).to_contain_text(f"Line {line}, column 2: A comma or }} must stand here")
    text.fill(whole.replace('"Article number."', '"Article number.", "pattern": "^[0-9]+$"'))
    page.get_by_role("button", name="Fields").click()
    expect(page.locator("li", has=page.get_by_label("Move sku")).locator(".kept")).to_have_text('pattern: "^[0-9]+$"')
    page.get_by_label("Move lines").press("ArrowUp")
    page.get_by_label("Description of number").fill("The number under the title.")
    page.get_by_role("button", name="Save as version 2").click()
    page.wait_for_url(re.compile(r"/schemas/[0-9a-f]{24}$"))
    changes = page.locator(".plain-diff")
    expect(changes).to_contain_text(
        "number description “Number after “Delivery note”.” is now “The number under the title.”"
    )
    expect(changes).to_contain_text("lines.sku pattern added: “^[0-9]+$”")
    expect(changes).to_contain_text("The fields stand in another order.")


def test_undo_brings_back_what_was_removed_and_leaving_asks_first(page: Page) -> None:
    enter(page)
    page.get_by_role("link", name="Schemas").click()
    page.get_by_role("link", name="Delivery note").click()
    page.get_by_role("link", name="Edit").click()
    text = page.locator("#content")
    before = text.input_value()
    page.get_by_label("More for lines").click()
    page.get_by_role("button", name="Remove with the fields inside").click()
    expect(page.get_by_label("Field name")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Field name")).to_have_count(3)
    assert text.input_value() == before
