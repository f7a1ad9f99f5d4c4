"""The wheel, installed beside nothing of the repository: it serves its pages and reads a file."""

import re
import subprocess
import sys
from urllib.request import urlopen

import pytest

from tests import scripts
from tests.product import ROOT, Product

pytestmark = pytest.mark.clients
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder that the wheel is installed into; what it runs on is that of the tests."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT], check=True)
    site = folder / "site"
    subprocess.run([*PIP, "install", "--no-deps", "--target", site, *folder.glob("*.whl")], check=True)
    return site


@pytest.fixture
def product(site, tmp_path):
    environment = {"PYTHONPATH": str(site), "STATIC_ROOT": str(tmp_path / "static")}
    command = (sys.executable, str(site / "bin" / "docrouter"))
    product = Product(tmp_path, environment, command=command, home=tmp_path)
    product.start()
    yield product
    product.stop()


def test_it_serves_its_pages_and_reads_a_file(product, site):
    with urlopen(f"{product.url}/") as page:
        styles = re.findall(r'href="(/static/[^"]+\.css)"', page.read().decode())
    assert styles
    for address in styles:
        with urlopen(product.url + address) as style:
            assert style.status == 200 and style.read()
    answer = product.run(
        "-c", f"import documents; assert documents.__file__.startswith({str(site)!r})\n{scripts.UPLOAD}"
    )
    assert answer.returncode == 0, answer.stderr
    product.wait_until(lambda: "12.50" in str(product.query("SELECT text FROM documents_page")), "the text")
