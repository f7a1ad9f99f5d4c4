"""What a schema or a value from a stranger may cost: each case here took minutes or gigabytes, or ended in an error."""

import time

import pytest
from jsonschema import Draft7Validator

from documents.definitions.schema_parts import TOO_MANY_PARTS
from documents.definitions.schema_rules import find_schema_problems
from documents.values.bounded_checks import Budget, TooMuchWork, iterate_errors, iterate_formal_errors
from documents.values.fields import (
    TOO_DEEP,
    TOO_MUCH,
    TOO_SLOW,
    find_result_problems,
    find_value_problems,
    formats,
    get_field,
)

TEXT = {"type": "string", "description": "Text."}
SLOW = r"^(a*)(a*)(a*)(a*)(a*)(a*)(a*)\1b"
LETTERS = "a" * 100 + "b!b"
LONG_LIST = list(range(3_000))


def make_doubling(levels, word="allOf"):
    """Each definition names the next one twice: 2^levels ways to the last."""
    definitions = {f"d{n}": {word: [{"$ref": f"#/definitions/d{n + 1}"}] * 2} for n in range(levels)}
    field = {"description": "Text.", "allOf": [{"$ref": "#/definitions/d0"}]}
    return {"type": "object", "properties": {"a": field}, "definitions": {**definitions, f"d{levels}": TEXT}}


def make_nested_definitions(levels):
    schema = {}
    for _ in range(levels):
        schema = {"x": schema}
    return schema


def check(schema, value, **budget):
    return list(iterate_errors(schema, value, formats=formats, budget=Budget(**budget)))


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
def test_it_refuses_a_schema_whose_references_multiply(word):
    assert [problem.message for problem in find_schema_problems(make_doubling(28, word))] == [TOO_MANY_PARTS]


def test_it_takes_a_schema_that_uses_a_definition_often():
    address = {"type": "object", "properties": dict.fromkeys(("street", "city", "country"), TEXT)}
    fields = {f"address_{n}": {"$ref": "#/definitions/address", "description": "Address."} for n in range(60)}
    assert find_schema_problems({"type": "object", "properties": fields, "definitions": {"address": address}}) == []


def test_it_counts_what_stands_behind_names_and_items_too():
    inner = {"items": {"patternProperties": {"x": {"not": {"anyOf": [TEXT] * 5_000}}}}}
    assert find_schema_problems({"type": "object", "properties": {"a": TEXT}, **inner})[0].message == TOO_MANY_PARTS


def test_it_refuses_references_that_lead_on_and_on():
    chain = {f"d{n}": {"allOf": [{"$ref": f"#/definitions/d{n + 1}"}]} for n in range(400)}
    schema = {"type": "object", "properties": {"a": TEXT}, "definitions": {**chain, "d400": TEXT}}
    assert "levels deep" in find_schema_problems(schema)[0].message


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"$defs": {"x": {"minimum": "ten"}}, "allOf": [{"$ref": "#/$defs/x"}]}, "is not of type 'number'"),
        ({"components": {"x": {"type": 5}}, "allOf": [{"$ref": "#/components/x"}]}, "none of the given schemas"),
        ({"default": {"x": {}}, "allOf": [{"$ref": "#/default/x"}]}, "leads nowhere"),
        ({"definitions": {"a%62": TEXT, "ab": {"$ref": "#/definitions/a%62"}}}, "may only point into this schema"),
        ({"allOf": [{"$schema": "http://json-schema.org/draft-07/schema#"}]}, "is for the top of a schema"),
        ({"allOf": [{"pattern": f"x{n}"} for n in range(301)]}, "300 are the most"),
        ({"pattern": "(?<a>x)(?<a>y)"}, "no regular expression"),
    ],
)
def test_it_refuses_what_the_check_of_values_would_read_in_another_way(parts, sentence):
    problems = find_schema_problems({"type": "object", "properties": {"a": TEXT}, **parts})
    assert problems and sentence in problems[0].message


def test_it_takes_a_reference_to_any_schema_inside():
    parts = {"$defs": {"x": TEXT}, "components": {"y": TEXT}}
    fields = {"x": {"$ref": "#/$defs/x"}, "y": {"$ref": "#/components/y"}, "z": {"$ref": "#/properties/x"}}
    assert find_schema_problems({"type": "object", "properties": fields, **parts}) == []


