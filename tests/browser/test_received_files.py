"""What people receive is dropped together, opened, and values of it are proven: each kind like any other."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LONG, READ, enter, run_prompt
from tests.browser.received_files import FILES, RUSSIAN, draw_lines, drop_files
from tests.browser.test_values import SEED
from tests.documents.reader_files import pdf, text_at
from tests.product import Product


def row(page: Page, name: str) -> Locator:
    return page.locator("tr[data-document]").filter(has=page.locator(".name-words > span.cut", has_text=name)).first


def open_from_list(page: Page, name: str) -> None:
    row(page, name).locator("a.name").click()
    expect(page.locator("#topbar h1")).to_have_text(name)
    expect(page.locator("#page-1 image")).to_be_attached()


def test_mail_workbook_photo_archive_and_scan_are_opened_and_proven(page: Page, product: Product) -> None:
    enter(page)
    if not product.query("SELECT 1 FROM documents_prompt WHERE name = 'Invoice values'"):
        seeded = product.run("shell", "-c", SEED)
        assert seeded.returncode == 0, seeded.stderr
    photo, scan = draw_lines(("Receipt no. 9 of June", "Total 8.20"), "jpeg"), draw_lines(RUSSIAN, "png")
    drop_files(page, {**FILES, "photo.jpg": photo, "scan-ru.png": scan})
    for name in ("order.txt", "prices.csv", "terms.html", "may.txt", "june.txt", "costs.xlsx", "photo.jpg"):
        expect(row(page, name).locator(".c-state")).to_contain_text(READ, timeout=LONG)
    expect(row(page, "scan-ru.png").locator(".c-state")).to_contain_text("partly read", timeout=LONG)
    expect(row(page, "orders.eml")).to_contain_text("3 documents in it")
    expect(row(page, "may.txt")).to_contain_text("in month.zip")
    documents = page.url

    open_from_list(page, "orders.eml")
    family = page.locator(".family")
    expect(family.locator("li")).to_have_count(3)
    family.get_by_role("link", name="terms.html").click()
    expect(page.locator("#page-1 .words")).to_contain_text("Payment")
    page.locator(".family").get_by_role("link", name="orders.eml").click()
    expect(page.locator("#topbar h1")).to_have_text("orders.eml")

    page.goto(documents)
    open_from_list(page, "month.zip")
    expect(page.locator(".family li")).to_have_count(2)
    page.goto(documents)
    open_from_list(page, "photo.jpg")
    expect(page.locator("#page-1 .words")).to_contain_text("Receipt")

    page.goto(documents)
    open_from_list(page, "scan-ru.png")
    expect(page.locator(".left-out")).to_contain_text("Russian")
    expect(page.locator(".page-gap")).to_have_count(0)

    page.goto(documents)
    open_from_list(page, "costs.xlsx")
    run_prompt(page, "Invoice values")
    total = page.locator('.field[data-item="total"]')
    expect(total.locator(".field-value")).to_have_text("2,718.35", timeout=LONG)
    total.locator(".field-value").click()
    expect(page.locator(".mark-on")).to_have_attribute("data-where", "total")
    expect(page.locator(".mark-on title")).to_have_text(re.compile(r"Total: 'Costs 2026'!D6"))
    expect(total.locator(".field-why")).to_contain_text("'Costs 2026'!D6, on page 1")
    lines = page.locator("table.lines tbody tr")
    expect(lines).to_have_count(2)
    expect(lines.nth(1).locator(".cell").nth(2)).to_have_text("–")
    lines.nth(1).locator(".cell").nth(3).click()
    expect(page.locator(".mark-on title")).to_have_text(re.compile(r"'Costs 2026'!D5"))


def test_a_file_is_split_where_a_page_was_marked(page: Page, product: Product) -> None:
    enter(page)
    texts = [text_at(50, 200, f"Invoice number {number} of the month with its total") for number in (1, 2, 3)]
    drop_files(page, {"bundle.pdf": pdf(texts)})
    expect(row(page, "bundle.pdf").locator(".c-state")).to_contain_text(READ, timeout=LONG)
    page.goto(f"{row(page, 'bundle.pdf').locator('a.name').get_attribute('href')}/split")
    button = page.locator("[data-split]")
    expect(button).to_be_disabled()
    page.get_by_label("Begins here").nth(1).check()
    expect(button).to_have_text("Split into 2 documents")
    button.click()
    expect(page.locator(".family li")).to_have_count(2)
