"""From a proposal with checks and a tag to more documents like it, and their values in the inbox, by keys."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import DATA, LONG, choose_automatic_setup, drop, enter, enter_as_guest
from tests.product import Product

INVOICE = "gen_invoice_101.pdf"


@pytest.fixture(scope="module")
def product(browser: Browser, shared_product: Product) -> Iterator[Product]:
    with enter_as_guest(browser, shared_product, "to-inbox") as product:
        yield product


def test_what_is_accepted_runs_on_its_like_and_is_looked_at_before_it_is_verified(page: Page) -> None:
    enter(page)
    choose_automatic_setup(page)
    drop(page, INVOICE)
    page.get_by_role("link", name="Proposal", exact=True).click(timeout=LONG)
    offer = page.locator(".setup .offer")
    iban = offer.locator("li", has_text="IBAN is a valid IBAN")
    expect(iban).to_contain_text("fails on 1 of 1")
    offer.get_by_label("No other document has").uncheck()
    expect(offer.get_by_label("Name of the tag")).to_have_value("Invoice")
    offer.get_by_label("Run it on documents with this tag").uncheck()
    expect(offer.locator("[data-word]")).to_have_text("Accept")
    offer.get_by_label("Run it on documents with this tag").check()
    offer.get_by_role("button", name="Accept with tag").click()
    expect(page.locator(".setup")).to_contain_text("tagged “Invoice”")

    page.get_by_role("link", name="Documents", exact=True).first.click()
    page.locator("tr[data-document]").first.wait_for()
    page.locator(".upload-options summary").click()
    page.get_by_label("Create schema and prompt automatically").locator("visible=true").uncheck()
    page.keyboard.press("Escape")
    more = [(f"{n}.pdf", (DATA / INVOICE).read_bytes() + b"\n%%%d" % n) for n in range(2)]
    page.locator("#files").set_input_files(
        [{"name": name, "mimeType": "application/pdf", "buffer": buffer} for name, buffer in more]
    )
    strip = page.locator(".drop-said")
    expect(strip).to_contain_text("2 look like Invoice", timeout=LONG)
    expect(page.locator("tr[data-document]", has_text="0.pdf").locator(".c-state")).to_have_text("Looks like Invoice")
    strip.get_by_role("button", name=re.compile("^Run Invoice")).click()
    expect(page.locator("tr[data-document]", has_text="1 failed check")).to_have_count(3, timeout=LONG)
    _verify_by_keys(page)


def _verify_by_keys(page: Page) -> None:
    page.goto(re.sub(r"/documents.*", "/inbox", page.url))
    case = page.locator("#inbox-case-in")
    expect(case.locator("h3").first).to_contain_text("1 value to look at, 1 failed check")
    page.keyboard.press("a")
    doubt = case.get_by_role("button", name="Verify IBAN")
    expect(doubt).to_be_focused()
    expect(doubt).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("a")
    expect(case.get_by_role("button", name="Verify document")).to_be_visible(timeout=LONG)
    page.keyboard.press("a")
    expect(page.locator("#just-decided")).to_contain_text(f"Verified {INVOICE}", timeout=LONG)
    expect(page.locator("#decided")).to_contain_text("Verified")
    page.route("**/verify", _answer_after_the_hint)
    page.keyboard.press("z")
    expect(page.locator("#case-head")).to_contain_text(INVOICE, timeout=LONG)
    expect(page.locator("#just-decided")).to_have_count(0)
    expect(page.locator("#decided")).to_contain_text("Undone")


def _answer_after_the_hint(route: Route) -> None:
    """The page has heard that the document changed, and the pressed button is gone, before its answer comes."""
    answer = route.fetch()
    time.sleep(4)
    route.fulfill(response=answer)
