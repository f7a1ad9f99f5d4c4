from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.product import Product


def test_the_page_of_the_api_shows_every_part_under_its_policy(product: Product, page: Page) -> None:
    page.goto(f"{product.url}/v0/docs")
    expect(page.get_by_role("heading", name="DocRouter")).to_be_visible()
    for part in ("Documents", "Extraction", "Organizations", "Users", "Access tokens"):
        expect(page.get_by_role("link", name=part, exact=True)).to_be_visible()
    page.get_by_role("link", name="Extraction", exact=True).click()
    page.get_by_text("Run a prompt on a document").click()
    expect(page.get_by_text("An identical run under way is joined")).to_be_visible()
