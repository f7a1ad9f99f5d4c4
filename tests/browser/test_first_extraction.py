"""The first minutes of a new installation: how much has to be pressed until a first extraction is verified."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LONG, run_product
from tests.browser.first_extraction import verify_first_extraction
from tests.product import Product

MAX_PRESSES = 6


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with run_product(tmp_path_factory.mktemp("first-extraction")) as product:
        yield product


def test_the_first_verified_extraction_takes_few_presses(page: Page) -> None:
    journey = verify_first_extraction(page)
    assert journey.presses <= MAX_PRESSES, journey.steps
    page.reload()
    expect(page.locator("#topbar .state")).to_have_text("Verified", timeout=LONG)
