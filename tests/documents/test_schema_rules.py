import socket
from copy import deepcopy

import pytest

from documents.definitions.schema_rules import (
    check_response_format,
    check_value,
    find_problems,
    find_result_problems,
    get_field,
)
from documents.values.fields import TOO_SLOW
from kit.errors import Invalid

TEXT = {"type": "string", "description": "Text."}
ITEM = {
    "type": "object",
    "properties": {"sku": TEXT, "amount": {"type": "number", "description": "Amount.", "minimum": 0}},
    "required": ["sku"],
}
SCHEMA = {
    "type": "object",
    "properties": {
        "vendor": TEXT,
        "due_date": {"type": "string", "format": "date", "description": "When to pay."},
        "currency": {"type": "string", "enum": ["GBP", "EUR"], "description": "Currency."},
        "line_items": {"type": "array", "description": "Lines.", "items": ITEM},
        "payer": {"description": "Payer.", "anyOf": [{"type": "null"}, {"$ref": "#/definitions/party"}]},
    },
    "required": ["vendor"],
    "definitions": {"party": {"type": "object", "properties": {"city": TEXT}}},
}


def make_format(schema):
    return {"type": "json_schema", "json_schema": {"name": "invoice", "schema": schema, "strict": True}}


def with_field(name, field):
    schema = deepcopy(SCHEMA)
    schema["properties"][name] = field
    return make_format(schema)


def places(value):
    return [problem.where for problem in find_problems(value)]


def test_it_hands_out_the_inner_schema_of_a_good_format():
    assert check_response_format(make_format(SCHEMA)) == SCHEMA


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ("{}", [""]),
        ({}, ["type", "json_schema"]),
        (
            {"type": "text", "json_schema": {"name": "a b", "schema": 1}},
            ["type", "json_schema.name", "json_schema.schema"],
        ),
        (make_format({"type": "array", "items": TEXT}), ["type"]),
        (make_format({"type": "object"}), ["properties"]),
        (make_format({"type": "objekt"}), ["type"]),
        (with_field("a.b", TEXT), ["a.b"]),
        (with_field("7", TEXT), ["7"]),
        (with_field("x", {"type": "string"}), ["x"]),
        (with_field("x", {"description": "No type."}), ["x"]),
        (with_field("x", {"type": "array", "description": "No items."}), ["x.items"]),
        (with_field("x", {"type": "object", "description": "No fields."}), ["x"]),
        (with_field("x", {"$ref": "https://example.org/a.json", "description": "Far."}), ["x"]),
        (with_field("x", {"$ref": "#/definitions/none", "description": "Nowhere."}), ["x"]),
        (with_field("x", {**TEXT, "pattern": "(a+)+$"}), ["x"]),
        (with_field("x", {**TEXT, "pattern": "("}), ["x"]),
    ],
)
def test_it_says_where_a_format_is_wrong(value, where):
    assert places(value) == where


def test_it_collects_every_problem():
    wrong = with_field("x", {"type": "array", "items": {"type": "object", "properties": {"y": {}}}})
    wrong["json_schema"]["schema"]["required"] = ["gone"]
    assert places(wrong) == ["x", "x.items.y", "x.items.y"]
    with pytest.raises(Invalid, match="and 2 more") as refused:
        check_response_format(wrong)
    assert len(refused.value.problems) == 3


def test_it_can_let_descriptions_go():
    assert find_problems(with_field("x", {"type": "string"}), descriptions=False) == []


def test_it_refuses_a_schema_that_contains_itself():
    looped = deepcopy(SCHEMA)
    looped["definitions"]["party"]["properties"]["parent"] = {"$ref": "#/definitions/party", "description": "Up."}
    assert any("contains itself" in problem.message for problem in find_problems(make_format(looped)))


def test_it_refuses_schemas_that_are_too_deep_or_too_wide():
    deep = TEXT
    for _ in range(9):
        deep = {"type": "object", "description": "Down.", "properties": {"d": deep}}
    assert "levels deep" in find_problems(make_format(deep))[0].message
    wide = {"type": "object", "properties": {f"f{n}": TEXT for n in range(301)}}
    assert "more than 300 fields" in find_problems(make_format(wide))[0].message
    bottomless = {"type": "object"}
    for _ in range(5000):
        bottomless = {"properties": {"a": bottomless}}
    assert "too large" in find_problems(make_format(bottomless))[0].message


