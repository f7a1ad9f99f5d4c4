"""The list while somebody works in it: it begins high, and rows go and come back with the press."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import LONG, Complaints, drop
from tests.browser.test_bulk import documents, expect_selected, product  # noqa: F401 - fixtures

# How few rows were seen from now on.
WATCH = """() => {
    const count = () => document.querySelectorAll('tr[data-document]:not([hidden])').length;
    window.fewest = count();
    const watcher = new MutationObserver(() => { window.fewest = Math.min(window.fewest, count()); });
    watcher.observe(document.getElementById('rows'), { subtree: true, childList: true, attributes: true });
}"""
# Where the table and its first row begin.
TOPS = (
    "['.docs thead', '#rows tr[data-document]'].map((part) => document.querySelector(part).getBoundingClientRect().top)"
)


def test_the_list_begins_high_whatever_happened_before(documents: Page) -> None:
    """An upload, a bulk action and a notice of one document, with the note on the model there."""
    drop(documents, "gen_105.txt")
    expect(documents.locator(".drop-said:not([data-live])")).to_have_count(1, timeout=LONG)
    documents.locator("[data-select]").nth(2).click()
    documents.locator("#bulk").get_by_role("button", name="Move to trash").click()
    front = documents.locator("#status [data-front]")
    expect(front).to_contain_text("1 of 1 done", timeout=LONG)
    row = documents.locator("tr[data-document]").nth(2)
    row.locator(".menu summary").click()
    row.get_by_role("button", name="Move to trash").click()
    expect(front).to_contain_text("Moved to the trash")
    for width, height, most in ((1280, 800, 180), (390, 844, 260)):
        documents.set_viewport_size({"width": width, "height": height})
        tops = documents.evaluate(TOPS)
        assert tops[width < 500] <= most, (width, tops)
        more = documents.locator(".status-more")
        more.click()
        expect(documents.locator("#status .job").first).to_be_visible()
        expect(documents.locator(".drop-said")).to_be_visible()
        assert documents.evaluate(TOPS) == tops
        documents.keyboard.press("Escape")
        expect(documents.locator("#status .job").first).to_be_hidden()
        expect(more).to_be_focused()
    # An earlier result does not come back once the newest is dismissed.
    front.get_by_role("button", name="Dismiss").click()
    expect(front).to_have_class(re.compile("drop-said"))
    documents.locator(".note summary").click()
    documents.get_by_role("button", name="Hide for today").click()
    documents.reload()
    expect(documents.locator("tr[data-document]").first).to_be_visible()
    expect(documents.locator(".note")).to_be_hidden()
    documents.goto(f"{documents.url}#model-key")
    documents.reload()
    expect(documents.locator("#model-key")).to_be_visible()


REFUSED: dict[str, Any] = {"status": 503, "content_type": "text/html", "body": "<main>The database is busy.</main>"}


def test_rows_that_the_server_keeps_come_back_with_a_sentence(documents: Page, complaints: Complaints) -> None:
    documents.route("**/documents/bulk", lambda route: route.fulfill(**REFUSED))
    documents.route("**/documents/*/trash", lambda route: route.fulfill(**REFUSED))
    rows = documents.locator("tr[data-document]:visible")
    before = rows.count()
    for at in (1, 2):
        documents.locator("[data-select]").nth(at).click()
    said = documents.locator("#status [data-front]")
    documents.evaluate(WATCH)
    documents.get_by_role("button", name="Move to trash", exact=True).last.click()
    expect(said).to_contain_text("The database is busy.")
    expect(rows).to_have_count(before)
    assert documents.evaluate("fewest") == before - 2
    expect_selected(documents, "2")
    documents.keyboard.press("Escape")
    said.evaluate("(banner) => banner.remove()")
    rows.nth(3).locator(".menu summary").click()
    rows.nth(3).get_by_role("button", name="Move to trash").click()
    expect(said).to_contain_text("The database is busy.")
    expect(rows).to_have_count(before)
    complaints.clear()


def test_a_row_that_went_to_the_trash_is_not_among_the_selected(documents: Page) -> None:
    rows = documents.locator("tr[data-document]:visible")
    before = rows.count()
    for at in (1, 2):
        rows.nth(at).locator("[data-select]").click()
    expect_selected(documents, "2")
    rows.nth(1).locator(".menu summary").click()
    rows.nth(1).get_by_role("button", name="Move to trash").click()
    expect_selected(documents, "1")
    documents.keyboard.press("z")
    expect(rows).to_have_count(before)
    expect_selected(documents, "1")
    documents.keyboard.press("Escape")
