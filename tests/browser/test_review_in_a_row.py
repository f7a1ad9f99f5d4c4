"""Review by thumb on a phone, and by two people at once."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import LONG
from tests.browser.test_values import values  # noqa: F401 - a fixture


def test_the_large_button_of_a_phone_verifies_value_after_value_and_then_the_document(values: Page) -> None:
    values.set_viewport_size({"width": 390, "height": 844})
    values.reload()
    button = values.locator("[data-verify-chosen]")
    expect(button).to_have_text("Verify")
    checks = values.locator("#extraction .item .check")
    for _ in range(checks.count()):
        if button.inner_text().strip() == "Verify document":
            break
        button.click()
    expect(button).to_have_text("Verify document")
    expect(values.locator('#extraction .item .check[aria-pressed="false"]')).to_have_count(0)
    expect(values.locator("#checked")).to_contain_text(re.compile(r"(\d+) of \1 verified"), timeout=LONG)
    opened = values.url
    with values.expect_response(
        lambda response: response.request.method == "POST" and "verify" in response.url
    ) as said:
        button.click()
    if following := said.value.headers.get("hx-redirect"):  # to the next document to verify, if there is one
        values.wait_for_url(re.compile(re.escape(following)))
        values.goto(opened)
    expect(values.locator("#checked")).to_contain_text("Verified by", timeout=LONG)
    expect(button).to_have_text("Verified")
    expect(button).to_be_disabled()
