"""The checks on the page of a schema: added, tried, changed, removed, suggested."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents.checks.kinds import KINDS
from documents.checks.proposing import propose_checks
from documents.definitions import schemas
from documents.models import Extraction, Schema
from tests.documents.checked_invoice import FORMAT, SCHEMA, SUM, make_prompt, store_invoice

SUM_CHOICES = {"column": "line_items.amount", "field": "subtotal"}
CHOICES = {"kind": "one_of", "field": "currency", "choices": ["EUR", "USD"]}


@pytest.fixture
def page(client: Client, signed_in: Callable[[Client, Actor], Client], actor: Actor) -> Client:
    return signed_in(client, actor)


@pytest.fixture
def schema(actor: Actor) -> Schema:
    return schemas.create(actor, name="Invoice", response_format=FORMAT, value_checks=[SUM]).schema


def at(name: str, schema: Schema, query: str = "") -> str:
    return reverse(name, args=(schema.organization_id, schema.pk)) + query


def read_checks(schema: Schema) -> list[dict[str, Any]]:
    schema.refresh_from_db()
    assert schema.latest is not None
    checks: list[dict[str, Any]] = schema.latest.value_checks
    return checks


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_form_with_a_field_for_each_parameter(page: Client, schema: Schema, kind: str) -> None:
    text = page.get(at("value-check-edit", schema, f"?kind={kind}")).content.decode()
    assert f'<h1 class="cut">{KINDS[kind].title}</h1>' in text
    link = f'{at("value-check-edit", schema)}?kind={kind}">{KINDS[kind].title}</a>'
    assert link in page.get(at("schema", schema)).content.decode()
    for parameter in KINDS[kind].parameters:
        assert f'name="{parameter.name}"' in text


def test_a_check_is_added_at_the_end_as_a_new_version(page: Client, schema: Schema) -> None:
    sent = {"field": "currency", "choices": "EUR\nUSD\n", "seen": schema.latest_id}
    answer = page.post(at("value-check-edit", schema, "?kind=one_of"), sent)
    assert (answer.status_code, answer["Location"]) == (302, f"{at('schema', schema)}#checks")
    assert read_checks(schema) == [SUM, CHOICES]
    text = page.get(at("schema", schema)).content.decode()
    assert "Currency is one of EUR, USD." in text
    assert "version 2" in text
    assert "<code>Check</code> Currency is one of EUR, USD." in text
    assert "Nothing changed" not in re.sub(r"\s+", " ", text)


def test_a_check_is_changed_in_its_place_and_removed(page: Client, actor: Actor, schema: Schema) -> None:
    schemas.save_version(actor, schema=schema, value_checks=[CHOICES, SUM])
    form = page.get(at("value-check-edit", schema, "?number=1")).content.decode()
    assert "EUR\nUSD</textarea>" in form.replace("\r", "")
    page.post(at("value-check-edit", schema), {"number": "1", "field": "currency", "choices": "EUR"})
    assert read_checks(schema) == [CHOICES | {"choices": ["EUR"]}, SUM]
    page.post(at("value-check-remove", schema), {"number": "1"})
    assert read_checks(schema) == [SUM]
    assert page.post(at("value-check-remove", schema), {"number": "7"}).status_code == 404


def test_what_makes_no_sense_comes_back_with_what_was_typed_and_a_sentence(page: Client, schema: Schema) -> None:
    sent = {"field": "number", "pattern": "(a*)*b"}
    answer = page.post(at("value-check-edit", schema, "?kind=pattern"), sent)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "the pattern repeats a group that repeats or chooses" in text
    assert "value_checks.0" not in text
    assert 'value="(a*)*b"' in text
    assert read_checks(schema) == [SUM]


def test_who_saves_on_top_of_a_newer_version_is_told(page: Client, actor: Actor, schema: Schema) -> None:
    seen = schema.latest_id
    schemas.save_version(actor, schema=schema, value_checks=[])
    sent = {"field": "currency", "choices": "EUR", "seen": seen}
    answer = page.post(at("value-check-edit", schema, "?kind=one_of"), sent)
    assert answer.status_code == 422
    assert "there is a newer version" in answer.content.decode()


def test_a_check_is_tried_on_documents_and_not_saved(page: Client, actor: Actor) -> None:
    prompt = make_prompt(actor, [])
    assert prompt.schema_revision is not None
    schema = prompt.schema_revision.schema
    store_invoice(actor, prompt, "good.pdf")
    store_invoice(actor, prompt, "bad.pdf", subtotal=99000)
    sent = {"column": "line_items.amount", "field": "subtotal", "try": "on"}
    tried = page.post(at("value-check-edit", schema, "?kind=sum"), sent)
    assert tried.status_code == 302, "a page of its own: going back to it and loading it again sends no form"
    text = page.get(tried["Location"]).content.decode()
    assert "2 lines add up to 35.00; Subtotal says 99,000.00." in text
    assert text.index("bad.pdf") < text.index("good.pdf") < text.index("Passes")
    assert '<option value="subtotal" selected>' in text, "what was chosen stands there"
    assert read_checks(schema) == []
    assert not Extraction.objects.exclude(check_results=[]).exists()
    assert page.post(tried["Location"], SUM_CHOICES).status_code == 302
    assert read_checks(schema) == [SUM]


def test_a_trial_with_a_problem_says_it_and_one_too_long_for_an_address_is_shown_at_once(
    page: Client, schema: Schema
) -> None:
    path = at("value-check-edit", schema, "?kind=one_of")
    problem = page.get(page.post(path, {"field": "", "choices": "EUR", "try": "on"})["Location"])
    assert problem.status_code == 422 and 'class="problem"' in problem.content.decode()
    long = {"field": "currency", "choices": "\n".join(f"{number} {'x' * 90}" for number in range(100)), "try": "on"}
    answer = page.post(path, long)
    assert answer.status_code == 200 and "Tried, not saved" in answer.content.decode()
    number = page.post(at("value-check-edit", schema), {"number": "1", "column": "line_items.amount", "try": "on"})
    assert "number=1" in number["Location"] and "csrf" not in number["Location"]
    assert page.get(at("value-check-edit", schema, "?kind=sum&try=on&column=nothing")).status_code == 422


def test_common_checks_are_suggested_from_the_names_of_the_fields(page: Client, schema: Schema) -> None:
    proposed = propose_checks(SCHEMA)
    product = {
        "kind": "product",
        "factors": ["line_items.quantity", "line_items.unit_price"],
        "field": "line_items.amount",
    }
    for check in (
        SUM,
        product,
        {"kind": "total", "parts": ["subtotal", "tax"], "field": "total"},
        {"kind": "date_order", "first": "invoice_date", "then": "due_date"},
        {"kind": "identifier", "field": "iban", "standard": "iban"},
        {"kind": "coverage", "list": "line_items"},
    ):
        assert check in proposed
    assert "Subtotal + Tax is Total." in page.get(at("schema", schema)).content.decode()
    others = [check for check in proposed if check != SUM]
    page.post(at("value-check-add", schema), {"number": "1"})
    assert read_checks(schema) == [SUM, others[0]]


def test_a_schema_of_other_names_gets_no_suggestion() -> None:
    assert propose_checks({"type": "object", "properties": {"colour": {"type": "string"}}}) == []
