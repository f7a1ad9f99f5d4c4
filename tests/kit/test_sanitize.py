"""Text and JSON from outside, as every database and encoder can keep it."""

from __future__ import annotations

import json
import time

import pytest

from kit import sanitize


def test_it_joins_halves_of_a_character_and_replaces_lone_ones() -> None:
    assert sanitize.text("a \ud83d" + "\ude00 b \ud800 c\0!") == "a 😀 b \ufffd c!"


def test_it_makes_json_of_a_model_plain() -> None:
    assert sanitize.loads('{"a\\ud800": ["\\u0000x", 1e999, NaN, 1.5, true]}') == {
        "a\ufffd": ["x", None, None, 1.5, True]
    }


@pytest.mark.parametrize("depth", [300, 100_000])
def test_it_refuses_json_that_is_nested_too_deeply(depth: int) -> None:
    with pytest.raises(ValueError, match="nested"):
        sanitize.loads("[" * depth + "]" * depth)


def test_it_takes_json_as_deep_as_anyone_needs() -> None:
    value = sanitize.loads("[" * sanitize.DEEPEST + "]" * sanitize.DEEPEST)
    assert not sanitize.deeper_than(value, sanitize.DEEPEST)
    assert sanitize.deeper_than(value, sanitize.DEEPEST - 2)


@pytest.mark.parametrize(("value", "is_plain"), [({"a": ["ü", 1.5]}, True), ({"\ud800": 1}, False), ([1e999], False)])
def test_it_knows_what_is_plain(value: object, is_plain: bool) -> None:
    assert sanitize.is_plain(value) is is_plain


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("[" * 300, "nested too deeply"),
        ('{"a":' * 300, "nested too deeply"),
        ("[" + "0," * sanitize.MAX_VALUES + "0]", "more than 50,000 values"),
        ("[" + "[]," * sanitize.MAX_VALUES + "0]", "more than 50,000 values"),
        ("[1e999]", "1e999"),
        ("[-Infinity]", "-Infinity"),
        ('["\\ud800"]', "half a character"),
        ('{"\\uDFFF": 1}', "half a character"),
        ("[", "Expecting value"),
        ("9" * 5000, "digits"),
    ],
    ids=range(10),
)
def test_it_refuses_json_of_a_request_that_is_too_large_or_not_kept(source: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        sanitize.parse(source)


@pytest.mark.parametrize(
    "value",
    ["[" * 300, ",{" * sanitize.MAX_VALUES, 'a"\\' * 1000, "😀", {"a": [1, 2.5, None, True, "\\ud800"]}, [0] * 40_000],
)
def test_it_takes_json_of_a_request_whatever_its_strings_hold(value: object) -> None:
    assert sanitize.parse(json.dumps(value)) == value


@pytest.mark.parametrize(
    "source",
    ["[" + "[]," * 2_000_000, '"' + '\\"' * 2_000_000, '["' + "A" * 20_000_000, '""' * 3_000_000, '"\\' * 3_000_000],
    ids=["lists", "quotes", "one string", "strings", "no end"],
)
def test_it_reads_hostile_json_once(source: str) -> None:
    """A second look at each sign would take minutes."""
    before = time.process_time()
    with pytest.raises(ValueError, match="."):
        sanitize.parse(source)
    assert time.process_time() - before < 2
