"""Seconds a document takes in review by keys: `python -m benchmarks.browsing.review_by_keys [file …]`, or the samples.

Headless Chromium in front of a running `up` with the offline model. Of each document: to every uncertain value (N) and
verified (Space), then the whole (Shift V), until the next one stands there. By somebody who looks at nothing: what is
left is what the product makes a person wait for. CPU is that of all its processes, the clock says the load beside.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.instruments.processes import measure_costs
from tests import scripts
from tests.browser.conftest import ARGUMENTS, LONG, SHORT, enter
from tests.needs import chromium
from tests.product import ROOT, Product

SAMPLES = ROOT / "documents" / "samples"
PREPARE = """
import sys
from pathlib import Path
from django.core.files.base import ContentFile
from accounts.access import enter
from accounts.models import Member
from documents.definitions import prompts, schemas, tags
from documents.intake import uploads
member = Member.objects.get()
actor = enter(member.user, member.organization_id)
fields = {
    "invoice_number": "Number of the invoice or receipt", "date": "Date of issue", "vendor": "Who sends it",
    "subtotal": "Sum before tax", "tax": "Tax in all", "total": "What is to be paid", "currency": "Its code",
}
properties = {name: {"type": ["string", "null"], "description": words} for name, words in fields.items()}
inner = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
schema = schemas.create(
    actor, name="Bill", response_format={"type": "json_schema", "json_schema": {"name": "bill", "schema": inner}}
)
tag = tags.create(actor, name="Bills")
prompts.create(actor, name="Read bills", content="Take the fields.", schema_revision=schema, tags=[tag])
for path in map(Path, FILES):
    uploads.store(actor, name=path.name, content=ContentFile(path.read_bytes()), tag_ids=[tag.pk], auto_setup=False)
"""
ENDS = "('llm_completed', 'llm_failed', 'ocr_failed')"
TO_VERIFY = "SELECT COUNT(*) FROM documents_document WHERE state = 'llm_completed' AND review = 'to_verify'"


@dataclass(frozen=True)
class Review:
    """Of one document."""

    seconds: float
    cpu_seconds: float
    presses: int


def main(files: Sequence[str]) -> None:
    chosen = [Path(file).resolve() for file in files] or sorted(
        path for path in SAMPLES.iterdir() if path.suffix != ".md"
    )
    with tempfile.TemporaryDirectory() as folder:
        product = Product(Path(folder)).start()
        try:
            reviews = _review_all(product, chosen)
        finally:
            product.stop()
    report(reviews)


def report(reviews: Sequence[Review]) -> None:
    seconds, cpu = [review.seconds for review in reviews], [review.cpu_seconds for review in reviews]
    presses = statistics.mean(review.presses for review in reviews)
    print(f"{len(reviews)} documents by keys, {presses:.1f} presses each; load {os.getloadavg()[0]:.1f}")
    print(f"  clock  median {statistics.median(seconds):5.2f} s  longest {max(seconds):5.2f} s a document")
    print(f"  CPU    median {statistics.median(cpu):5.2f} s  longest {max(cpu):5.2f} s a document, all processes")


def _review_all(product: Product, files: Sequence[Path]) -> list[Review]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        page = browser.new_context(base_url=product.url, viewport={"width": 1440, "height": 900}).new_page()
        page.set_default_timeout(SHORT)
        enter(page)
        _prepare(product, files)
        page.goto(f"{page.url.partition('?')[0]}?is=waiting")
        page.locator("main a[href*='/documents/']").filter(has_text=".").first.click()
        reviews = [_review(product, page) for _ in range(product.query(TO_VERIFY)[0][0])]
        browser.close()
        return reviews


def _prepare(product: Product, files: Sequence[Path]) -> None:
    """Uploads the files with a tag that starts a prompt, and waits until all have values, or none."""
    answer = product.run("-c", f"{scripts.START}FILES = {[str(path) for path in files]!r}\n{PREPARE}")
    if answer.returncode:
        sys.exit(answer.stderr)
    ended = f"SELECT COUNT(*) FROM documents_document WHERE state IN {ENDS}"
    product.wait_until(lambda: product.query(ended)[0][0] == len(files), "the values", seconds=1200)


def _review(product: Product, page: Page) -> Review:
    expect(page.locator("[data-verify-all]")).to_be_visible(timeout=LONG)
    uncertain = page.locator("#extraction .item.uncertain:not(:has(.check[aria-pressed='true']))")
    left = product.query(TO_VERIFY)[0][0]
    cpu, began, presses = _count_cpu(product), time.monotonic(), 1
    for _ in range(uncertain.count()):
        page.keyboard.press("n")
        page.keyboard.press("Space")
        presses += 2
    address = page.url
    page.keyboard.press("Shift+V")
    if left > 1:
        page.wait_for_url(lambda url: url != address, timeout=LONG)
        expect(page.locator("[data-verify-all]")).to_be_visible(timeout=LONG)
    else:
        expect(page.locator("#topbar .state")).to_have_text("Verified", timeout=LONG)
    return Review(time.monotonic() - began, _count_cpu(product) - cpu, presses)


def _count_cpu(product: Product) -> float:
    return sum(cost.cpu_seconds for cost in measure_costs(product).values())


if __name__ == "__main__":
    main(sys.argv[1:])
