"""The one product that the clients share. A module that imported the fixture would start its own."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.clients.mcp_desk import ROWS, Desk
from tests.product import Product


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    product = Product(tmp_path_factory.mktemp("mcp"), {"MCP_WAIT_SECONDS": "1", "OAUTH_PER_MINUTE": "1000"}).start()
    try:
        product.wait_until(product.is_ready, "the workers")
        run = product.run("-c", ROWS)
        assert run.returncode == 0, run.stderr
        yield Desk(product, json.loads(run.stdout.splitlines()[-1]))
    finally:
        product.stop()
