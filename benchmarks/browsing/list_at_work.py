"""The documents list in a browser: where it begins whatever happened before, and what a person waits for and presses.

    python -m benchmarks.browsing.list_at_work

Pixels of the table head (1280 × 800, at most 180) and of the first row (390 × 844, at most 260) in each state. From the
press that moves a row to the trash, or takes that back, until the page shows it. The presses from an empty installation
to the first verified extraction.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.conftest import ARGUMENTS, LONG, ORGANIZATION, drop
from tests.browser.first_extraction import verify_first_extraction
from tests.needs import chromium
from tests.product import Product

SIZES = {(1280, 800): ("table head", 180), (390, 844): ("first row", 260)}
TOPS = """() => ['.docs thead', '#rows tr[data-document]:not([hidden])'].map(
    (part) => Math.round(document.querySelector(part).getBoundingClientRect().top))"""
ROUNDS = 5
# Milliseconds from the press until the row is gone, or there: looked at before each frame is drawn.
TIME_PRESS = """([id, isThere, button]) => new Promise((done) => {
    let began = 0;
    document.addEventListener('click', () => { began = performance.now(); }, { capture: true, once: true });
    const look = () => {
        const row = document.getElementById(id);
        if (began && Boolean(row && !row.hidden) === isThere) done(performance.now() - began);
        else requestAnimationFrame(look);
    };
    look();
    button.click();
})"""


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix="docrouter-list-"))
    product = Product(folder).start()
    try:
        with open_browser() as browser:
            page = browser.new_page(base_url=product.url)
            page.set_default_timeout(LONG)
            journey = verify_first_extraction(page)
            seeded = product.run("seed_demo", "--organization", ORGANIZATION, "--documents", "60")
            if seeded.returncode:
                sys.exit(seeded.stderr)
            page.goto("/")
            tops = dict(measure_states(page))
            print(f"presses to the first verified extraction: {journey.presses}, {journey.seconds:.0f} s")
            return report(tops) + time_trash(page)
    finally:
        product.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


def measure_states(page: Page) -> Iterator[tuple[str, list[int]]]:
    """Each state with the two pixels. They come one after the other, so that the last has all of them."""
    expect(page.locator(".note summary")).to_be_visible()
    yield "quiet, key note", measure_tops(page)
    page.locator(".note summary").click()
    page.get_by_role("button", name="Hide for today").click()
    yield "quiet, key note hidden", measure_tops(page)
    page.context.clear_cookies(name="model-note")
    page.reload()
    drop(page, "gen_105.txt", "gen_invoice_101.pdf")
    page.locator(".drop-said").wait_for()
    yield "uploading", measure_tops(page)
    expect(page.locator(".drop-said:not([data-live])")).to_have_count(1, timeout=LONG)
    page.locator("[data-select]").nth(5).click()
    yield "one selected", measure_tops(page)
    page.locator("#bulk").get_by_role("button", name="Move to trash").click()
    expect(page.locator("#status [data-front]")).to_contain_text("1 of 1 done", timeout=LONG)
    yield "after a bulk action", measure_tops(page)
    trash_row(page, 4)
    expect(page.locator("#status [data-front]")).to_contain_text("Moved to the trash")
    yield "after a row's action, all of these folded", measure_tops(page)


def measure_tops(page: Page) -> list[int]:
    tops = []
    for at, (width, height) in enumerate(SIZES):
        page.set_viewport_size({"width": width, "height": height})
        tops.append(page.evaluate(TOPS)[at])
    page.set_viewport_size({"width": 1280, "height": 800})
    return tops


def trash_row(page: Page, at: int) -> str:
    row = page.locator("tr[data-document]:visible").nth(at)
    row_id = str(row.get_attribute("id"))
    row.locator(".menu summary").click()
    row.get_by_role("button", name="Move to trash").click()
    return row_id


def time_trash(page: Page) -> int:
    """Print the medians of some rounds. 1 when one of them takes longer than a person notices."""
    gone, back = zip(*(time_one(page) for _ in range(ROUNDS)), strict=True)
    print(f"a row is gone {median(gone):.0f} ms after the press, back {median(back):.0f} ms after undo (to reach: 100)")
    return int(max(median(gone), median(back)) > 100)


def time_one(page: Page) -> tuple[float, float]:
    row = page.locator("tr[data-document]:visible").nth(3)
    row_id = str(row.get_attribute("id"))
    row.locator(".menu summary").click()
    went = time_press(page, row_id, row.get_by_role("button", name="Move to trash").element_handle(), is_there=False)
    undo = page.locator(f'#status [data-goes-to="{row_id.removeprefix("document-")}"]')
    undo.wait_for()
    came = time_press(page, row_id, undo.element_handle(), is_there=True)
    expect(page.locator(".htmx-request")).to_have_count(0)
    return went, came


def time_press(page: Page, row_id: str, button: object, *, is_there: bool) -> float:
    return float(page.evaluate(TIME_PRESS, [row_id, is_there, button]))


def report(tops: dict[str, list[int]]) -> int:
    """1 when one of them is beyond what is to be reached."""
    print(
        "| state | "
        + " | ".join(f"{part} at {w} × {h}, at most {most}" for (w, h), (part, most) in SIZES.items())
        + " |"
    )
    for state, pixels in tops.items():
        print(f"| {state} | " + " | ".join(map(str, pixels)) + " |")
    limits = [most for _, most in SIZES.values()]
    return int(any(top > most for pixels in tops.values() for top, most in zip(pixels, limits, strict=True)))


if __name__ == "__main__":
    sys.exit(main())
