"""A failed check that belongs to no single value is looked at before its document is verified."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.test_values import values  # noqa: F401
from tests.product import Product

LOOSE = """
from documents.models import Extraction
run = Extraction.objects.order_by("-created_at")[0]
failed = {"kind": "rule", "status": "failed", "pages": []}
run.check_results = [
    failed | {"check": 1, "message": "The pages disagree.", "places": []},
    failed | {"check": 2, "message": "Page 2 gave no rows.", "places": ["line_items"]},
]
run.failed_check_count = 2
run.save()
"""


def test_a_failed_check_of_no_single_value_comes_before_the_document(
    values: Page,  # noqa: F811
    product: Product,
) -> None:
    seeded = product.run("shell", "-c", LOOSE)
    assert seeded.returncode == 0, seeded.stderr
    values.goto(f"{values.url.partition('?')[0]}?list=q%3Dno-such-document")
    expect(values.get_by_role("button", name="Look at the checks")).to_be_visible()
    expect(values.get_by_role("button", name="Verify anyway")).to_be_visible()
    for words in ("The pages disagree.", "Page 2 gave no rows."):
        values.keyboard.press("Shift+V")
        expect(values.locator(".check-line", has_text=words)).to_be_focused()
        expect(values.locator("#checked")).to_contain_text(re.compile(r"0 of \d+ verified"))
    values.keyboard.press("Shift+V")
    expect(values.locator("#checked")).to_contain_text("Verified by")
