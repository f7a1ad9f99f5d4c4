"""The agent without a document: chosen in the list, asked, decided on a card that names its document, reloaded."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LONG, READ, drop, enter
from tests.product import Product
from tests.scripted_model import Reply, ScriptedModel, calls, says

FILE, OTHER, RENAMED = "gen_105.txt", "README.md", "Order 105.txt"


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


def rename(body: dict[str, Any]) -> Reply:
    """By the id that stands beside the name in the scope."""
    text = " ".join(str(message["content"]) for message in body["messages"] if message["role"] == "user")
    scope = text.split('<data kind="scope">')[1].split("</data>")[0]
    named = re.search(rf"{re.escape(FILE)} \((\w+)\)", scope)
    assert named is not None and OTHER not in scope
    return calls(("update_document", {"document_id": named[1], "document_name": RENAMED}))


def choose(page: Page, *names: str) -> None:
    for name in names:
        page.locator("tr[data-document]").filter(has_text=name).first.locator("[data-select]").check()


def test_what_was_selected_is_asked_about_changed_by_a_card_and_kept(page: Page, model: ScriptedModel) -> None:
    enter(page)
    for name in (FILE, OTHER):
        drop(page, name)
        row = page.locator("tr[data-document]").filter(has_text=name).first
        expect(row.locator(".c-state")).to_contain_text(READ, timeout=LONG)
    choose(page, FILE, OTHER)
    page.get_by_role("button", name="Ask the agent about these").click()
    chips = page.locator("[data-scope-of]")
    expect(chips).to_have_count(2)
    expect(page.locator("h1")).to_have_text("Chosen documents")
    page.get_by_role("button", name=f"Leave out {OTHER}").click()
    expect(chips).to_have_count(1)

    model.will(rename, says("It has its new name."))
    page.get_by_label("Message to the agent").fill("Give it a better name")
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", name=f"Rename {FILE}")
    expect(heading).to_be_visible(timeout=LONG)
    expect(page.locator(".user-scope")).to_have_text("About 1 document")
    assert "This is another document" not in page.locator(".card-wait").inner_text()

    page.reload()
    expect(heading).to_be_visible()
    expect(chips).to_have_count(1)
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Ask about all").click()
    expect(other.locator("h1")).to_have_text("All documents")
    expect(other.get_by_role("heading", name=f"Rename {FILE}")).to_be_visible()
    page.locator(".card-wait").get_by_role("button", name="Approve").click()
    for tab in (page, other):
        expect(tab.locator(".agent-text").last).to_contain_text("It has its new name.", timeout=LONG)
        expect(tab.locator(".card-done")).to_contain_text(f"Renamed {FILE}")

    page.get_by_role("link", name="Agent", exact=True).first.click()
    expect(page.locator(".thread-row")).to_contain_text(["Give it a better name"])
    page.get_by_role("link", name="Documents", exact=True).first.click()
    expect(page.locator("tr[data-document]").filter(has_text=RENAMED).first).to_be_visible()


def test_on_a_phone_a_thread_that_has_not_begun_shows_its_beginning(page: Page) -> None:
    enter(page)
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(page.url.replace("/documents", "/agent"))
    expect(page.get_by_role("heading", name="What do you want to know or change?")).to_be_in_viewport(ratio=1)
    page.locator("#scope-picker > summary").click()
    note = page.locator("#scope-picker .menu-note")
    whole, link = note.bounding_box(), note.get_by_role("link", name="list").bounding_box()
    # A word of the sentence, and no line of the menu.
    assert whole and link and link["width"] < whole["width"] / 4
