"""Text and JSON from outside, as every database and encoder can keep it."""

from __future__ import annotations

import pytest

from docrouter.kit import plain


def test_it_joins_halves_of_a_character_and_replaces_lone_ones() -> None:
    assert plain.text("a \ud83d" + "\ude00 b \ud800 c\0!") == "a 😀 b \ufffd c!"


def test_it_makes_json_of_a_model_plain() -> None:
    assert plain.loads('{"a\\ud800": ["\\u0000x", 1e999, NaN, 1.5, true]}') == {"a\ufffd": ["x", None, None, 1.5, True]}


@pytest.mark.parametrize("depth", [300, 100_000])
def test_it_refuses_json_that_is_nested_too_deeply(depth: int) -> None:
    with pytest.raises(ValueError, match="nested"):
        plain.loads("[" * depth + "]" * depth)


def test_it_takes_json_as_deep_as_anyone_needs() -> None:
    found = plain.loads("[" * plain.DEEPEST + "]" * plain.DEEPEST)
    assert not plain.deeper_than(found, plain.DEEPEST)
    assert plain.deeper_than(found, plain.DEEPEST - 2)


@pytest.mark.parametrize(("found", "is_plain"), [({"a": ["ü", 1.5]}, True), ({"\ud800": 1}, False), ([1e999], False)])
def test_it_knows_what_is_plain(found: object, is_plain: bool) -> None:
    assert plain.is_plain(found) is is_plain
