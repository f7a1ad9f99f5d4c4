"""The inbox in a browser: what waits is counted live on every page, decided by keys, and gone everywhere then."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DROP, LONG, READ, drop, enter, enter_as_guest
from tests.browser.test_agent_cards import ask, schema
from tests.product import Product
from tests.scripted_model import ScriptedModel, calls, says

BROKEN = base64.b64encode(b"%PDF-1.4\nbroken from here on").decode()
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def product(browser: Browser, scripted_product: Product) -> Iterator[Product]:
    """An organization in which nothing waits yet."""
    with enter_as_guest(browser, scripted_product, "inbox") as product:
        yield product


def badge(page: Page, words: str) -> None:
    expect(page.locator(".nav [data-inbox-count]")).to_have_text(f"{words} to decide", timeout=LONG)


def test_what_waits_is_counted_live_and_decided_by_keys(page: Page, model: ScriptedModel) -> None:
    enter(page)
    page.evaluate(DROP, [[["broken.pdf", "application/pdf", BROKEN]]])
    badge(page, "1")
    drop(page, "gen_invoice_101.pdf")
    row = page.locator("tr[data-document]").filter(has_text="gen_invoice_101")
    expect(row.locator(".c-state")).to_contain_text(READ, timeout=LONG)

    # Two cards come up in a thread: the badge of another page and an open inbox hear of it.
    other = page.context.new_page()
    other.goto(page.url.replace("/documents", "/inbox"))
    expect(other.locator(".todo")).to_have_count(1)
    other.set_viewport_size(PHONE)
    expect(other.locator("#case-back")).to_be_hidden()
    other.set_viewport_size(DESK)
    row.get_by_role("link").first.click()
    page.get_by_role("tab", name="Agent").click()
    page.locator("#agent").wait_for()
    model.will(calls(schema("Invoice", "vendor", "total"), schema("Receipt", "shop")), says("One is there."))
    ask(page, "Make two schemas")
    badge(page, "3")
    expect(other.locator(".todo")).to_have_count(3, timeout=LONG)
    # What is in hand there stays in hand.
    expect(other.locator(".todo[aria-current]")).to_contain_text("broken.pdf")

    # By keys: the first is approved, the next one comes, and is rejected with a reason.
    other.close()
    page.goto(re.sub(r"/documents/.*", "/inbox", page.url))
    expect(page.locator("#inbox-case-in .card-wait.on h3")).to_have_text("Create schema “Invoice”")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("#inbox-case-in .card-wait.on h3")).to_have_text("Create schema “Invoice”")
    page.keyboard.press("a")
    expect(page.locator("#inbox-case-in .card-wait.on h3")).to_have_text("Create schema “Receipt”", timeout=LONG)
    decided = page.locator("#decided li")
    expect(decided.first).to_contain_text("Approved")
    page.keyboard.press("r")
    expect(page.get_by_label("Why? The agent reads this.")).to_be_focused()
    page.keyboard.type("One is enough.")
    # A reload in the middle loses no card.
    page.reload()
    expect(page.locator("#inbox-case-in h3").first).to_have_text("Create schema “Receipt”")
    page.keyboard.press("r")
    page.keyboard.type("One is enough.")
    page.keyboard.press("Control+Enter")
    expect(decided.first).to_contain_text("“One is enough.”", timeout=LONG)
    expect(page.locator("#inbox-case-in .card-wait.on h3")).to_have_text("This file could not be read", timeout=LONG)
    badge(page, "1")
    expect(decided.filter(has_text="Created schema “Invoice”")).to_have_count(1, timeout=LONG)
    page.keyboard.press("z")
    expect(decided.filter(has_text="Undone")).to_have_count(1, timeout=LONG)

    # On a phone: a list that says Look, and the case with its buttons.
    trash = page.get_by_role("button", name="Move to trash")
    page.set_viewport_size(PHONE)
    page.goto(page.url.partition("?")[0])
    expect(trash).to_be_hidden()
    page.get_by_role("link", name="Review broken.pdf").click()
    expect(trash).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.get_by_role("link", name="Inbox").first.click()
    expect(trash).to_be_hidden()
    page.get_by_role("link", name="Review broken.pdf").click()
    trash.click()
    expect(page.get_by_role("heading", name="All caught up")).to_be_visible(timeout=LONG)
    page.set_viewport_size(DESK)
    expect(page.locator(".nav [data-inbox-count]")).to_be_hidden()


def test_an_approver_on_a_phone_decides_three_cards(page: Page, model: ScriptedModel) -> None:
    enter(page)
    drop(page, "gen_invoice_104_rot90.pdf")
    row = page.locator("tr[data-document]").filter(has_text="gen_invoice_104").first
    expect(row.locator(".c-state")).to_contain_text(READ, timeout=LONG)
    row.get_by_role("link").first.click()
    page.get_by_role("tab", name="Agent").click()
    page.locator("#agent").wait_for()
    model.will(calls(*(schema(name, "vendor") for name in ("Waybill", "Voucher", "Docket"))), says("They are there."))
    ask(page, "Make three schemas")
    badge(page, "3")

    assert page.context.browser
    touch = page.context.browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, storage_state=page.context.storage_state()
    )
    phone = touch.new_page()
    phone.goto(re.sub(r"/documents/.*", "/inbox?kind=cards", page.url))
    phone.get_by_role("link", name="Review Create schema “Waybill”").tap()
    case, decided = phone.locator("#inbox-case-in"), phone.locator("#decided li")
    for name, following in (("Waybill", "Voucher"), ("Voucher", "Docket")):
        expect(case.locator(".card-wait h3")).to_have_text(f"Create schema “{name}”", timeout=LONG)
        case.get_by_role("button", name="Approve").first.tap()
        expect(case.locator(".card-wait h3")).to_have_text(f"Create schema “{following}”", timeout=LONG)
    case.get_by_role("button", name="Reject").first.tap()
    expect(case.get_by_text("Rejecting can’t be undone.")).to_be_visible()
    case.locator(".reason").get_by_role("button", name="Reject").tap()
    expect(decided.filter(has_text="Docket")).to_contain_text("Rejected", timeout=LONG)
    expect(phone.locator("#just-decided")).to_contain_text("Rejected Create schema “Docket”")
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    made = decided.filter(has_text="Voucher")
    made.get_by_role("button", name="Undo").tap()
    expect(made).to_contain_text("Undone", timeout=LONG)
    touch.close()
