"""A field without a value: opened to the labels that were looked for, and to what is nearest on the page."""

# ruff: noqa: F811 - a fixture is imported

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.test_values import field, value, values  # noqa: F401 - a fixture


def test_an_empty_field_opens_to_what_was_looked_for(values: Page) -> None:
    for again in (False, True):
        if again:
            values.reload()
        expect(field(values, "customer_number")).to_contain_text("Absent")
        value(values, "customer_number").click()
        why = field(values, "customer_number").locator(".field-why")
        expect(why).to_contain_text("Not on the pages. No label on the page says “Customer number”")
        why.get_by_role("button", name="INV-2025-49883").click()
        expect(values.locator(".mark-on")).to_have_attribute("data-where", "customer_number")
        box, word = (
            values.locator(".mark-on").bounding_box(),
            values.locator(".words text", has_text="no.").bounding_box(),
        )
        assert box and word and abs(box["y"] - word["y"]) < 8
