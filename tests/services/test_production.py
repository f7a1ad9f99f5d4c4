"""The product as several machines run it: nothing but DATABASE_URL, REDIS_URL and SECRET_KEY."""

import os

import pytest

from tests import scripts
from tests.product import Product

pytestmark = pytest.mark.services
CREATED = "SELECT status, name FROM agent_toolcall, documents_schema"
GIVEN = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")


@pytest.fixture
def product(tmp_path):
    environment = {name: os.environ[name] for name in GIVEN}
    product = Product(tmp_path, environment=environment)
    product.start()
    product.wait_until(product.is_ready, "the workers")
    yield product
    product.stop()


def run(product, code):
    answer = product.run("-c", code)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_it_reads_and_executes_with_the_given_servers_and_makes_none_of_its_own(product):
    """One test: two would migrate the same database at once, in two processes."""
    assert not product.pid_of("redis-server")
    assert not (product.folder / "data" / "docrouter.sqlite3").exists()
    run(product, scripts.UPLOAD)
    product.wait_until(lambda: "12.50" in str(product.query("SELECT text FROM documents_page")), "the text")
    run(product, scripts.APPROVE)
    product.wait_until(lambda: product.query(CREATED) == [("succeeded", "Invoice")], "the schema")


def test_it_wants_a_secret_key_with_a_database_of_its_own(tmp_path):
    product = Product(tmp_path, environment={"DATABASE_URL": os.environ["DATABASE_URL"]})
    assert "SECRET_KEY: must be set when DATABASE_URL is." in product.run("up").stderr
