"""Files as people have them: with others in them, with clauses that Word counts, in letters that nothing names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LONG, READ, enter, enter_as_guest, wait_for
from tests.browser.received_files import drop_files
from tests.browser.test_received_files import open_from_list, row
from tests.documents.office_files import docx
from tests.documents.pdfs_with_files import attach, clip
from tests.documents.reader_files import pdf, text_at
from tests.documents.test_word_numbering import group, item, level, listed
from tests.product import Product

CLAUSES = group(1, level(0, "%1.", others='<w:start w:val="3"/>'), level(1, "%1.%2")) + listed(7, 1)
CONTRACT = docx(
    item("Term", 7) + item("Runs for two years", 7, 1) + item("Liability", 7) + item("Capped at the yearly fee", 7, 1),
    numbering=CLAUSES,
)
LETTERS = "商品,数量,金額\n東京の会社,12,3400\n"
FILES = {
    "portfolio.pdf": attach(
        (b"deed.pdf", pdf([text_at(50, 200, "Deed of the harbour")])),
        (b"costs.csv", b"Item;Amount\nBracket;73,15\n"),
        catalog=b"/Collection << /View /T >>",
    ),
    "clipped.pdf": clip((b"receipt.txt", b"Parking 12.50")),
    "contract.docx": CONTRACT,
    "letters.csv": LETTERS.encode("shift_jis"),
}


@pytest.fixture(scope="module")
def product(browser: Browser, shared_product: Product) -> Iterator[Product]:
    with enter_as_guest(browser, shared_product, "files") as product:
        yield product


@pytest.fixture
def documents(page: Page, product: Product) -> str:
    """The address of the list, once all files in it are read."""
    enter(page)
    if not page.locator("tr[data-document]").count():
        drop_files(page, FILES)
    for name in (*FILES, "deed.pdf", "receipt.txt"):
        expect(row(page, name).locator(".c-state")).to_contain_text(READ, timeout=LONG)
    return page.url


def test_files_in_a_pdf_are_documents_and_their_list_says_so(page: Page, documents: str) -> None:
    expect(row(page, "clipped.pdf")).to_contain_text("1 document in it")
    expect(row(page, "receipt.txt")).to_contain_text("in clipped.pdf")
    expect(row(page, "portfolio.pdf")).to_contain_text("2 documents in it")
    expect(row(page, "portfolio.pdf").locator(".c-state")).not_to_contain_text("partly read")
    open_from_list(page, "portfolio.pdf")
    expect(page.locator(".left-out.note")).to_contain_text("is a portfolio")
    page.locator(".family").get_by_role("link", name="costs.csv").click()
    expect(page.locator("#page-1 .words")).to_contain_text("73,15")


def test_a_clause_is_found_by_the_number_that_word_counts(page: Page, documents: str) -> None:
    page.get_by_role("navigation", name="Main", exact=True).get_by_role("link", name="Search", exact=True).click()
    box, hit = page.get_by_label("Search all documents"), page.locator("a.hit").filter(has_text="Capped")

    def is_found() -> bool:
        """Its words are indexed by a job."""
        box.fill("4.1 Capped")
        with page.expect_navigation():
            box.press("Enter")
        return hit.count() == 1

    wait_for(page, is_found)
    hit.click()
    expect(page.locator("#page-1 .hit-on").first).to_be_attached()
    expect(page.locator("#page-1 .words")).to_contain_text("4.1")


def test_guessed_letters_are_said_chosen_and_read_again(page: Page, documents: str) -> None:
    state = row(page, "letters.csv").locator(".c-state")
    expect(state).to_contain_text("letters guessed")
    page.goto(f"{documents}?is=incomplete")
    expect(page.locator("tr[data-document]")).to_have_count(1)
    open_from_list(page, "letters.csv")
    expect(page.locator("#left-out")).to_contain_text("Read as Shift-JIS")
    expect(page.locator("#page-1 .words")).to_contain_text("東京の会社")
    page.locator("select[name=encoding]").select_option("cp1251")
    page.get_by_role("button", name="Read again").click()
    expect(page.locator("#page-1 .words")).not_to_contain_text("東京の会社", timeout=LONG)
    page.locator("select[name=encoding]").select_option("cp932")
    page.get_by_role("button", name="Read again").click()
    expect(page.locator("#page-1 .words")).to_contain_text("東京の会社", timeout=LONG)
    expect(page.locator("#left-out")).to_have_count(0)
