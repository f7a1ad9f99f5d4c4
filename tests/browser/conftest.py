"""A real product on a folder of its own, and headless Chromium in front of it."""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, Route, expect, sync_playwright

from tests.needs import chromium
from tests.product import Product
from tests.scripted_model import ScriptedModel

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# What the tool of an outside server says of itself.
LETTERS = "letters.txt"
EMAIL, PASSWORD, ORGANIZATION = "mara@delmar.example", "a long sentence for the door", "Delmar Logistics"
LONG = 180_000
# A document whose like was set up before says so.
SCRIPTS = re.compile(r"/js/\w+\.joined\.")
READ = re.compile("Read, no tag|Looks like")
# What should be there at once: a wait that is not needed costs nothing, and a busy machine needs it.
SHORT = 60_000
expect.set_options(timeout=SHORT)
DATA = Path(__file__).resolve().parent.parent / "data"
DROP = """([files]) => {
    const dropped = new DataTransfer();
    for (const [name, type, content] of files) {
        const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
        dropped.items.add(new File([bytes], name, { type }));
    }
    for (const kind of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: dropped, bubbles: true, cancelable: true }));
    }
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@contextmanager
def run_product(folder: Path, **environment: str) -> Iterator[Product]:
    product = Product(folder, environment=environment).start()
    try:
        yield product
    finally:
        product.stop()


@contextmanager
def run_with_model(model: ScriptedModel, folder: Path) -> Iterator[Product]:
    """A product whose agent says what the test wrote; extractions are the offline model's."""
    variables = {"MODEL_API_BASE": model.base_url, "DEFAULT_MODEL": model.model, "OPENAI_API_KEY": "not-a-key"}
    server = f"{sys.executable} -S {Path(__file__).with_name('letter_server.py')} {folder / LETTERS}"
    variables |= {"OUTSIDE_MCP_COMMANDS": f"letters={server}", "MCP_WAIT_SECONDS": "1"}
    with run_product(folder, **variables, EXTRACTION_MODEL="offline/rules") as product:
        yield product


@pytest.fixture(scope="session")
def shared_product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with run_product(tmp_path_factory.mktemp("product")) as product:
        yield product


@pytest.fixture(scope="session")
def product(shared_product: Product) -> Product:
    return shared_product


@pytest.fixture(scope="session")
def model() -> Iterator[ScriptedModel]:
    """Its replies may be functions of what it was sent: a model names things by the ids that it has read."""
    scripted = ScriptedModel()
    scripted.start()
    yield scripted
    scripted.stop()


@pytest.fixture(scope="session")
def scripted_product(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel) -> Iterator[Product]:
    with run_with_model(model, tmp_path_factory.mktemp("scripted")) as product:
        yield product


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    launched = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
    yield launched
    launched.close()


# A journey that goes on to another page ends what this one still asks for. `afterRequest` never comes alone: what
# failed is said after it, as `sendError`, `timeout` or `sendAbort`.
ENDED_BY_LEAVING = ("htmx:sendAbort", "htmx:afterRequest")


class Complaints(list[str]):
    """What the browser's console said against the page. A journey fails when anything is left in it."""

    def hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(ENDED_BY_LEAVING):
            self.append(message.text)


@pytest.fixture
def complaints() -> Complaints:
    return Complaints()


