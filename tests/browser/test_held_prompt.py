"""A contract under an invoice prompt: it is held and says so, runs when a person says so, or loses the tag."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LONG, enter, enter_as_guest
from tests.browser.test_agent_many import POST
from tests.product import Product

CONTRACT = """SERVICE AGREEMENT

This agreement is made between Plover Ltd and Vale LLP, hereinafter the parties.

Article 1 The Contractor shall clean the premises.
Article 2 Either party may terminate in writing.
Article 3 This agreement is governed by the laws of England.

Signed for the Contractor
"""
REASON = "Its type is Contract. “Invoice fields” is for Invoice."


@pytest.fixture(scope="module")
def product(browser: Browser, shared_product: Product) -> Iterator[Product]:
    with enter_as_guest(browser, shared_product, "held") as product:
        yield product


def set_up(page: Page, *names: str) -> None:
    """An invoice prompt with a tag, and contracts that are uploaded with that tag."""
    base = f"/v0/orgs/{page.url.split('/orgs/')[1].split('/')[0]}"
    tag = page.evaluate(POST, [f"{base}/tags", {"name": "Invoices"}])["id"]
    kinds = {"total": {"type": ["number", "null"], "description": "The total."}}
    inner = {"type": "object", "properties": kinds, "required": ["total"], "additionalProperties": False}
    form = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": inner}}
    schema = page.evaluate(POST, [f"{base}/schemas", {"name": "Invoice", "response_format": form}])["schema_id"]
    prompt = {"name": "Invoice fields", "content": "Read it.", "schema_id": schema, "tag_ids": [tag]}
    page.evaluate(POST, [f"{base}/prompts", {**prompt, "model": "offline/rules", "document_types": ["invoice"]}])
    for name in names:
        content = base64.b64encode(f"{CONTRACT}{name}".encode()).decode()
        page.evaluate(
            POST, [f"{base}/documents", {"documents": [{"name": name, "content": content, "tag_ids": [tag]}]}]
        )


def test_a_contract_under_an_invoice_prompt_is_held_until_a_person_decides(page: Page) -> None:
    enter(page)
    set_up(page, "cleaning.txt", "guarding.txt")
    for name in ("cleaning.txt", "guarding.txt"):
        row = page.locator("tr[data-document]").filter(has_text=name)
        expect(row.locator(".c-state")).to_contain_text("Invoice fields is held", timeout=LONG)

    page.locator("tr[data-document]").filter(has_text="cleaning.txt").locator("a.name").click()
    banner = page.locator("#extraction .banner").filter(has_text="Invoice fields is held")
    expect(banner).to_contain_text(REASON)
    page.reload()
    banner.get_by_role("button", name="Run anyway").click()
    expect(banner).to_have_count(0)
    expect(page.locator('.field[data-item="total"]')).to_be_visible(timeout=LONG)

    page.goto(page.url.split("/documents")[0] + "/inbox")
    case = page.locator("#inbox-case-in .card").filter(has_text="Invoice fields did not run")
    expect(case).to_contain_text(REASON)
    case.get_by_role("button", name="Remove tag").click()
    expect(case).to_have_count(0)
    expect(page.locator("body")).to_contain_text("Removed the tag Invoices from guarding.txt", timeout=LONG)
    page.goto(page.url.split("/inbox")[0] + "/documents")
    row = page.locator("tr[data-document]").filter(has_text="guarding.txt")
    expect(row.locator(".c-state")).not_to_contain_text("held")
    expect(row).not_to_contain_text("Invoices")
