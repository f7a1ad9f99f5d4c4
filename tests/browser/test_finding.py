"""Finding in the browser: filters become chips, views are kept, and Cmd K goes anywhere by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LONG, drop, enter, enter_as_guest
from tests.product import Product


@pytest.fixture(scope="module")
def product(browser: Browser, shared_product: Product) -> Iterator[Product]:
    with enter_as_guest(browser, shared_product, "finding") as product:
        yield product


@pytest.fixture
def list_page(page: Page) -> Page:
    """The list with two documents."""
    enter(page)
    rows = page.locator("tr[data-document]")
    if not rows.count():
        drop(page, "gen_invoice_101.pdf", "gen_105.txt")
        expect(rows).to_have_count(2, timeout=LONG)
    return page


def test_what_is_typed_becomes_a_chip_and_a_view(list_page: Page) -> None:
    page, box = list_page, list_page.get_by_label("Find documents")
    box.fill("kind:txt")
    expect(page.locator("tr[data-document]")).to_have_count(1)
    box.press("Enter")
    chip = page.locator("a.filter")
    expect(chip).to_have_text(re.compile("Kind:.*txt", re.S))
    expect(box).to_have_value("")
    page.locator("summary", has_text="Views").click()
    page.get_by_label("Save what is shown now as").fill("Letters")
    page.get_by_role("button", name="Save view").click()
    expect(page.locator("#saved-views")).to_contain_text(re.compile(r"Letters\s*1"))
    chip.click()
    expect(page.locator("tr[data-document]")).to_have_count(2)
    page.locator("#saved-views").get_by_role("link", name="Letters").click()
    expect(page.locator("tr[data-document]")).to_have_count(1)
    page.go_back()
    expect(page.locator("tr[data-document]")).to_have_count(2)
    box.fill("total > abc")
    box.press("Enter")
    expect(page.locator("#refusals")).to_contain_text("no number and no day")
    expect(box).to_have_value("total > abc")


def test_a_filter_is_picked_by_its_values_with_the_keyboard_alone(list_page: Page) -> None:
    page = list_page
    page.keyboard.press("f")
    picks = page.locator("[data-filters] .picks a")
    expect(picks.first).to_be_focused()
    at = picks.all_inner_texts().index("Kind of file")
    for _ in range(at):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Find in kind of file")).to_be_focused()
    page.keyboard.press("Escape")
    expect(picks).to_have_count(10)
    page.get_by_role("link", name="Kind of file").click()
    page.get_by_label("Find in kind of file").fill("text")
    expect(picks).to_have_text([re.compile(r"Text\s*1")])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("kind=text$"))
    chip = page.locator("a.filter")
    expect(chip).to_have_text(re.compile("Kind:.*text", re.S))
    expect(page.locator("tr[data-document]")).to_have_count(1)
    chip.click()
    expect(page.locator("tr[data-document]")).to_have_count(2)


def test_cmd_k_goes_to_a_document_and_to_a_page_by_keyboard(list_page: Page) -> None:
    page = list_page
    page.keyboard.press("Control+k")
    expect(page.locator("#palette [aria-selected=true]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).not_to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("gen_105")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/documents/\w{24}"))
    page.keyboard.press("Control+k")
    page.keyboard.type("tags")
    # The list from before has that place too; when the answer comes between two arrows, the second leads elsewhere.
    expect(page.locator("#palette-list [data-words=tags]")).to_have_count(1)
    expect(page.get_by_role("option", name="Tags", exact=True)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tags")
