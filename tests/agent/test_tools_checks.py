"""Sums and checks that the product does for the model."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from agent.models import Thread, ToolCall
from documents.models import Document, Extraction
from tests.documents.extraction_rows import PAGE, make_prompt, run_prompt
from tests.documents.reading_rows import document_with

Do = Callable[..., ToolCall]
pytestmark = pytest.mark.django_db


@pytest.fixture
def document(actor: Actor) -> Document:
    return document_with(actor.organization, PAGE)


@pytest.fixture
def extraction(actor: Actor, document: Document) -> Extraction:
    return run_prompt(document, make_prompt(actor))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("0.1 + 0.2", "0.3"),
        ('sum([row["amount"] for row in items])', "30.5"),
        ('[row["sku"] for row in items]', ["A-1", "B-2"]),
        ("total == 30.5", True),
        ("total / 4", "7.625"),
        ("7 % 4 - 10000000000000000000", "-9999999999999999997"),
        ("number", "INV-7"),
        ("items", [{"sku": "A-1", "amount": "10"}, {"sku": "B-2", "amount": "20.5"}]),
    ],
)
def test_it_calculates_exactly_over_values(do: Do, extraction: Extraction, expression: str, value: object) -> None:
    assert do("calculate_expression", expression=expression).result == {"value": value}


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("1 / 0", "divides by zero"),
        ("totl + 1", "The nearest are: total"),
        ("__import__('os')", "there is no function __import__"),
        ("().__class__", "not part of the language"),
        ("9 ** 9", "Pow is not part of the language"),
        ("number + 1", "cannot be calculated"),
        ("sum(", "cannot be read"),
        ("1" * 501, "500 are the most"),
        (" * ".join(["1e300"] * 4), "too large"),
        ("", "cannot be read"),
    ],
)
def test_what_cannot_be_calculated_is_a_sentence(
    do: Do, extraction: Extraction, expression: str, sentence: str
) -> None:
    assert sentence in do("calculate_expression", expression=expression).result["error"]


def test_numbers_need_no_extraction_and_values_of_another_document_its_name(
    actor: Actor, do: Do, document: Document
) -> None:
    assert do("calculate_expression", expression="2 * 3").result == {"value": "6"}
    assert "the schema has no field total" in do("calculate_expression", expression="total").result["error"]
    other = document_with(actor.organization, PAGE)
    run_prompt(other, make_prompt(actor))
    result = do("calculate_expression", expression="total", document=other.pk).result
    assert (result["value"], result["document_id"]) == ("30.5", other.pk)


CHECKS = [
    {"kind": "sum", "column": "items.amount", "field": "total"},
    {"kind": "expression", "expression": "total > 100", "field": "total", "message": "It should be over 100"},
]


def test_it_tries_checks_and_stores_nothing(do: Do, extraction: Extraction, thread: Thread) -> None:
    result = do("check_values", value_checks=CHECKS).result
    assert result["passed"] == 1 and len(result["failed"]) == 1 and result["not_computed"] == []
    extraction.refresh_from_db()
    assert extraction.check_results == []


def test_without_checks_it_says_so(do: Do, document: Document, actor: Actor) -> None:
    assert "no extraction" in do("check_values").result["error"]
    run_prompt(document, make_prompt(actor))
    assert "has no value checks" in do("check_values").result["error"]
    assert "error" in do("check_values", value_checks=[{"kind": "nonsense"}]).result
