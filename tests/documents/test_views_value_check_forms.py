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


def save(page: Client, schema: Schema) -> str:
    """Presses *Save version* as it stands on the page."""
    text = page.get(at("schema", schema)).content.decode()
    button = re.search(rf'{at("value-checks-save", schema)}.*?name="seen" value="(.*?)"', text, re.DOTALL)
    assert button, "there is something to save"
    return page.post(at("value-checks-save", schema), {"seen": button[1]}, follow=True).content.decode()


def test_a_check_is_added_at_the_end_as_a_new_version(page: Client, schema: Schema) -> None:
    sent = {"field": "currency", "choices": "EUR\nUSD\n", "seen": f"{schema.latest_id}.0"}
    answer = page.post(at("value-check-edit", schema, "?kind=one_of"), sent)
    assert (answer.status_code, answer["Location"]) == (302, f"{at('schema', schema)}#checks")
    assert read_checks(schema) == [SUM] and "not saved" in page.get(at("schema", schema)).content.decode()
    assert "not saved" not in save(page, schema)
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
    save(page, schema)
    assert read_checks(schema) == [CHOICES | {"choices": ["EUR"]}, SUM]
    page.post(at("value-check-remove", schema), {"number": "1"})
    save(page, schema)
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


def test_all_changes_make_one_version_and_discarding_makes_none(page: Client, schema: Schema) -> None:
    page.post(at("value-check-add", schema), {"number": "all"})
    page.post(at("value-check-remove", schema), {"number": "1"})
    page.post(at("value-check-edit", schema), {"number": "1", "list": "line_items"})
    page.post(at("value-check-edit", schema, "?kind=one_of"), {"field": "currency", "choices": "EUR"})
    assert schema.revisions.count() == 1
    text = page.get(at("schema", schema)).content.decode()
    assert "Save version 2" in text and "removed: Amount of all rows adds up to Subtotal." in text
    save(page, schema)
    assert schema.revisions.count() == 2 and len(read_checks(schema)) == len(propose_checks(SCHEMA))
    page.post(at("value-check-remove", schema), {"number": "1"})
    page.post(at("value-checks-discard", schema))
    assert "not saved" not in page.get(at("schema", schema)).content.decode()
    page.post(at("value-checks-save", schema))
    assert schema.revisions.count() == 2


def test_fields_that_are_saved_take_the_changed_checks_along(page: Client, schema: Schema) -> None:
    page.post(at("value-check-edit", schema, "?kind=one_of"), {"field": "currency", "choices": "EUR\nUSD"})
    editor = page.get(at("schema-edit", schema))
    assert "They are saved with these fields." in editor.content.decode()
    content = editor.context["form"]["content"].value().replace('"name": "invoice"', '"name": "bill"')
    page.post(at("schema-edit", schema), {"name": "Invoice", "content": content, "seen": schema.latest_id})
    assert read_checks(schema) == [SUM, CHOICES] and schema.revisions.count() == 2
    assert "not saved" not in page.get(at("schema", schema)).content.decode()


def test_what_others_save_meanwhile_is_kept_and_what_no_longer_fits_is_said(
    page: Client, actor: Actor, schema: Schema
) -> None:
    for field in ("currency", "iban"):
        page.post(at("value-check-edit", schema, "?kind=one_of"), {"field": field, "choices": "EUR\nUSD"})
    page.post(at("value-check-remove", schema), {"number": "1"})
    total = {"kind": "total", "parts": ["subtotal", "tax"], "field": "total"}
    fields = {name: field for name, field in SCHEMA["properties"].items() if name != "iban"}
    fewer = {**FORMAT, "json_schema": {"name": "invoice", "schema": {**SCHEMA, "properties": fields}}}
    schemas.save_version(actor, schema=schema, response_format=fewer, value_checks=[SUM, total])
    assert "1 of the checks that you have not saved no longer fit" in page.get(at("schema", schema)).content.decode()
    save(page, schema)
    assert read_checks(schema) == [total, CHOICES]


def test_a_form_of_another_window_is_refused(page: Client, schema: Schema) -> None:
    sent = {"field": "currency", "choices": "EUR", "seen": f"{schema.latest_id}.0"}
    page.post(at("value-check-remove", schema), {"number": "1"})
    answer = page.post(at("value-check-edit", schema, "?kind=one_of"), sent)
    assert answer.status_code == 422
    assert "changed in another window" in answer.content.decode()
    stale = page.post(at("value-checks-save", schema), {"seen": sent["seen"]}, follow=True).content.decode()
    assert "changed in another window" in stale and read_checks(schema) == [SUM]


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
    save(page, schema)
    assert read_checks(schema) == [SUM]


def test_a_trial_with_a_problem_says_it_and_one_too_long_for_an_address_is_shown_at_once(
    page: Client, schema: Schema
) -> None:
    path = at("value-check-edit", schema, "?kind=one_of")
    problem = page.get(page.post(path, {"field": "", "choices": "EUR", "try": "on"})["Location"])
    assert problem.status_code == 422 and 'class="problem"' in problem.content.decode()
    long = {"field": "currency", "choices": "\n".join(f"{number} {'x' * 90}" for number in range(100)), "try": "on"}
    answer = page.post(path, long)
    assert answer.status_code == 200 and "Tried, nothing changed" in answer.content.decode()
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
    save(page, schema)
    assert read_checks(schema) == [SUM, others[0]]


def test_a_schema_of_other_names_gets_no_suggestion() -> None:
    assert propose_checks({"type": "object", "properties": {"colour": {"type": "string"}}}) == []
