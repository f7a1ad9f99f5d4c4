"""A clerk's hour: 25 invoices are uploaded, tagged, added up, ten are verified by keys, two taken back, all exported."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.conftest import LONG, choose_automatic_setup, enter, enter_as_guest
from tests.product import Product

NUMBER, VERIFIED, UNDONE = 25, 10, 2
INVOICE = """\
INVOICE

Invoice number: INV-{number}
Invoice date: 2026-03-01
Vendor: Pelican Freight Ltd
Customer: Delmar Logistics GmbH
Currency: EUR

Subtotal: {number}.00
VAT: 0.50
Total: {number}.50
"""


@pytest.fixture(scope="module")
def product(browser: Browser, shared_product: Product) -> Iterator[Product]:
    with enter_as_guest(browser, shared_product, "clerk") as product:
        yield product


def make_files(*numbers: int) -> list[FilePayload]:
    return [
        {"name": f"{number}.txt", "mimeType": "text/plain", "buffer": INVOICE.format(number=number).encode()}
        for number in numbers
    ]


def test_a_clerk_s_hour(page: Page) -> None:
    enter(page)
    _set_up_with_the_first(page)
    page.locator("#files").set_input_files(make_files(*range(1001, 1000 + NUMBER)))
    rows = page.locator("tr[data-document]")
    expect(rows).to_have_count(NUMBER, timeout=LONG)
    _tag_all(page)
    expect(page.locator(".wait-btn", has_text="Verify")).to_have_count(NUMBER, timeout=LONG)
    _add_up(page)
    _verify_by_keys(page)
    page.get_by_role("link", name="Documents", exact=True).first.click()
    expect(rows.locator(".state-done", has_text="Verified")).to_have_count(VERIFIED - UNDONE)
    _export(page)


def _set_up_with_the_first(page: Page) -> None:
    choose_automatic_setup(page)
    page.locator("#files").set_input_files(make_files(1000))
    page.get_by_role("link", name="Proposal", exact=True).click(timeout=LONG)
    page.locator(".setup .offer").get_by_role("button", name="Accept with tag").click()
    expect(page.locator(".setup")).to_contain_text("tagged “Invoice”")
    page.get_by_role("link", name="Documents", exact=True).first.click()
    page.locator(".upload-options summary").click()
    page.get_by_label("Create schema and prompt automatically").locator("visible=true").uncheck()
    page.keyboard.press("Escape")


def _tag_all(page: Page) -> None:
    """With the tag that its prompt runs on."""
    expect(page.locator(".c-state", has_text="Looks like Invoice")).to_have_count(NUMBER - 1, timeout=LONG)
    page.keyboard.press("Control+a")
    page.keyboard.press("t")
    page.keyboard.type("Invoice")
    expect(page.get_by_text("runs “Invoice”")).to_be_visible()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"Tag {NUMBER} documents").click()


def _add_up(page: Page) -> None:
    page.get_by_role("button", name="Columns").click()
    page.get_by_label("Find a column").fill("total")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Show columns").click()
    expect(page.locator("th:target")).to_be_in_viewport()
    page.wait_for_load_state()  # the keys are its script's
    page.keyboard.press("Control+a")
    expect(page.locator("#bulk")).to_contain_text(f"{NUMBER} selected")
    total = sum(range(1000, 1000 + NUMBER)) + NUMBER * 0.5
    expect(page.locator("#sums")).to_contain_text(f"{total:,.2f}")


def _verify_by_keys(page: Page) -> None:
    page.get_by_role("link", name="Inbox").first.click()
    case = page.locator("#inbox-case-in")
    for at in range(VERIFIED):
        expect(page.locator("#queue-numbers")).to_contain_text(f"{NUMBER - at} to verify")
        key = str(case.get_attribute("data-key"))
        _look_at_doubts(page)
        page.keyboard.press("a")
        expect(case).not_to_have_attribute("data-key", key)
    for _ in range(UNDONE):
        # Each press takes back the newest that stands.
        before = page.locator(".decided-undone").count()
        page.keyboard.press("z")
        expect(page.locator(".decided-undone")).to_have_count(before + 1)
    expect(page.locator("#queue-numbers")).to_contain_text(re.compile(f"{NUMBER - VERIFIED + UNDONE}.*to verify"))


def _export(page: Page) -> None:
    page.get_by_role("button", name="Results").click()
    dialog = page.locator("#columns")
    dialog.locator("[name=format]").select_option("csv")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    lines = list(csv.reader(download.value.path().read_text("utf-8-sig").splitlines()))
    totals = [float(line[lines[0].index("Total")]) for line in lines[1:]]
    assert sorted(totals) == [1000.5 + at for at in range(NUMBER)]


def _look_at_doubts(page: Page) -> None:
    """The key goes to an uncertain value first, and verifies it with the next press."""
    doubts = page.locator('#inbox-case-in .proof-doubt [data-proof][aria-pressed="false"]')
    for left in reversed(range(doubts.count())):
        page.keyboard.press("a")
        expect(doubts.first).to_be_focused()
        page.keyboard.press("a")
        expect(doubts).to_have_count(left)
