"""A value that the page says but for a letter: it is shown with the letter, and a person accepts it."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LONG, enter
from tests.browser.test_agent_many import POST
from tests.product import Product
from tests.scripted_model import MODEL, ScriptedModel, answers

LINES = "INVOICE\nVendor: Anvil Works Ltd\nInvoice number: INV-2O26-11\nNet total: 100.00\nTotal: 119.00\n"
VALUES = {"invoice_number": "INV-2026-11", "net_total": 100, "tax": 19, "total": 119}


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


def test_a_similar_value_is_accepted_with_its_letters_shown(page: Page, model: ScriptedModel) -> None:
    enter(page)
    base = f"/v0/orgs/{page.url.split('/orgs/')[1].split('/')[0]}"
    tag = page.evaluate(POST, [f"{base}/tags", {"name": "Slips"}])["id"]
    kinds = {name: {"type": "string" if name == "invoice_number" else "number", "description": name} for name in VALUES}
    inner = {"type": "object", "properties": kinds, "required": [*VALUES], "additionalProperties": False}
    form = {"type": "json_schema", "json_schema": {"name": "slips", "schema": inner}}
    schema = page.evaluate(POST, [f"{base}/schemas", {"name": "Slips", "response_format": form}])["schema_id"]
    prompt = {"name": "Slips", "content": "Read it.", "schema_id": schema, "tag_ids": [tag], "model": MODEL}
    page.evaluate(POST, [f"{base}/prompts", prompt])
    model.will(answers(VALUES))
    sent = {"name": "slip.txt", "content": base64.b64encode(LINES.encode()).decode(), "tag_ids": [tag]}
    page.evaluate(POST, [f"{base}/documents", {"documents": [sent]}])

    row = page.locator("tr[data-document]").filter(has_text="slip.txt")
    row.locator("a.name").click(timeout=LONG)
    field = page.locator('.field[data-item="invoice_number"]')
    expect(field).to_contain_text("Similar", timeout=LONG)
    field.locator(".field-value").click()
    expect(field).to_contain_text("INV-2O26-11")
    expect(field).to_contain_text("The page has “O” for “0”.")
    tax = page.locator('.field[data-item="tax"]')
    expect(tax).to_contain_text("Inferred")
    tax.locator(".field-value").click()
    expect(page.locator('.mark-similar[data-where="invoice_number"]')).to_have_count(1)
    field.locator(".check").click()
    expect(field.locator(".check")).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(field.locator(".check")).to_have_attribute("aria-pressed", "true")
    expect(field).to_contain_text("Similar")
    assert page.locator('.mark-similar[data-where="invoice_number"]').count() == 0
