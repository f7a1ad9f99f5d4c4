"""`python -m tests.screenshots [folder]`: the pictures of the documentation, taken of a running product in docs/screenshots."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.browser.compared_leases import ask, compare, read, search, upload
from tests.browser.conftest import (
    ARGUMENTS,
    LONG,
    ORGANIZATION,
    choose_automatic_setup,
    drop,
    enter,
    run_product,
    run_with_model,
)
from tests.needs import chromium
from tests.product import ROOT, Product
from tests.scripted_model import ScriptedModel

FOLDER = ROOT / "docs/screenshots"
SIZE = {"width": 1440, "height": 960}
INVOICE, RECEIPT = "gen_invoice_101.pdf", "sroie_003.jpg"
# The same seed makes the same rows: pictures differ by their dates alone.
DEMO = ("--documents", "400", "--prompts-revisions", "20", "--tags", "10", "--seed", "3")

# The scripted model is on no list of prices.
PRICE = """
from django.utils import timezone
from llm.models import ModelPrice
ModelPrice.objects.create(
    name="openai/scripted", input_micros_per_mtok=9_000_000, output_micros_per_mtok=45_000_000, set_at=timezone.now()
)
"""
LOAD_PICTURES = """() => Promise.all([...document.querySelectorAll('svg image')].map((each) => {
    const picture = new Image();
    picture.src = each.href.baseVal;
    return picture.decode();
}))"""


def main(folder: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        with TemporaryDirectory() as data, run_product(Path(data)) as product:
            page = come_in(browser, product)
            upload_invoice(page)
            add_demo(product)
            take_documents(page, folder)
            take_agent(page, folder)
            take_extraction(page, folder)
            take_rule(page, folder)
            take_results(page, folder)
            take_proposal(page, folder)
        with TemporaryDirectory() as data, run_scripted() as model, run_with_model(model, Path(data)) as product:
            page = come_in(browser, product)
            product.run("shell", "--command", PRICE)
            take_research(page, model, folder)
            take_usage(page, folder)
        browser.close()


@contextmanager
def run_scripted() -> Iterator[ScriptedModel]:
    """A model that says what is written here: the offline one compares nothing."""
    model = ScriptedModel()
    model.start()
    yield model
    model.stop()


def come_in(browser: Browser, product: Product) -> Page:
    context = browser.new_context(
        base_url=product.url, viewport=SIZE, color_scheme="light", reduced_motion="reduce", locale="en-GB"
    )
    page = context.new_page()
    page.set_default_timeout(LONG)
    enter(page)
    product.wait_until(product.is_ready, "every worker")
    return page


def add_demo(product: Product) -> None:
    command = product.run("seed_demo", "--organization", ORGANIZATION, *DEMO)
    if command.returncode:
        raise SystemExit(command.stderr)


def upload_invoice(page: Page) -> None:
    """Before the demo's documents are there, of which some look like it."""
    page.goto("/")
    drop(page, INVOICE)
    expect(row_of(page, INVOICE).locator(".c-state")).to_contain_text("Read, no tag", timeout=LONG)


def take_documents(page: Page, folder: Path) -> None:
    page.reload()
    save(page, folder, "documents")


def take_agent(page: Page, folder: Path) -> None:
    row_of(page, INVOICE).locator("a.name").click()
    page.get_by_role("tab", name="Agent").click()
    page.get_by_role("button", name="Set up extraction for this document").click()
    wait_for_card(page, "Create schema")
    save(page, folder, "agent")


def take_extraction(page: Page, folder: Path) -> None:
    for title in ("Create schema", "Create prompt", "Run “"):
        wait_for_card(page, title).get_by_role("button", name="Approve").click()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=LONG)
    page.get_by_role("tab", name="Extraction").click()
    for number, name in enumerate(("Vendor", "Customer", "Invoice number"), start=1):
        page.get_by_role("button", name=f"Verify {name}", exact=True).click()
        expect(page.get_by_text(f"{number} of 37 verified")).to_be_visible(timeout=LONG)
    page.locator('[data-item="total"]').click()
    save(page, folder, "extraction")


def take_proposal(page: Page, folder: Path) -> None:
    page.goto("/")
    choose_automatic_setup(page)
    drop(page, RECEIPT)
    expect(row_of(page, RECEIPT).locator(".c-state")).to_have_text("Proposed", timeout=LONG)
    row_of(page, RECEIPT).locator("a.name").click()
    page.get_by_role("tab", name="Agent").click()
    page.locator(".setup .offer").wait_for()
    save(page, folder, "proposal")


def take_research(page: Page, model: ScriptedModel, folder: Path) -> None:
    upload(page)
    page.get_by_role("link", name="Agent", exact=True).first.click()
    model.will(search("2025"), read("2025"), search("2026"), read("2026"), compare)
    ask(page)
    expect(page.locator(".agent-text").last).to_contain_text("It rose by", timeout=LONG)
    page.locator(".sources a.place").last.click()
    page.locator(".reader-head h2").wait_for()
    save(page, folder, "research")


def take_rule(page: Page, folder: Path) -> None:
    """With what it would have decided on the cards of before."""
    page.goto(re.sub(r"/documents/.*", "/rules", page.url))
    page.get_by_label("Tool").select_option("create_schema")
    page.get_by_label("What happens").select_option("allow")
    expect(page.locator("#rule-preview").get_by_role("link").first).to_be_visible(timeout=LONG)
    save(page, folder, "rule")


def take_results(page: Page, folder: Path) -> None:
    page.goto("/")
    page.get_by_role("button", name="Results", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("Results of"))).to_be_visible(timeout=LONG)
    save(page, folder, "results")


def take_usage(page: Page, folder: Path) -> None:
    page.get_by_role("link", name="Usage", exact=True).first.click()
    page.get_by_role("heading", name="Dollars by day").wait_for()
    save(page, folder, "usage")
    page.locator("section", has=page.get_by_role("heading", name="By question")).get_by_role("link").nth(1).click()
    page.get_by_role("heading", name=re.compile("of work")).wait_for()
    save(page, folder, "turn-cost")


def row_of(page: Page, name: str) -> Locator:
    return page.locator("tr[data-document]").filter(has_text=name).first


def wait_for_card(page: Page, title: str) -> Locator:
    card = page.locator(".card-wait.on").filter(has=page.get_by_role("heading", name=re.compile(title)))
    card.wait_for(timeout=LONG)
    return card


def save(page: Page, folder: Path, name: str) -> None:
    """With a palette: a third of the bytes."""
    page.mouse.move(0, 0)
    page.wait_for_load_state("networkidle")
    page.evaluate(LOAD_PICTURES)
    image = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide"))).convert("RGB")
    folder.mkdir(parents=True, exist_ok=True)
    image.quantize(colors=256, dither=Image.Dither.NONE).save(folder / f"{name}.png", optimize=True)
    print(f"{name}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
