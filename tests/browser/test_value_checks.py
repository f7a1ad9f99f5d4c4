"""A person gives a schema value checks: one that is suggested, and one that is tried first."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints, enter

MONEY = {"type": ["number", "null"], "description": "As printed."}
SCHEMA = {"type": "object", "properties": dict.fromkeys(("subtotal", "tax", "total"), MONEY)}


def make_schema(page: Page, complaints: Complaints, name: str) -> None:
    page.get_by_role("link", name="Schemas").click()
    page.get_by_role("link", name="New schema").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="JSON", exact=True).click()
    inner = {"name": "bill", "schema": SCHEMA}
    response_format: dict[str, Any] = {"type": "json_schema", "json_schema": inner}
    text = page.get_by_label("Response format, as JSON")
    text.fill('{"type": "object", "properties": {}}')
    page.get_by_role("button", name="Create schema").click()
    expect(page.locator(".banner-fail:visible")).to_contain_text("properties must name at least one field")
    expect(text).to_be_visible()
    assert ["422" in words for words in complaints] == [True]
    complaints.clear()
    text.fill(json.dumps(response_format, indent=1))
    page.get_by_role("button", name="Create schema").click()
    page.wait_for_url(re.compile(r"/schemas/[0-9a-f]{24}$"))


def test_a_suggested_check_is_added_and_another_is_tried_changed_and_removed(
    page: Page, complaints: Complaints
) -> None:
    enter(page)
    make_schema(page, complaints, "Bill with checks")
    checks = page.locator("#checks")
    checks.get_by_role("button", name="Add: Subtotal + Tax is Total.").click()
    page.wait_for_url(re.compile(r"#checks$"))
    expect(checks.get_by_label("Edit check 1")).to_be_visible()
    expect(checks.get_by_role("button", name="Add: Subtotal + Tax is Total.")).to_have_count(0)

    checks.get_by_label("Edit check 1").click()
    expect(page.locator("aside")).to_have_count(0)
    page.get_by_role("button", name="Try it on documents").click()
    expect(page.get_by_role("status")).to_contain_text("No document has values of this schema yet.")
    page.reload()
    expect(page.get_by_role("status")).to_contain_text("Tried, nothing changed")
    page.get_by_role("link", name="Bill with checks").click()
    expect(checks.get_by_label("Edit check 1")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("status")).to_contain_text("Tried, nothing changed")
    page.get_by_label("How far apart they may be").fill("0.05")
    page.get_by_role("button", name="Change check").click()
    page.wait_for_url(re.compile(r"#checks$"))
    expect(checks.locator(".plain-diff")).to_contain_text("Check Subtotal + Tax is Total")
    page.reload()
    checks.get_by_role("button", name="Save version 2").click()
    expect(checks.get_by_role("button", name="Save version 2")).to_have_count(0)
    expect(page.locator(".plain-diff")).to_contain_text("Check Subtotal + Tax is Total")

    checks.get_by_label("Remove check 1").click()
    expect(checks).to_contain_text("No checks yet.")
    expect(checks.locator(".plain-diff")).to_contain_text("Check removed: Subtotal + Tax is Total")
    checks.get_by_role("button", name="Discard").click()
    expect(checks.get_by_label("Edit check 1")).to_be_visible()
