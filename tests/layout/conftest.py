"""One product with the hardest data, and a browser in front of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import EMAIL, PASSWORD, browser, playwright, run_product
from tests.product import Product

__all__ = ["browser", "playwright"]  # fixtures of the journeys that are used here too

IS_SETTLED = """
    SELECT NOT EXISTS (SELECT 1 FROM documents_reading WHERE status NOT IN ('completed', 'failed'))
        AND EXISTS (SELECT 1 FROM agent_toolcall WHERE status = 'pending')
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.layout)


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    admin = {"ADMIN_EMAIL": EMAIL, "ADMIN_PASSWORD": PASSWORD}
    with run_product(tmp_path_factory.mktemp("layout"), **admin) as started:
        started.wait_until(started.is_ready, "everything")
        yield started


@pytest.fixture(scope="session")
def ids(product: Product) -> dict[str, str]:
    """The ids of what `rows.fill` made, once its documents have been read and the card of its thread waits."""
    ids_by_name: dict[str, str] = json.loads(_ask(product, "from tests.layout.rows import fill; fill()"))
    product.wait_until(
        lambda: product.query(IS_SETTLED) == [(1,)],
        "the readings and the card",
        seconds=300,
    )
    return ids_by_name


def _ask(product: Product, code: str) -> str:
    done = product.run("shell", "-v", "0", "-c", code)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="session")
def session(browser: Browser, product: Product) -> Any:
    """The cookies of the admin."""
    context = browser.new_context(base_url=product.url)
    page = context.new_page()
    page.goto("/sign-in")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("form .btn-primary").click()
    page.wait_for_url("**/documents")
    cookies = context.cookies()
    context.close()
    return cookies
