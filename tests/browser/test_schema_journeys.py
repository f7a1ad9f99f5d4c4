"""A person makes and changes a schema in the editor."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import enter


def test_a_schema_is_made_field_by_field_and_changed_as_json(page: Page) -> None:
    enter(page)
    page.get_by_role("link", name="Schemas").click()
    page.get_by_role("link", name="New schema").click()
    page.get_by_label("Name", exact=True).fill("Delivery note")
    page.get_by_role("button", name="Add field").click()
    page.keyboard.type("number")
    page.keyboard.press("Tab")
    page.get_by_label("Description of number").fill("Number after “Delivery note”.")
    page.keyboard.press("Enter")
    page.keyboard.type("lines")
    page.keyboard.press("Tab")
    page.get_by_label("Type of lines").select_option("list of rows")
    page.get_by_label("Description of lines").fill("One row for each article.")
    page.get_by_label("More for lines").click()
    page.get_by_role("button", name="Add a field inside").click()
    page.keyboard.type("sku")
    page.keyboard.press("Tab")
    expect(page.locator(".err:visible")).to_have_count(1)
    page.get_by_label("Description of sku").fill("Article number.")
    expect(page.locator(".err:visible")).to_have_count(0)
    page.get_by_role("button", name="Create schema").click()
    page.wait_for_url(re.compile(r"/schemas/[0-9a-f]{24}$"))
    expect(page.locator("tr.level-1")).to_contain_text("sku")

    page.get_by_role("link", name="Edit").click()
    page.get_by_role("button", name="JSON", exact=True).click()
    text = page.get_by_label("Response format, as JSON")
    whole = text.input_value()
    text.fill(whole.replace('"Article number."', '"Article number."\n "pattern": "^[0-9]+$"'))
    page.get_by_role("button", name="Fields").click()
    line = whole.split('"Article number."')[0].count("\n") + 2
    expect(page.get_by_role("alert")).to_contain_text(f"Line {line}, column 2: A comma or }} must stand here")
    text.fill(whole.replace('"Article number."', '"Article number.", "pattern": "^[0-9]+$"'))
    page.get_by_role("button", name="Fields").click()
    expect(page.locator("li", has=page.get_by_label("Move sku")).locator(".kept")).to_have_text('pattern: "^[0-9]+$"')
    page.get_by_label("Move lines").press("ArrowUp")
    page.get_by_label("Description of number").fill("The number under the title.")
    page.get_by_role("button", name="Save as version 2").click()
    page.wait_for_url(re.compile(r"/schemas/[0-9a-f]{24}$"))
    changes = page.locator(".plain-diff")
    expect(changes).to_contain_text(
        "number description “Number after “Delivery note”.” is now “The number under the title.”"
    )
    expect(changes).to_contain_text("lines.sku pattern added: “^[0-9]+$”")
    expect(changes).to_contain_text("The order of the fields differs.")


def test_undo_brings_back_what_was_removed_and_leaving_asks_first(page: Page) -> None:
    enter(page)
    page.get_by_role("link", name="Schemas").click()
    page.get_by_role("link", name="Delivery note").click()
    page.get_by_role("link", name="Edit").click()
    text = page.locator("#content")
    before = text.input_value()
    page.get_by_label("More for lines").click()
    page.get_by_role("button", name="Remove with the fields inside").click()
    expect(page.get_by_label("Field name")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Field name")).to_have_count(3)
    assert text.input_value() == before
