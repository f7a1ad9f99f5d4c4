"""The product as several machines run it: nothing but DATABASE_URL, REDIS_URL and SECRET_KEY."""

import os

import pytest

from tests.product import Product

pytestmark = pytest.mark.services
GIVEN = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
START = 'import os\nos.environ["DJANGO_SETTINGS_MODULE"] = "docrouter.settings"\nimport django; django.setup()\n'
UPLOAD = (
    START
    + """
from django.core.files.base import ContentFile
from accounts.access import enter
from accounts.services import organizations, users
from documents.services import uploads
user = users.create(None, email="a@example.com", password=None, name="A")
organization = organizations.create(user, name="Acme", type="team")
uploads.store(enter(user, organization.pk), name="note.txt", content=ContentFile(b"Total: 12.50 EUR"))
"""
)
READING = (
    START
    + """
from documents.models import Page
print("".join(page.text for page in Page.objects.all()))
"""
)


@pytest.fixture
def product(tmp_path):
    product = Product(tmp_path, environment={name: os.environ[name] for name in GIVEN})
    product.start()
    product.wait_until(product.is_ready, "the workers")
    yield product
    product.stop()


def test_it_starts_no_redis_of_its_own_and_reads_a_document(product):
    assert not product.pid_of("redis-server")
    assert not (product.folder / "data" / "docrouter.sqlite3").exists()
    answer = product.run("-c", UPLOAD)
    assert answer.returncode == 0, answer.stderr
    product.wait_until(lambda: "12.50" in product.run("-c", READING).stdout, "the text")


def test_it_wants_a_secret_key_with_a_database_of_its_own(tmp_path):
    product = Product(tmp_path, environment={"DATABASE_URL": os.environ["DATABASE_URL"]})
    assert "SECRET_KEY: must be set when DATABASE_URL is." in product.run("up").stderr
