"""The head of a document: its tags, its name and its metadata, changed in place and live in a second tab."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import LONG, Complaints, drop, enter, wait_for


def open_document(page: Page, name: str) -> None:
    enter(page)
    row = page.locator("tr[data-document]").first
    newest = row.get_attribute("data-document", timeout=LONG) if page.locator("tr[data-document]").count() else None
    drop(page, name)
    expect(row).not_to_have_attribute("data-document", newest or "", timeout=LONG)
    expect(row.locator(".c-state")).to_contain_text(re.compile("Read, "), timeout=LONG)
    page.goto(str(row.locator("a.name").get_attribute("href")))


def test_a_tag_is_set_by_key_and_removed_by_its_cross_live_in_a_second_tab(page: Page) -> None:
    open_document(page, "gen_105.txt")
    other = page.context.new_page()
    other.goto(page.url)
    page.keyboard.press("t")
    page.get_by_label("Find a tag by name").fill("Letters")
    option = page.get_by_role("option", name="New tag “Letters”")
    expect(option).to_be_visible()
    # A double click sets it once: the first press closes the picker.
    option.dblclick(force=True, no_wait_after=True)
    for tab in (page, other):
        expect(tab.locator("#topbar .tags")).to_contain_text("Letters")
    expect(page.locator("#notice")).to_contain_text("“Letters” is set on gen_105.txt")
    # Enter waits for the options that are still under way.
    page.keyboard.press("t")
    page.get_by_label("Find a tag by name").fill("Quick")
    page.keyboard.press("Enter")
    expect(page.locator("#topbar .tags")).to_contain_text("Quick")
    page.get_by_role("button", name="Remove the tag Quick").click()
    expect(page.locator("#topbar .tags")).not_to_contain_text("Quick")
    page.get_by_role("button", name="Remove the tag Letters").click()
    for tab in (page, other):
        expect(tab.locator("#topbar .tags")).not_to_contain_text("Letters")
    # Z takes back what the line names, and leaves no undo of itself.
    expect(page.locator("#notice")).to_contain_text("“Letters” is removed from gen_105.txt")
    page.keyboard.press("z")
    expect(page.locator("#topbar .tags")).to_contain_text("Letters")
    expect(page.locator("#notice").get_by_role("button", name="Undo")).to_have_count(0)
    other.close()


def test_the_name_is_edited_in_the_head_and_escape_leaves_it(page: Page) -> None:
    open_document(page, "gen_105.txt")
    rename = page.get_by_role("button", name="Rename gen_105.txt")
    rename.click()
    field = page.get_by_label("Name of the document")
    expect(field).to_be_focused()
    field.fill("nothing.txt")
    field.press("Escape")
    expect(page.get_by_role("heading", name="gen_105.txt")).to_be_visible()
    rename.click()
    field.fill("Letter to Ann.txt")
    field.press("Enter")
    expect(page.get_by_role("heading", name="Letter to Ann.txt")).to_be_visible()
    expect(page.get_by_role("button", name="Rename Letter to Ann.txt")).to_be_focused()
    expect(page.locator("#notice")).to_contain_text("gen_105.txt is now called Letter to Ann.txt")
    page.keyboard.press("z")
    expect(page.get_by_role("heading", name="gen_105.txt")).to_be_visible()
    expect(page.locator("#notice")).to_be_empty()


FETCH_BAR = """() => new Promise((done) => {
  document.activeElement.blur();
  document.addEventListener('htmx:afterSettle', () => setTimeout(done), { once: true });
  htmx.ajax('GET', document.querySelector('#topbar').dataset.refresh, { target: '#topbar', swap: 'outerHTML' });
})"""


def test_a_bar_that_is_fetched_anew_takes_the_focus_from_nobody(page: Page) -> None:
    open_document(page, "gen_105.txt")
    page.evaluate(FETCH_BAR)
    expect(page.locator("[data-rename-document]")).to_have_count(1)
    expect(page.locator("[data-rename-document]")).not_to_be_focused()


def test_metadata_is_saved_as_it_is_left_and_undone(page: Page) -> None:
    open_document(page, "gen_105.txt")
    page.get_by_label("More", exact=True).click()
    page.get_by_role("button", name="Metadata").click()
    page.get_by_label("Name of a new pair").fill("case")
    page.get_by_label("Value of a new pair").fill("4711")
    page.get_by_role("button", name="Add").click()
    value = page.get_by_label("case", exact=True)
    expect(value).to_have_value("4711")
    value.fill("4712")
    value.press("Enter")
    expect(page.locator("#metadata input[name=seen]")).to_have_value("4712")
    expect(page.locator("#metadata [role=status]")).to_contain_text("“case” is saved.")
    page.locator("#metadata").get_by_role("button", name="Undo").click()
    expect(value).to_have_value("4711")
    page.get_by_role("button", name="Remove case").click()
    expect(page.locator("#metadata .pair")).to_have_count(1)


def test_a_name_that_cannot_be_is_said_below_the_field(page: Page, complaints: Complaints) -> None:
    open_document(page, "gen_105.txt")
    page.get_by_role("button", name="Rename gen_105.txt").click()
    field = page.get_by_label("Name of the document")
    field.fill("  ")
    field.press("Enter")
    expect(page.locator("#name-problem")).to_contain_text("File name is required")
    # The browser logs every answer of 422 by itself.
    assert [text for text in complaints if "422" not in text] == []
    complaints.clear()


def test_who_else_verifies_is_read_whole_beside_a_long_tag(page: Page) -> None:
    open_document(page, "gen_105.txt")
    page.keyboard.press("t")
    page.get_by_label("Find a tag by name").fill(
        "A tag with a name that takes all the room that the head of a page has"
    )
    page.get_by_role("option", name=re.compile("New tag")).click()
    expect(page.locator("#topbar .tags .chip")).to_be_visible()
    words = page.locator("#other .cut")
    page.locator("#other").evaluate(
        "(e) => { e.hidden = false; e.innerHTML = '<span class=cut>tomas@delmar.example verifies this</span>'; }"
    )
    assert words.evaluate("(e) => e.scrollWidth <= e.clientWidth")


def test_a_bar_that_is_fetched_anew_leaves_the_pencil_that_was_pressed(page: Page) -> None:
    open_document(page, "gen_105.txt")
    routes: list[Route] = []
    page.route("**/name", lambda route: routes.append(route))
    page.get_by_role("button", name="Rename gen_105.txt").click()
    wait_for(page, lambda: routes)
    with page.expect_response("**/topbar"):
        page.evaluate("document.dispatchEvent(new CustomEvent('docrouter:back'))")
    routes[0].continue_()
    expect(page.get_by_label("Name of the document")).to_be_focused()