@pytest.fixture
def page(browser: Browser, product: Product, complaints: Complaints) -> Iterator[Page]:
    context = browser.new_context(base_url=product.url, viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(SHORT)
    opened.on("console", complaints.hear)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert not complaints


# Of each product and person, once signed in: a password is slow to check, and it is meant to be.
_sessions: dict[tuple[str, str], Any] = {}
# Who the journeys of the present file come in as, where it has an organization of its own.
_guests: dict[str, str] = {}
MAKE_GUESTS = """
import django
django.setup()
from accounts.services import organizations, users
for name in {names!r}:
    guest = users.create(None, email=f"{{name}}@guest.example", password={password!r}, name="Mara")
    organizations.create(guest, name=name, type="team")
"""
GUESTS = (
    "bulk",
    "clerk",
    "coming-back",
    "comparing",
    "files",
    "finding",
    "held",
    "inbox",
    "searching",
    "setup",
    "to-inbox",
)
_with_guests: set[str] = set()


@contextmanager
def enter_as_guest(browser: Browser, product: Product, name: str) -> Iterator[Product]:
    """The product, with an organization of this name in it that no other journey sees: starting another takes 11 s."""
    if product.url not in _with_guests:
        _make_guests(browser, product)
    _guests[product.url] = f"{name}@guest.example"
    yield product
    del _guests[product.url]


def _make_guests(browser: Browser, product: Product) -> None:
    """Make all at once: another process takes two seconds of CPU."""
    context = browser.new_context(base_url=product.url)
    enter(context.new_page())  # the first person sets it up
    context.close()
    made = product.run("-c", MAKE_GUESTS.format(names=GUESTS, password=PASSWORD))
    assert made.returncode == 0, made.stderr
    _with_guests.add(product.url)


@pytest.fixture
def thread(page: Page) -> Page:
    """The Agent tab of a document that has been read, at a thread that does not exist yet."""
    enter(page)
    link = page.get_by_role("link", name=re.compile("gen_invoice_101"))
    if not link.count():
        drop(page, "gen_invoice_101.pdf")
        row = page.locator("tr[data-document]").filter(has_text="gen_invoice_101")
        expect(row.locator(".c-state")).to_contain_text(READ, timeout=LONG)
    page.goto(f"{link.first.get_attribute('href')}/agent?thread=new")
    page.locator("#agent").wait_for()
    return page


def enter(page: Page) -> None:
    """Through the door: the first visitor sets the product up, the next journeys come in with the session of before."""
    origin = page.context.request.get("/", max_redirects=0).url.removesuffix("/")
    email = _guests.get(origin, EMAIL)
    page.context.add_cookies(_sessions.get((origin, email), []))
    page.goto("/")
    if page.url.endswith("/documents"):
        return
    if "first-run" in page.url:
        page.get_by_label("Organization").fill(ORGANIZATION)
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("form .btn-primary").click()
    page.wait_for_url("**/documents")
    _sessions[page.url.partition("/orgs/")[0], email] = page.context.cookies()


def choose_automatic_setup(page: Page) -> None:
    """For the next uploads: beside the button that chooses files, or in the middle of a list that is empty."""
    choice = page.get_by_label("Create schema and prompt automatically").locator("visible=true")
    options = page.locator(".upload-options summary")
    expect(options.or_(choice).locator("visible=true").first).to_be_visible()
    if options.is_visible() and not choice.count():
        options.click()
    choice.check()
    page.keyboard.press("Escape")


def run_prompt(page: Page, name: str) -> None:
    """By its own button where documents like this one have run it: the form then offers the other prompts alone."""
    offered = page.get_by_role("button", name=f"Run {name}", exact=True)
    listed = page.get_by_label("Prompt", exact=True).filter(has_text=f"{name} v1")
    expect(offered.or_(listed)).to_be_visible(timeout=LONG)
    if offered.is_visible():
        offered.click()
        return
    listed.select_option(label=f"{name} v1")
    page.get_by_role("button", name="Run", exact=True).click()


def wait_for(page: Page, holds: Callable[[], object]) -> None:
    """Lets the browser's events come in until it holds."""
    for _ in range(LONG // 20):
        if holds():
            return
        page.wait_for_timeout(20)
    raise AssertionError("it did not come to hold")


def open_without_socket(page: Page, address: str) -> list[Route]:
    """The page, before its scripts have opened a socket. Gives the routes that hold them back."""
    held: list[Route] = []
    page.route(SCRIPTS, lambda route: held.append(route))
    page.goto(address, wait_until="commit")
    page.locator("#main").wait_for()
    return held


def go_on(page: Page, held: list[Route]) -> None:
    wait_for(page, lambda: held)
    page.unroute(SCRIPTS)  # which lets go on what is held


def drop(page: Page, *names: str) -> None:
    """Drops files of tests/data on the page."""
    files = [[name, "", base64.b64encode((DATA / name).read_bytes()).decode()] for name in names]
    page.evaluate(DROP, [files])
