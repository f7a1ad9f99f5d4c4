"""The viewer's controls on documents of 6 and of 200 pages: each leads to the page that it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import LONG
from tests.product import Product

PAGES = {"long": 6, "many": 200}
# The page whose upper part is at the top of what is seen, by what is on the screen.
AT_TOP = """() => {
    const desk = document.getElementById('desk').getBoundingClientRect();
    const pages = [...document.querySelectorAll('#desk .page')];
    return Number(pages.find((page) => page.getBoundingClientRect().bottom > desk.top + 40).dataset.number);
}"""
COUNT_SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { window.shift += value; }))
    .observe({ type: 'layout-shift', buffered: true });
"""


@pytest.fixture(params=PAGES)
def viewer(
    request: pytest.FixtureRequest, browser: Browser, product: Product, session: Any, ids: dict[str, str]
) -> Iterator[tuple[Page, int]]:
    """The page of a document, and how many pages the document has."""
    context = browser.new_context(base_url=product.url, viewport={"width": 1440, "height": 900})
    context.add_cookies(session)
    page = context.new_page()
    page.goto(f"/orgs/{ids['Organization']}/documents/{ids[request.param]}")
    expect(number_field(page)).to_have_value("1")
    yield page, PAGES[request.param]
    context.close()


def number_field(page: Page) -> Locator:
    return page.locator("[data-view-page]")


def expect_at(page: Page, number: int) -> None:
    """The number, the chosen thumbnail and what is on the screen agree."""
    expect(number_field(page)).to_have_value(str(number))
    expect(page.locator(".thumbs a[aria-current]")).to_have_attribute("data-to", str(number))
    page.wait_for_function(f"({AT_TOP})() === {number}")


def go_to(page: Page, number: int) -> None:
    number_field(page).fill(str(number))
    number_field(page).press("Enter")


def test_each_control_leads_to_its_page(viewer: tuple[Page, int]) -> None:
    page, count = viewer
    page.get_by_role("button", name="Next page").click()
    expect_at(page, 2)
    go_to(page, count - 1)
    expect_at(page, count - 1)
    page.get_by_role("button", name="Next page").click()
    expect(number_field(page)).to_have_value(str(count))
    expect(page.get_by_role("button", name="Next page")).to_be_disabled()
    go_to(page, 4)
    expect_at(page, 4)
    page.get_by_role("button", name="Previous page").click()
    expect_at(page, 3)
    page.locator(".thumbs a[data-to='4']").click()
    expect_at(page, 4)


def test_pages_and_thumbnails_are_asked_for_when_they_come_near(viewer: tuple[Page, int]) -> None:
    page, count = viewer
    page.reload()
    expect(page.locator("#page-1 .words text").first).to_be_attached()
    expect(page.locator(".thumbs a[data-to='1'] image")).to_be_attached()
    far = page.locator(f"#page-{count} image")
    if count > 100:
        assert page.locator(".page image").count() < 5
        assert page.locator(".thumb image").count() < 15
    go_to(page, count)
    expect(far).to_have_attribute("href", re.compile(rf"/pages/{count}\.webp"))
    expect(page.locator(f"#page-{count} .words text").first).to_be_attached()
    expect(page.locator(f".thumbs a[data-to='{count}'] image")).to_be_attached()


def test_nothing_moves_while_the_page_comes(viewer: tuple[Page, int]) -> None:
    page, _ = viewer
    page.add_init_script(COUNT_SHIFTS)
    page.reload()
    expect(page.locator("#page-1 .words text").first).to_be_attached()
    expect(page.locator(".thumbs a[data-to='1'] image")).to_be_attached()
    assert page.evaluate("window.shift") < 0.01


def test_zoom_and_rotation_keep_the_page(viewer: tuple[Page, int]) -> None:
    page, _ = viewer
    go_to(page, 4)
    expect_at(page, 4)
    for control in ("Zoom in", "Zoom in", "Zoom out", "Fit width", "Rotate"):
        page.get_by_role("button", name=control).click()
        expect_at(page, 4)


def test_scrolling_says_which_page_is_seen(viewer: tuple[Page, int]) -> None:
    page, _ = viewer
    page.locator("#page-5").evaluate("(page) => page.scrollIntoView()")
    expect_at(page, 5)


def test_what_is_found_is_shown(viewer: tuple[Page, int]) -> None:
    page, count = viewer
    page.get_by_role("button", name="Find /").click()
    page.get_by_label("Find in this document").fill(f"page {count} of")
    expect(page.locator("[data-found]")).to_have_text("1 of 1", timeout=LONG)
    expect(page.locator(f"#page-{count} .hit-on").first).to_be_in_viewport()
