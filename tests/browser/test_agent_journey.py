"""The Agent tab with the offline model: from a file to checked values, through reloads, two tabs and a restart."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LONG, Complaints, run_product
from tests.product import Product

# Slow enough that a reload falls into the middle of an answer.
STREAM = {"OFFLINE_DELAY_MS": "60"}
SETUP = "Set up extraction for this document"
SCHEMAS = "SELECT id FROM documents_schema"
CREATED = "SELECT id FROM agent_toolcall WHERE tool = 'create_schema' AND status = 'succeeded'"


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with run_product(tmp_path_factory.mktemp("agent"), **STREAM) as product:
        yield product


def say(page: Page, words: str) -> None:
    page.get_by_label("Message to the agent").fill(words)
    page.keyboard.press("Enter")
    expect(page.locator(".user-text").last).to_have_text(words)


def card(page: Page, title: str) -> Locator:
    """The card in hand, once it is the one with this title."""
    waiting = page.locator(".card-wait.on").filter(has=page.get_by_role("heading", name=re.compile(title)))
    waiting.wait_for(timeout=LONG)
    return waiting


def approve(page: Page, title: str) -> None:
    card(page, title).get_by_role("button", name="Approve").click()


def wait_until_ended(page: Page) -> None:
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=LONG)


def count_schemas(product: Product) -> tuple[int, int]:
    """How many there are, and how often the agent made one."""
    return len(product.query(SCHEMAS)), len(product.query(CREATED))


def test_a_person_decides_each_step_from_the_file_to_the_values_and_a_change(thread: Page) -> None:
    page = thread
    page.get_by_role("button", name=SETUP).click()
    card(page, "Create schema “Invoice”")
    page.locator("#thread-scroll").focus()
    page.keyboard.press("r")
    page.keyboard.type("call it Supplier invoice")
    page.keyboard.press("Control+Enter")
    # Taken up: the same proposal, under the name that was asked for.
    approve(page, "Create schema “Supplier invoice”")
    expect(page.locator(".card-done", has_text="“call it Supplier invoice”")).to_contain_text("Rejected by you")
    card(page, "Create prompt")
    page.keyboard.press("a")
    approve(page, "Run “")
    wait_until_ended(page)
    expect(page.locator(".card-done")).to_have_count(4)
    expect(page.get_by_label("Message to the agent")).to_be_focused()

    say(page, "Change the due date to 2026-12-31")
    change = card(page, "Change Due date").locator(".change")
    expect(change.locator("del")).to_contain_text("2026-12-27")
    expect(change.locator("ins")).to_contain_text("2026-12-31")
    other = page.context.new_page()
    other.goto(page.url.partition("/agent")[0])
    expect(other.locator('[data-item="due_date"]')).to_contain_text("2026-12-27")
    approve(page, "Change Due date")
    # Live, in a tab that nobody touched.
    expect(other.locator('[data-item="due_date"]')).to_contain_text("2026-12-31", timeout=LONG)
    expect(other.locator('[data-item="vendor"]')).to_contain_text("Ostrava Tools s.r.o.")
    wait_until_ended(page)

    # And the other way round: what a person edits there shows in the values folded below the chat.
    page.locator("#now summary").click()
    expect(page.locator("#now")).to_contain_text("2026-12-31")
    other.locator('[data-item="vendor"]').click()
    other.keyboard.press("Enter")
    other.keyboard.press("Control+A")
    other.keyboard.type("Ostrava Tools a.s.")
    other.keyboard.press("Enter")
    expect(page.locator("#now")).to_contain_text("Ostrava Tools a.s.", timeout=LONG)
    expect(page.locator("#now")).to_have_attribute("open", "")


def test_text_under_way_survives_a_reload_and_is_followed_in_two_tabs(thread: Page) -> None:
    page = thread
    say(page, "What can you do?")
    expect(page.locator("[data-role=text]")).to_contain_text("set up an extraction", timeout=LONG)
    page.reload()
    # On a busy machine the answer may have ended meanwhile: what was said is there in either case.
    answer = page.locator("[data-role=text], .agent-text:not(.live-text)").last
    expect(answer).to_contain_text("set up an extraction", timeout=LONG)
    other = page.context.new_page()
    other.goto(page.url)
    answers = [each.locator(".agent-text:not(.live-text)") for each in (page, other)]
    for each in answers:
        expect(each).to_contain_text("choose a real model", timeout=LONG)
    assert answers[0].inner_text() == answers[1].inner_text()


def test_without_a_socket_the_page_asks_by_itself(thread: Page) -> None:
    page = thread
    page.context.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())
    page.reload()
    say(page, "What can you do?")
    expect(page.locator(".agent-text:not(.live-text)")).to_contain_text("choose a real model", timeout=LONG)


def test_a_card_outlives_the_product_and_runs_exactly_once(
    thread: Page, product: Product, complaints: Complaints
) -> None:
    page = thread
    schemas, created = count_schemas(product)
    page.get_by_role("button", name=SETUP).click()
    card(page, "Create schema")
    page.keyboard.press("r")
    page.locator(".reason textarea").fill("half a thou")
    product.stop()
    product.start()
    # The socket comes back by itself, and what was being typed is still there.
    expect(page.locator(".reason textarea")).to_have_value("half a thou")
    page.keyboard.press("Escape")
    other = page.context.new_page()
    other.goto(page.url)
    card(other, "Create schema")
    for each in (page, other):
        card(each, "Create schema").get_by_role("button", name="Approve").dispatch_event("click")
    card(page, "Create prompt")
    expect(page.locator(".card-done").filter(has_text="Created schema")).to_have_count(1)
    assert count_schemas(product) == (schemas + 1, created + 1)
    # The browser and htmx log each attempt while nothing listened, and the answer to the later click.
    expected = ("REFUSED", "htmx:", "409")
    assert [text for text in complaints if not any(words in text for words in expected)] == []
    complaints.clear()


def test_two_people_deciding_at_once_are_told_who_won(thread: Page, complaints: Complaints) -> None:
    page = thread
    # A name of its own: the schema of an earlier setup would be run as it is.
    say(page, f"{SETUP}, called Bill")
    card(page, "Create schema")
    other = page.context.new_page()
    other.goto(page.url)
    # This tab hears of nothing any more, so it shows the card as it was.
    page.route("**/items?*", lambda route: route.abort())
    card(other, "Create schema").get_by_role("button", name="Reject").click()
    other.locator(".reason").get_by_role("button", name="Reject").click()
    expect(other.locator(".card-done")).to_contain_text("Rejected by you", timeout=LONG)
    page.locator(".card-wait").first.get_by_role("button", name="Approve").click()
    expect(page.locator("#notice")).to_contain_text("This card was rejected by")
    page.unroute("**/items?*")
    page.keyboard.press("a")
    expect(page.locator(".card-done")).to_contain_text("Rejected by you", timeout=LONG)
    assert [text for text in complaints if "409" not in text and "ERR_FAILED" not in text] == []
    complaints.clear()