def test_it_stays_quick_when_references_multiply():
    definitions = {
        f"d{n}": {"type": "object", "properties": {k: {"$ref": f"#/definitions/d{n + 1}"} for k in "ab"}}
        for n in range(25)
    }
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": "#/definitions/d0", "description": "x"}},
        "definitions": {**definitions, "d25": TEXT},
    }
    assert find_problems(make_format(schema))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("vendor", "string"),
        ("line_items", "array"),
        ("line_items.3", "object"),
        ("line_items.0.amount", "number"),
        ("payer.city", "string"),
    ],
)
def test_it_finds_the_field_at_a_path(path, kind):
    assert get_field(SCHEMA, path)["type"] == kind


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("line_items.2.amout", "nearest are: line_items.2.amount"),
        ("duedate", "nearest are: due_date"),
        ("amount", "line_items.0.amount"),
        ("line_items.sku", "after it comes a position"),
        ("vendor.name", "has no field vendor.name"),
    ],
)
def test_it_offers_the_nearest_names_for_an_unknown_path(path, sentence):
    with pytest.raises(Invalid, match=sentence):
        get_field(SCHEMA, path)


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("due_date", 5, "due_date must be text like 2026-12-27, not the number 5."),
        ("due_date", "27.12.2026", 'due_date must be text like 2026-12-27, not the text "27.12.2026".'),
        ("due_date", "2026-02-30", 'due_date must be text like 2026-12-27, not the text "2026-02-30".'),
        ("currency", "USD", 'currency must be one of GBP, EUR, not the text "USD".'),
        ("line_items.0.amount", "12", 'line_items.0.amount must be a number, not the text "12".'),
        ("line_items.0.amount", True, "line_items.0.amount must be a number, not the answer true."),
        ("line_items.0.amount", -1, "line_items.0.amount must be at least 0, not the number -1."),
        ("line_items.0", {"amount": 1}, "line_items.0 must have sku."),
        ("line_items", [{"sku": 4}], "line_items.0.sku must be text, not the number 4."),
        ("vendor", None, "vendor must be text, not empty."),
    ],
)
def test_it_says_what_would_be_right(path, value, sentence):
    with pytest.raises(Invalid) as refused:
        check_value(SCHEMA, path, value)
    assert refused.value.sentence == sentence


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("due_date", None),
        ("due_date", "2026-12-27"),
        ("payer", None),
        ("payer.city", "Leeds"),
        ("line_items.0", {"sku": "A", "amount": None}),
    ],
)
def test_it_takes_what_fits_and_empty_values_that_nothing_requires(path, value):
    check_value(SCHEMA, path, value)


def test_it_checks_a_whole_result():
    problems = find_result_problems(
        SCHEMA, {"vendor": None, "line_items": [{"sku": "A", "amount": "x"}], "currency": None}
    )
    assert [problem.where for problem in problems] == ["line_items.0.amount", "vendor"]


def test_no_word_of_a_schema_hides_a_reference_from_the_check():
    schema = deepcopy(SCHEMA)
    schema["properties"] |= {"enum": TEXT}
    schema["dependencies"] = {"enum": {"$ref": "https://elsewhere.example/a"}, "vendor": ["due_date"]}
    assert places(make_format(schema)) == ["enum"]


def test_an_id_inside_of_a_schema_is_refused():
    party = {"$id": "https://elsewhere.example/a", "description": "Party.", "type": "object", "properties": {"a": TEXT}}
    assert places(with_field("seller", party)) == ["seller"]
    assert places(make_format({**SCHEMA, "$id": "https://elsewhere.example/a"})) == []


def test_checking_a_result_asks_nobody_for_a_schema():
    with socket.create_server(("127.0.0.1", 0)) as server:
        elsewhere = f"http://127.0.0.1:{server.getsockname()[1]}/?total=39.80"
        schema = {"type": "object", "properties": {"vendor": {"$ref": elsewhere}}}
        assert "leads nowhere" in find_result_problems(schema, {"vendor": "Northwind"})[0].message
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [("^a*a*a*a*a*a*a*a*a*a*a*a*b$", "must match"), (r"^(a*)(a*)(a*)(a*)(a*)(a*)(a*)\1b", TOO_SLOW)],
)
def test_no_pattern_holds_a_worker_for_long(pattern, sentence):
    field = {**TEXT, "pattern": pattern}
    assert find_problems(with_field("x", field)) == []
    (problem,) = find_result_problems({"type": "object", "properties": {"x": field}}, {"x": "a" * 100 + "b!b"})
    assert sentence in problem.message


def test_a_pattern_is_kept_as_ever():
    schema = {"type": "object", "properties": {"x": {**TEXT, "pattern": r"^INV-\d+$"}}}
    assert [find_result_problems(schema, {"x": text}) == [] for text in ("INV-12", "12", "")] == [True, False, False]


def test_patterns_of_names_may_not_repeat_often():
    schema = {"type": "object", "patternProperties": {"^a*a*a*a*b$": TEXT}}
    assert "repeats more than" in str(find_problems(make_format(schema)))


@pytest.mark.parametrize(
    "pattern", ["(a|a)*b", "((a+))+$", "(a?a)*$", "(?:a|ab)+$", "(x(a*))+", r"(\)a*)+", "([)]a*){9}", "(?:(?:a|b))*"]
)
def test_a_pattern_that_can_take_for_ever_is_refused(pattern):
    (problem,) = find_problems(with_field("x", {**TEXT, "pattern": pattern}))
    assert "can take for ever" in problem.message


@pytest.mark.parametrize(
    "pattern",
    [
        r"^\d{4}-\d\d-\d\d$",
        "^(EUR|USD|GBP)$",
        "^[A-Z]{2}[0-9]{2}( [0-9A-Z]{4})?$",
        r"^(INV|RE)-\d+(/\d+)?$",
        "^(ab)+$",
        r"(\(a\+\))*",
        "([*+|])+",
        "(?i:total).*",
        "^[^()]+$",
    ],
)
def test_an_ordinary_pattern_is_taken(pattern):
    assert find_problems(with_field("x", {**TEXT, "pattern": pattern})) == []
