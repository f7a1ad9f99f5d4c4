"""A new installation: set up, drop files, watch them become readable, look at their words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import LONG, ORGANIZATION, READ, Complaints, drop, enter, run_product, wait_for
from tests.product import Product


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """Nobody has set it up, and no other journey has left anything in it."""
    with run_product(tmp_path_factory.mktemp("first-hour")) as product:
        yield product


FILES = ("gen_invoice_101.pdf", "gen_invoice_104_rot90.pdf", "gen_105.txt")


def drop_and_read(page: Page) -> None:
    drop(page, *FILES)
    for name in FILES:
        row = page.locator("tr[data-document]").filter(has_text=name)
        expect(row.locator(".c-state")).to_contain_text(READ, timeout=LONG)


@pytest.fixture
def documents(page: Page) -> Page:
    """The list with the files on it, also for a journey that is repeated alone."""
    enter(page)
    if not page.locator("tr[data-document]").filter(has_text=FILES[-1]).count():
        drop_and_read(page)
    return page


def test_files_dropped_on_the_page_become_readable_without_a_reload(page: Page) -> None:
    enter(page)
    expect(page.locator(".nav-org")).to_contain_text(ORGANIZATION)
    page.evaluate("() => { window.sameDocument = true; }")
    drop_and_read(page)
    assert page.evaluate("() => window.sameDocument")


def test_words_lie_over_the_picture_where_they_are_printed(documents: Page) -> None:
    page = documents
    page.get_by_role("link", name=re.compile("gen_invoice_101")).first.click()
    word = page.locator(".page .words text", has_text="INV-2025-49883")
    expect(word).to_be_visible()
    box, sheet = word.bounding_box(), page.locator(".page").bounding_box()
    assert box and sheet
    assert 0.78 < (box["x"] - sheet["x"]) / sheet["width"] < 0.80
    assert 0.10 < (box["y"] - sheet["y"]) / sheet["height"] < 0.13


def test_a_refused_file_says_why_in_its_own_line(page: Page, complaints: Complaints) -> None:
    enter(page)
    chooser = page.locator("#files")
    chooser.set_input_files({"name": "tool.exe", "mimeType": "application/octet-stream", "buffer": b"MZ"})
    row = page.locator("tr.refused")
    expect(row).to_contain_text("Unsupported file extension .exe: tool.exe")
    page.set_viewport_size({"width": 390, "height": 844})
    name, cross = row.locator(".c-name").bounding_box(), row.locator(".c-menu").bounding_box()
    # On a phone where the lines of other documents have theirs, and beside each other.
    assert name and cross and name["x"] == 44 and name["x"] + name["width"] <= cross["x"]
    assert name["y"] < cross["y"] + cross["height"] / 2 < name["y"] + name["height"]
    row.get_by_role("button", name="Remove this line").click()
    expect(row).to_have_count(0)
    # The browser logs every answer of 400 by itself.
    assert [text for text in complaints if "400" not in text] == []
    complaints.clear()


OWN_413 = '<main role="alert"><h1>This was not accepted</h1><p>The request is larger than the 101 MB.</p></main>'
PROXYS_413 = "<html><head><title>413</title></head><body><center><h1>413 Request Entity Too Large</h1></center></body>"


@pytest.mark.parametrize(
    ("status", "answer", "sentence"),
    [
        (413, OWN_413, "The request is larger than the 101 MB."),
        (413, PROXYS_413, "The file is larger than the proxy in front of DocRouter takes."),
        (502, "<h1>502 Bad Gateway</h1>", "The upload stopped and nothing was kept."),
    ],
)
def test_a_file_that_is_too_large_says_who_did_not_take_it(
    page: Page, complaints: Complaints, status: int, answer: str, sentence: str
) -> None:
    enter(page)
    page.route("**/documents/upload", lambda route: route.fulfill(status=status, body=answer, content_type="text/html"))
    page.locator("#files").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"x"})
    expect(page.locator("tr.refused")).to_contain_text(sentence)
    complaints.clear()


def test_find_boxes_what_was_typed(documents: Page) -> None:
    page = documents
    page.get_by_role("link", name=re.compile("gen_invoice_101")).first.click()
    expect(page.locator(".page .words text").first).to_be_attached()
    page.keyboard.press("/")
    page.get_by_label("Find in this document").fill("packing tape")
    expect(page.locator("[data-found]")).to_have_text("1 of 2")
    assert page.locator(".hit-on").count() == 2
    page.keyboard.press("Enter")
    expect(page.locator("[data-found]")).to_have_text("2 of 2")


def test_a_document_in_the_trash_comes_back_by_undo(documents: Page) -> None:
    page = documents
    row = page.locator("tr[data-document]").filter(has_text="gen_105.txt").first
    row.locator(".menu summary").click()
    row.get_by_role("button", name="Move to trash").click()
    expect(page.locator("#notice")).to_contain_text("Moved to the trash: gen_105.txt")
    expect(page.locator("tr[data-document]").filter(has_text="gen_105.txt")).to_have_count(0)
    # The focus goes to the row that stands in its place, and back with it.
    expect(page.locator("a.name:focus")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("tr[data-document]").filter(has_text="gen_105.txt")).to_have_count(1)
    expect(page.locator("a.name:focus")).to_contain_text("gen_105.txt")


def test_an_undo_before_the_list_has_followed_gives_the_focus_to_what_came_back(documents: Page) -> None:
    page, waiting, of_list = documents, list[Route](), re.compile(r"/documents\?.*shown=")
    row = page.locator("tr[data-document]").filter(has_text="gen_105.txt").first
    page.route(of_list, lambda route: waiting.append(route))
    row.locator(".menu summary").click()
    row.get_by_role("button", name="Move to trash").click()
    expect(page.locator("a.name:focus")).to_have_count(1)
    wait_for(page, lambda: waiting)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#notice")).to_be_empty()
    page.unroute(of_list)  # lets those go on that wait
    expect(page.locator("a.name:focus")).to_contain_text("gen_105.txt")


def test_a_document_goes_to_the_trash_from_its_page_and_the_list_goes_on_below_it(documents: Page) -> None:
    page = documents
    page.goto(f"{page.url}?order_by=name")
    page.get_by_role("link", name=re.compile("gen_105.txt")).first.click()
    page.locator("summary[aria-label=More]").click()
    page.get_by_role("button", name="Move to trash").click()
    expect(page).to_have_url(re.compile(r"documents\?order_by=name#name-"))
    below = page.locator("a.name:focus")
    expect(below).to_contain_text("gen_invoice_101")
    page.get_by_role("button", name="Undo").click()
    expect(below).to_contain_text("gen_105.txt")


def test_a_notice_that_is_dismissed_gives_the_focus_back(documents: Page) -> None:
    page = documents
    page.locator("tr[data-document] .menu summary").first.click()
    page.get_by_role("button", name="Move to trash").click()
    expect(page.locator("a.name:focus")).to_have_count(1)
    name = page.locator("a.name:focus").inner_text()
    page.get_by_role("button", name="Dismiss").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#notice .banner")).to_have_count(0)
    expect(page.locator("a.name:focus")).to_have_text(name, use_inner_text=True)


def test_the_theme_is_kept(page: Page) -> None:
    enter(page)
    before = page.locator("html").get_attribute("data-theme")
    page.locator(".nav [data-theme-toggle]").click()
    page.reload()
    assert page.locator("html").get_attribute("data-theme") != before


def test_a_document_is_tagged_by_key_from_the_list(page: Page) -> None:
    enter(page)
    drop(page, "gen_105.txt")
    first = page.locator("tr[data-document]").first
    expect(first.locator(".c-state")).to_contain_text(READ, timeout=LONG)
    # A newer row may come before it at any moment.
    row = page.locator(f'tr[data-document="{first.get_attribute("data-document")}"]')
    row.locator("a.name").focus()
    page.keyboard.press("t")
    page.get_by_label("Find a tag by name").fill("By hand")
    expect(page.get_by_role("option", name="New tag “By hand”")).to_be_visible()
    page.keyboard.press("Enter")
    expect(row.locator(".c-tags")).to_contain_text("By hand")
    expect(row.locator("a.name")).to_be_focused()
    # The one that is set is chosen first, so the same keys take it off; what was said can be undone.
    page.keyboard.press("t")
    expect(page.get_by_role("option", name="By hand")).to_contain_text("Set, remove")
    page.keyboard.press("Enter")
    expect(row.locator(".c-tags")).not_to_contain_text("By hand")
    page.locator("#notice").get_by_role("button", name="Undo").click()
    expect(row.locator(".c-tags")).to_contain_text("By hand")


def test_the_strip_after_a_drop_survives_a_reload_and_says_what_to_do(page: Page) -> None:
    enter(page)
    page.locator(".upload-options summary").click()
    page.locator("[data-choose-tag]").click()
    page.get_by_label("Find a tag by name").fill("Dropped")
    page.get_by_role("option", name="New tag “Dropped”").click()
    expect(page.locator("[data-upload-tag]")).to_contain_text("Dropped")
    expect(page.locator("[data-choose-tag]")).to_be_focused()
    # Both files are stored, and the page is left before it hears so.
    stored = list[int]()
    page.route("**/documents/upload", lambda route: stored.append(route.fetch().status))
    drop(page, "gen_105.txt", "gen_invoice_101.pdf")
    expect(page.locator(".drop-said")).to_be_visible()
    wait_for(page, lambda: stored == [201, 201])
    page.reload()
    page.unroute("**/documents/upload")
    strip = page.locator(".drop-said:not([data-live])")
    expect(strip).to_contain_text("2 read", timeout=LONG)
    expect(strip).to_contain_text("No prompt has run on documents like these: give a prompt one of their tags")
    expect(strip).to_contain_text("is the same file as")
    expect(page.locator("tr[data-document]").first.locator(".c-tags")).to_contain_text("Dropped")
    strip.get_by_role("button", name="Close this").click()
    page.reload()
    page.locator(".upload-options summary").click()
    page.locator("[data-upload-tag]").get_by_role("button").click()
    expect(page.locator("[data-upload-tag]")).to_have_count(0)
    expect(page.locator("[data-choose-tag]")).to_be_focused()
    expect(page.locator(".drop-said")).to_have_count(0)
