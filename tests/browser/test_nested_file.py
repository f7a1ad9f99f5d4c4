"""The tree beside the pages of a nested file: keys, the same highlights as on the page, its paths, and on a phone."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LONG, drop, enter

CREATE = "/paths/~1campaigns/post"


def open_file(page: Page) -> None:
    enter(page)
    row = page.locator("tr[data-document]").filter(has_text="campaigns.yaml")
    if not row.count():
        drop(page, "campaigns.yaml")
    expect(row.first.locator(".c-state")).to_contain_text(re.compile("Read, |Looks like"), timeout=LONG)
    page.goto(str(row.first.locator("a.name").get_attribute("href")))


def line(page: Page, name: str) -> Locator:
    return page.get_by_role("treeitem", name=name, exact=True)


def test_the_structure_is_unfolded_by_keys_and_shows_its_lines_on_the_page(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_file(page)
    line(page, "paths:").click()
    expect(page.locator("#desk .mark-on")).to_have_count(1)
    for steps, unfolded in ((1, "/campaigns:"), (3, "post:"), (1, "operationId: createCampaign")):
        page.keyboard.press("ArrowRight")
        expect(line(page, unfolded)).to_be_visible()
        for _ in range(steps):
            page.keyboard.press("ArrowDown")
        expect(line(page, unfolded)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(line(page, "post:")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-path]")).to_have_text(CREATE)
    page.get_by_role("button", name="Copy path").click()
    assert page.evaluate("navigator.clipboard.readText()") == CREATE
    # What is found on the page is marked in the tree, at the line that it is folded into.
    page.keyboard.press("/")
    page.get_by_label("Find in this document").fill("maxLength")
    expect(page.locator(".tree .found-hit")).to_have_attribute("aria-label", "components:")
    page.get_by_role("button", name="Structure", exact=True).click()
    expect(page.locator("#structure")).to_be_hidden()
    page.reload()
    expect(page.locator("#desk .page").first).to_be_visible()
    expect(page.locator("#structure")).to_be_hidden()


def test_on_a_phone_the_structure_covers_the_page_until_a_line_is_chosen(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_file(page)
    page.get_by_label("More", exact=True).first.click()
    page.get_by_role("button", name="Structure", exact=True).click()
    line(page, "info:").click()
    expect(page.locator("#structure")).to_be_hidden()
    expect(page.locator("#desk .mark-on")).to_have_count(1)
