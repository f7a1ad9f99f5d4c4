"""Two documents side by side in a browser: from change to change, one kind alone, and back from a place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LONG, enter, enter_as_guest, wait_for
from tests.product import Product

OLD = "Supply agreement\n\nThe price is 500,000 EUR.\n\nThe buyer pays by letter.\n\nThe law of Austria applies.\n"
NEW = (
    OLD.replace("500,000", "750,000")
    .replace("letter", "wire")
    .replace("The law", "A fee of 2 percent is due.\n\nThe law")
)
NAME = "Supply_agreement_" * 8


@pytest.fixture(scope="module")
def product(browser: Browser, shared_product: Product) -> Iterator[Product]:
    with enter_as_guest(browser, shared_product, "comparing") as product:
        yield product


def test_two_selected_documents_are_compared_change_by_change(page: Page) -> None:
    enter(page)
    for name, text in ((f"{NAME}1.txt", OLD), (f"{NAME}2.txt", NEW)):
        page.set_input_files("input[type=file]", {"name": name, "mimeType": "text/plain", "buffer": text.encode()})
        expect(page.locator("tr[data-document]", has_text=name)).to_be_visible(timeout=LONG)
    ticks = page.locator("[data-select]")
    ticks.nth(0).click()
    button = page.get_by_role("button", name="Compare these two")
    expect(button).to_be_hidden()
    ticks.nth(1).click()
    button.click()
    changes = page.locator("[data-compare-change]")
    # They are compared as soon as both have been read.
    wait_for(page, lambda: page.locator(".compared").count() or not page.reload())
    # The keys work from then on.
    page.wait_for_load_state()
    expect(changes).to_have_count(3)
    expect(page.locator("[data-compare-at]")).to_have_text("3 changes")
    page.wait_for_load_state()  # the keys are its script's
    page.keyboard.press("j")
    expect(changes.first).to_be_focused()
    expect(changes.first.locator("del")).to_have_text("500,000")
    expect(changes.first.locator("ins")).to_have_text("750,000")
    page.get_by_role("button", name="Next change").click()
    page.get_by_role("button", name="Next change").click()
    expect(page.locator("[data-compare-at]")).to_have_text("3 of 3")
    expect(changes.last).to_contain_text("Not in this text")
    page.get_by_role("button", name="Words 1").click()
    expect(page.locator("[data-compare-at]")).to_have_text("1 change")
    page.reload()
    expect(changes.locator("visible=true")).to_have_count(1)
    page.get_by_role("button", name="All 3").click()
    page.get_by_role("button", name="All text").click()
    expect(page.get_by_text("The law of Austria applies.")).to_be_visible()
    page.get_by_role("button", name="Next change").click()
    page.keyboard.press("j")
    page.keyboard.press("k")
    changes.first.get_by_role("link", name="Page 1").last.click()
    expect(page.locator(".cited, .mark, [data-cited]").first).to_be_visible(timeout=LONG)
    page.go_back()
    expect(page.locator("[data-compare-at]")).to_have_text("1 of 3")
    page.get_by_role("link", name="Swap sides").click()
    expect(page.locator("[data-compare-change]").first.locator("del")).to_have_text("750,000")
