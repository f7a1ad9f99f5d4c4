"""Searching all pages in the browser: from a few figures of a letterhead to the place, a view, and the trash."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LONG, READ, enter, enter_as_guest, wait_for
from tests.documents.reader_files import pdf
from tests.documents.test_reader_clips import SHEET, SHOW, TEXT, draw_line
from tests.product import Product

OTHERS = 400
NAME = "letter.pdf"
# As one phrase: without the letter nothing like it is shown instead.
NUMBER = '"3704 0044"'


@pytest.fixture(scope="module")
def product(browser: Browser, shared_product: Product) -> Iterator[Product]:
    with enter_as_guest(browser, shared_product, "searching") as product:
        yield product


@pytest.fixture
def letter(page: Page, product: Product) -> Page:
    """Among many documents one whose text says nothing of the number that stands in the picture of its letterhead."""
    enter(page)
    done = product.run(
        "seed_demo",
        "--documents",
        str(OTHERS),
        "--organization",
        "searching",
        "--prompts-revisions",
        "2",
        "--tags",
        "2",
    )
    assert done.returncode == 0, done.stderr
    content = pdf([TEXT + SHOW], page=SHEET, images=[draw_line()])
    page.reload()
    page.locator("#files").set_input_files([{"name": NAME, "mimeType": "application/pdf", "buffer": content}])
    row = page.locator("tr[data-document]").filter(has_text=NAME)
    expect(row.locator(".c-state")).to_contain_text(READ, timeout=LONG)
    return page


def search(page: Page, words: str) -> None:
    box = page.get_by_label("Search all documents")
    box.fill(words)
    with page.expect_navigation():
        box.press("Enter")


def test_a_number_of_a_letterhead_is_found_narrowed_kept_and_gone_with_its_document(letter: Page) -> None:
    page = letter
    page.get_by_role("navigation", name="Main", exact=True).get_by_role("link", name="Search", exact=True).click()
    hit = page.locator("a.hit").filter(has_text="3704")
    box = page.get_by_label("Search all documents")

    def is_found() -> bool:
        """Its words are indexed by a job."""
        search(page, "IBAN 3704")
        return hit.count() == 1

    wait_for(page, is_found)
    box.fill("IBAN 370")
    expect(page.locator("#search-count")).to_have_text("1 page in 1 document")
    box.press("ArrowDown")
    expect(hit).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_be_focused()
    box.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"\?at="))
    expect(page.locator("#page-1 .hit-on")).to_have_count(1)
    page.keyboard.press("t")
    page.keyboard.type("Letters")
    expect(page.get_by_role("option", name="New tag “Letters”")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#topbar .chip", has_text="Letters")).to_be_visible()

    page.get_by_role("navigation", name="Main", exact=True).get_by_role("link", name="Search", exact=True).click()
    search(page, f"{NUMBER} tag:letters since:2020-01-01")
    expect(page.locator("a.filter")).to_have_count(2)
    expect(hit).to_have_count(1)
    page.locator("summary", has_text="Views").click()
    page.get_by_label("Save what is shown now as").fill("Kestrel")
    page.get_by_role("button", name="Save view").click()
    expect(page.locator("#saved-views")).to_contain_text(re.compile(r"Kestrel\s*1"))
    page.keyboard.press("Escape")
    search(page, f"{NUMBER} until:2020-01-01")
    expect(page.get_by_role("link", name="1 page in 1 document without the filters")).to_be_visible()

    page.locator("#saved-views").get_by_role("link", name="Kestrel").click()
    row = page.locator("tr[data-document]").filter(has_text=NAME)
    row.get_by_label(f"Actions for {NAME}").click()
    row.get_by_role("button", name="Move to trash").click()
    expect(page.locator("tr.none")).to_contain_text("No document matches")
    page.get_by_role("navigation", name="Main", exact=True).get_by_role("link", name="Search", exact=True).click()
    search(page, NUMBER)
    expect(page.locator(".search-none")).to_contain_text(f"“{NUMBER}” is nowhere in")