def test_a_schema_from_before_the_rule_is_checked_as_far_as_the_budget_goes():
    assert [problem.message for problem in find_value_problems(make_doubling(28), "a", "x")] == [TOO_MUCH]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (make_doubling(16), {"a": "x"}),
        ({"allOf": [{"items": {}}] * 50}, LONG_LIST),
        ({"allOf": [{"additionalProperties": False}] * 50}, {f"k{n}": n for n in range(3_000)}),
        ({"allOf": [{"uniqueItems": True}] * 50}, [{"a": n} for n in range(3_000)]),
        ({"items": {"enum": [[n] for n in range(1_000)]}}, [[-1]] * 100),
        ({"items": {"enum": [f"choice {n}" for n in range(1_000)]}}, ["none"] * 1_000),
        ({"allOf": [{"format": "email"}] * 50}, "a" * 1_000_000),
        ({"allOf": [{"contains": {"const": -1}}] * 50}, LONG_LIST),
        ({"items": {"oneOf": [{"not": {"type": "string"}}] * 300}}, [1] * 300),
        ({"items": {"required": [f"r{n}" for n in range(5_000)]}}, [{}] * 100),
        ({"patternProperties": {f"x{n}": {} for n in range(300)}}, {f"k{n}": n for n in range(300)}),
        ({"items": {"$ref": "#" + "/x" * 25}, **make_nested_definitions(25)}, [1] * 800),
        (
            {"allOf": [{"dependencies": {"k0": [f"k{n}" for n in range(3_000)]}}] * 80},
            dict.fromkeys(f"k{n}" for n in range(3_000)),
        ),
    ],
)
def test_no_schema_takes_more_steps_than_the_budget(schema, value):
    began = time.process_time()
    with pytest.raises(TooMuchWork):
        check(schema, value, steps=20_000)
    assert time.process_time() - began < 2


def test_alternatives_behind_a_reference_are_looked_at_once_and_not_for_each_row():
    rows = {"type": "array", "description": "Text.", "items": {"$ref": "#/definitions/row"}}
    row = {"type": "object", "properties": {"a": TEXT}, "anyOf": [{"type": "object"}] * 2_400}
    schema = {"type": "object", "properties": {"rows": rows}, "definitions": {"row": row}}
    began = time.process_time()
    assert find_schema_problems(schema) == []
    assert [problem.message for problem in find_result_problems(schema, {"rows": [{}] * 6_000})] == [TOO_MUCH]
    assert time.process_time() - began < 3


def test_a_field_of_which_the_schema_says_only_true_takes_any_value():
    schema = {"type": "object", "properties": {"a": {"description": "Text.", "anyOf": [{"properties": {"b": True}}]}}}
    assert find_schema_problems(schema) == [] == find_result_problems(schema, {"a": {"b": {}}})
    assert get_field(schema, "a.b") == {}


def test_it_names_only_the_fields_that_are_too_many():
    schema = {"properties": {"a": {}}, "patternProperties": {"^x": {}}, "additionalProperties": False}
    (problem,) = find_result_problems(schema, {"a": 1, "x1": 1, "b": 1})
    assert problem.message == "The result has no field b in the schema."


def test_items_that_cannot_be_sorted_are_compared_without_the_square_of_them():
    budget = Budget()
    items = [{"a": n} for n in range(2_000)]
    assert not list(iterate_errors({"uniqueItems": True}, items, formats=formats, budget=budget))
    assert budget.steps > Budget().steps - 10_000
    assert not list(iterate_formal_errors({"enum": items}))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": SLOW}, LETTERS),
        ({"patternProperties": {SLOW: {}}}, {LETTERS: 1}),
        ({"patternProperties": {SLOW: {}}, "additionalProperties": False}, {LETTERS: 1}),
        ({"additionalProperties": False, "patternProperties": {SLOW: {}}}, {LETTERS: 1}),
        ({"propertyNames": {"pattern": SLOW}}, {LETTERS: 1}),
        ({"allOf": [{"$schema": "http://json-schema.org/draft-07/schema#", "pattern": SLOW}]}, LETTERS),
        ({"items": {"anyOf": [{"pattern": SLOW}, {}]}}, [LETTERS] * 100),
    ],
)
def test_all_patterns_of_a_check_share_one_deadline(schema, value):
    began = time.process_time()
    with pytest.raises(TimeoutError):
        check(schema, value, pattern_seconds=0.05)
    assert time.process_time() - began < 1


def test_many_patterns_that_each_take_a_while_meet_the_same_deadline():
    field = {"type": "array", "items": {"pattern": "^(a*)(a*)(a*)(a*)\\1b"}}
    schema = {"type": "object", "properties": {"a": field}}
    began = time.process_time()
    assert [problem.message for problem in find_value_problems(schema, "a", ["a" * 40 + "b!b"] * 1_000)] == [TOO_SLOW]
    assert time.process_time() - began < 3


