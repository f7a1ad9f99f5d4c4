"""A scope for invoices: a contract is refused before a turn and after a tool, then left out, and the tester says why."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LONG, READ, enter, wait_for
from tests.product import Product
from tests.scripted_model import ScriptedModel, calls, says

INVOICE = """\
Thornbury Joinery Ltd
VAT Reg: GB 000 1111 22
TAX INVOICE
Billed to: Copperfield Hotels              No. TJ-0931
Issued 4 March 2025        Payment due 3 April 2025
Item                        Qty     Rate      Line total
Tin door, fire rated          6    310.00      1,860.00
                                 Net           1,860.00
                                 VAT @ 20%       372.00
                                 Amount due    2,232.00
"""
CONTRACT = """\
SERVICES AGREEMENT
This agreement is made on 2 January 2025 between Plover Cleaning Ltd ("the Contractor") and Stone LLP ("the Client").
1. Services. The Contractor shall deliver tin to dock ZEBRA on every working day.
2. Term. This agreement runs for twelve months and may be terminated by either party on three months' written notice.
3. Governing law. This agreement is governed by the laws of England and Wales.
Signed for the Contractor ..............   Signed for the Client ..............
"""
FILES = {"tin invoice.txt": ("Invoice", INVOICE), "tin supply.txt": ("Contract", CONTRACT)}
PURPOSE = "this assistant is for invoices"
QUESTION = "Which invoices have tin in them?"


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


@pytest.fixture
def scope(page: Page) -> Iterator[Page]:
    """The product is shared: no profile is left in it."""
    enter(page)
    yield page
    open_settings(page)
    page.get_by_role("button", name="Remove profile").click()
    expect(page.get_by_text("The scope profile is removed.")).to_be_visible()


def open_settings(page: Page) -> None:
    page.get_by_role("link", name="Settings", exact=True).first.click()
    page.get_by_role("link", name="Scope", exact=True).click()
    expect(page.locator("h1")).to_have_text("Scope")


def save_mode(page: Page, mode: str) -> None:
    page.get_by_role("radio", name=mode).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The scope is saved.")).to_be_visible()


def has_type(page: Page, kind: str) -> bool:
    """The page of a document says it once rules have told it."""
    page.reload()
    return page.locator(".type-menu > summary").inner_text().strip() == kind


def upload(page: Page) -> None:
    page.get_by_role("link", name="Documents", exact=True).first.click()
    files = [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, (_, text) in FILES.items()]
    page.locator("#files").set_input_files(files)
    for name, (kind, _) in FILES.items():
        row = page.locator("tr[data-document]").filter(has_text=name).first
        expect(row.locator(".c-state")).to_contain_text(READ, timeout=LONG)
        row.get_by_role("link").first.click()
        wait_for(page, partial(has_type, page, kind))
        page.go_back()


def ask(page: Page, text: str, answer: str) -> None:
    page.get_by_role("link", name="Agent", exact=True).first.click()
    page.get_by_label("Message to the agent").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(".agent-text").last).to_contain_text(answer, timeout=LONG)


def test_a_contract_is_refused_before_and_after_then_left_out(scope: Page, model: ScriptedModel) -> None:
    page = scope
    upload(page)
    open_settings(page)
    page.get_by_label("In one sentence").fill("Invoices of suppliers: what was bought, for how much")
    page.get_by_label("Invoice", exact=True).check()
    expect(page.locator("#scope-preview")).to_contain_text(f"Pole extension is a delivery note; {PURPOSE}.")
    save_mode(page, "Strict")

    asked = len(model.requests)
    ask(page, "What does the contract say?", "You could ask")
    assert len(model.requests) == asked
    model.will(calls(("search_documents", {"query": "tin"})))
    ask(page, QUESTION, f"tin supply.txt is a contract; {PURPOSE}.")
    page.reload()
    expect(page.locator(".agent-text").last).to_contain_text("Whoever may open its page can still do so")

    open_settings(page)
    save_mode(page, "Gentle")
    model.will(calls(("search_documents", {"query": "tin"})), says("Invoice 77 has tin."))
    ask(page, QUESTION, f"Left out: tin supply.txt is a contract; {PURPOSE}.")
    assert "ZEBRA" not in str(model.requests[asked:])

    open_settings(page)
    page.get_by_label("Or a past turn").select_option(index=1)
    page.get_by_role("button", name="Try").click()
    tried = page.locator("#scope-trial")
    expect(tried).to_contain_text("Before: in scope")
    expect(tried).to_contain_text("After: out of scope")
    expect(tried).to_contain_text("Answered without what is outside")
