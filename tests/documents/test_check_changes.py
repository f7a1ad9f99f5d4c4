"""What a version of a schema changes about its value checks, in words."""

from __future__ import annotations

from typing import Any

import pytest

from documents.definitions.check_changes import ORDER, list_check_changes
from kit.json_types import JsonObject
from tests.documents.checked_invoice import SCHEMA, SUM

CURRENCY = {"kind": "one_of", "field": "currency", "choices": ["EUR", "USD"]}
NARROW = {**CURRENCY, "choices": ["EUR"]}
ORDERED = {"kind": "date_order", "first": "invoice_date", "then": "due_date"}
WITHOUT_DUE_DATE = {**SCHEMA, "properties": {k: v for k, v in SCHEMA["properties"].items() if k != "due_date"}}


def list_words(before: list[JsonObject], after: list[JsonObject], new: Any = SCHEMA) -> list[tuple[str, str]]:
    return [(change.kind, change.words) for change in list_check_changes(before, after, SCHEMA, new)]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ([], [SUM], [("add", "Amount of all rows adds up to Subtotal.")]),
        ([SUM], [], [("cut", "removed: Amount of all rows adds up to Subtotal.")]),
        ([SUM, CURRENCY], [NARROW, SUM], [("mod", "“Currency is one of EUR, USD.” is now “Currency is one of EUR.”")]),
        ([CURRENCY], [CURRENCY, NARROW], [("add", "Currency is one of EUR.")]),
        ([SUM, CURRENCY], [CURRENCY, SUM], [("mod", ORDER)]),
        ([SUM], [SUM], []),
    ],
)
def test_checks_that_came_went_and_changed_are_sentences(
    before: list[JsonObject], after: list[JsonObject], words: list[tuple[str, str]]
) -> None:
    assert list_words(before, after) == words


def test_a_check_whose_field_went_with_it_is_said_with_the_titles_of_its_own_version() -> None:
    assert list_words([ORDERED], [], WITHOUT_DUE_DATE) == [("cut", "removed: Due date is not before Invoice date.")]


def test_a_stored_check_that_is_refused_by_now_is_named_by_its_kind() -> None:
    assert list_words([{"kind": "sum", "column": "gone", "field": "gone"}], []) == [
        ("cut", "removed: A column adds up to a field")
    ]
    assert list_words([{"kind": "old"}], []) == [("cut", "removed: old")]