def test_it_says_that_a_value_is_nested_too_deeply():
    deep = []
    for _ in range(900):
        deep = [deep]
    assert [problem.message for problem in find_result_problems({"type": "object"}, {"a": deep})] == [TOO_DEEP]


def test_it_quotes_the_beginning_of_what_does_not_fit():
    value = {"a": ["x" * 100_000] * 100}
    (problem,) = find_result_problems({"minProperties": 5}, value)
    assert len(problem.message) < 200
    many = [f"{n}" * 50 for n in range(5_000)]
    for schema in ({"required": many}, {"enum": many}, {"properties": {"a": {"enum": many}}}):
        assert all(len(problem.message) < 2_000 for problem in find_result_problems(schema, {"a": 1}))


def test_a_whole_number_too_large_for_a_float_is_compared_as_it_is():
    whole = 10**400
    assert not check({"multipleOf": 0.5}, whole)
    assert check({"multipleOf": 0.7}, whole)


VALUES = [
    None,
    True,
    0,
    1,
    1.0,
    2.5,
    "",
    "ab",
    "b1",
    [],
    [1, 1.0],
    [1, True],
    [{"a": 1}, {"a": 1.0}],
    [[1], [2]],
    {},
    {"a": 1},
    {"b1": "x"},
    {"a": None, "b2": []},
]


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "string"}, {"minimum": 1}]},
        {"oneOf": [{"type": "number"}, {"minimum": 1}, {"type": "object"}]},
        {"required": ["a"]},
        {"uniqueItems": True},
        {"multipleOf": 0.5},
        {"pattern": "^b"},
        {"patternProperties": {"^b": {"type": "string"}}},
        {"properties": {"a": {}}, "patternProperties": {"^b": {}}, "additionalProperties": False},
        {"properties": {"a": {}}, "additionalProperties": {"type": "string"}},
        {"enum": [1, [1, True], {"a": 1}]},
        {"const": True},
        {"not": {"anyOf": [True, False]}},
        {"if": {"type": "string"}, "then": {"minLength": 1}, "else": False},
        {"dependencies": {"a": ["b2"], "b1": {"maxProperties": 0}}},
        {"items": [{"type": "number"}], "additionalItems": False},
        {"contains": {"const": 1}},
        {"$ref": "#/definitions/x", "definitions": {"x": {"type": ["integer", "null"]}}},
    ],
)
def test_it_takes_and_refuses_the_same_values_as_jsonschema(schema):
    verdicts = [not check(schema, value) for value in VALUES]
    assert verdicts == [Draft7Validator(schema).is_valid(value) for value in VALUES]


def nest(name, inner):
    return {"type": "object", "description": "Text.", "properties": {name: inner}}


def test_it_refuses_patterns_that_count_many_repeats():
    fields = {f"x{n}": {**TEXT, "pattern": f"x{n}" + "(?:ab){65000,}" * 13} for n in range(10)}
    first, *_ = find_schema_problems({"type": "object", "properties": fields})
    assert first.message == "The patterns count 8,450,000 repeats together; 50,000 are the most."
    (problem,) = find_schema_problems({"type": "object", "properties": {"x": {**TEXT, "pattern": "(?:ab){6000}"}}})
    assert "counts more than 5,000 repeats" in problem.message


@pytest.mark.parametrize("pattern", [r"^\d{1,20}$", "[A-Z]{0,255}", r"\{65000\}", "[{]9999}", "x{2,}"])
def test_it_takes_patterns_that_count_as_people_do(pattern):
    assert find_schema_problems({"type": "object", "properties": {"x": {**TEXT, "pattern": pattern}}}) == []


def test_it_matches_no_stored_pattern_that_counts_many_repeats():
    schema = {"type": "object", "properties": {"x": {**TEXT, "pattern": "(?:ab){65000,}" * 13}}}
    assert [problem.message for problem in find_result_problems(schema, {"x": "abab"})] == [TOO_MUCH]


def test_it_refuses_a_long_name_that_stands_in_every_place_below_it():
    schema = {"type": "object", "properties": {"a" * 300_000: nest("b", {f"p{n}": {} for n in range(5_000)})}}
    assert [problem.message for problem in find_schema_problems(schema)] == [
        "The schema is too large or nested too deeply."
    ]


def test_it_bounds_the_names_of_values_that_messages_repeat():
    schema = {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}
    assert [problem.message for problem in find_result_problems(schema, {"a" * 200_000: [1] * 2_000})] == [TOO_MUCH]
