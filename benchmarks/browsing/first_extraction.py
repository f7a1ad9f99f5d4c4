"""Presses and seconds from an empty installation to the first verified extraction, with the offline model.

Headless Chromium in front of a running `up`. The seconds are those of a person who reads nothing and waits for nothing
but the product: reading the pages, the agent's proposal, its extraction.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS, SHORT
from tests.browser.first_extraction import Journey, verify_first_extraction
from tests.needs import chromium
from tests.product import Product


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        product = Product(Path(folder), begins_empty=True).start()
        try:
            journey = _walk(product)
        finally:
            product.stop()
    for words, seconds in journey.steps:
        print(f"{seconds:6.1f} s  {words}")
    print(f"{journey.presses} presses, {journey.seconds:.1f} s to the first verified extraction")


def _walk(product: Product) -> Journey:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        page = browser.new_context(base_url=product.url, viewport={"width": 1440, "height": 900}).new_page()
        page.set_default_timeout(SHORT)
        journey = verify_first_extraction(page)
        browser.close()
        return journey


if __name__ == "__main__":
    main()
