"""The page around the agent: naming things with @, threads, going back to a message, copying, a phone, long threads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import SHORT, Complaints, drop, enter, go_on, open_without_socket
from tests.product import Product

LONG = 180_000
PHONE = {"width": 390, "height": 844}
SEED = """
import json
from accounts.access import enter
from accounts.models import Member
from agent.models import Thread, Turn
from agent.conversation import messages, threads
from documents.models import Document, Schema
from documents.definitions import prompts, schemas, tags
member = Member.objects.get(organization__name="Delmar Logistics")
actor = enter(member.user, member.organization_id)
mine = Document.objects.for_org(member.organization)
document = mine.filter(name="gen_invoice_101.pdf").latest("created_at")
if not Schema.objects.filter(name="Supplier invoice").exists():
    text = {"type": "string", "description": "As printed"}
    format = {"type": "json_schema", "json_schema": {"name": "s", "schema": {"type": "object", "properties": {"vendor": text}}}}
    made = schemas.create(actor, name="Supplier invoice", response_format=format)
    schemas.create(actor, name="Supplier statement", response_format=format)
    prompts.create(actor, name="Vendors only", content="Take the vendor.", schema_revision=made)
    tags.create(actor, name="Suppliers", description="Of suppliers")
def thread(title, *said):
    made = threads.create(actor, document=document, title=title)
    for number, (question, answer) in enumerate(said, 1):
        turn = Turn.objects.create(thread=made, number=number, model="offline/rules", max_rounds=10, limit_micros=10**6,
                                   code_version="x", status="completed", started_by=actor.user)
        messages.write(turn, role="user", blocks=[{"type": "text", "text": question}])
        messages.write(turn, role="assistant", blocks=[{"type": "text", "text": answer}])
    return made.pk
code = "See:\\n\\n```json\\n{\\n  \\"total\\": 12\\n}\\n```\\n\\n[The rules](https://rules.example/x)"
print(json.dumps({
    "document": f"/orgs/{member.organization_id}/documents/{document.pk}",
    "code": thread("Some code", ("Show me the needle", code)),
    "long": thread("A long talk", *((f"Question {n}", f"Answer {n}") for n in range(1, 61))),
    "gone": thread("To be trashed", ("A question", "An answer")),
    "back": thread("To go back in", ("First question", "First answer"), ("Second question", "Second answer")),
}))
"""


@pytest.fixture(scope="module")
def seeded() -> dict[str, Any]:
    return {}


def _context(browser: Browser, product: Product, complaints: Complaints, **options: Any) -> Page:
    opened = browser.new_context(base_url=product.url, **options).new_page()
    opened.set_default_timeout(SHORT)
    opened.on("console", complaints.hear)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    return opened


@pytest.fixture
def page(browser: Browser, product: Product, complaints: Complaints, seeded: dict[str, Any]) -> Iterator[Page]:
    """Signed in once for all journeys of this file."""
    opened = _context(
        browser, product, complaints, viewport={"width": 1440, "height": 900}, storage_state=seeded.get("state")
    )
    yield opened
    opened.context.close()
    assert not complaints


@pytest.fixture
def talks(page: Page, product: Product, seeded: dict[str, Any]) -> dict[str, Any]:
    """Schemas, prompts and tags to name, and threads on a document that has been read; made once."""
    if not seeded:
        enter(page)
        if not page.get_by_role("link", name=re.compile("gen_invoice_101")).count():
            drop(page, "gen_invoice_101.pdf")
        row = page.locator("tr[data-document]").filter(has_text="gen_invoice_101").first
        expect(row.locator(".c-state")).to_contain_text(re.compile("Read,|To verify|Verified"), timeout=LONG)
        answer = product.run("shell", "-c", SEED)
        assert answer.returncode == 0, answer.stderr
        seeded.update(json.loads(answer.stdout.strip().splitlines()[-1]), state=page.context.storage_state())
    return seeded


@pytest.fixture
def phone(browser: Browser, product: Product, talks: dict[str, Any], complaints: Complaints) -> Iterator[Page]:
    opened = _context(browser, product, complaints, viewport=PHONE, has_touch=True, storage_state=talks["state"])
    yield opened
    opened.context.close()


def open_thread(page: Page, talks: dict[str, Any], thread: str) -> Page:
    page.goto(f"{talks['document']}/agent?thread={talks.get(thread, thread)}")
    page.locator("#agent").wait_for()
    return page


def field(page: Page) -> Locator:
    return page.get_by_label("Message to the agent")


def option(page: Page, words: str) -> Locator:
    return page.get_by_role("option", name=words)


def type_in(page: Page, words: str) -> None:
    field(page).focus()
    page.keyboard.type(words)


def test_things_are_named_by_keyboard_and_stand_as_chips(page: Page, talks: dict[str, Any]) -> None:
    open_thread(page, talks, "new")
    type_in(page, "Like @suppl")
    expect(option(page, "Supplier invoice version 1")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("option")).to_have_count(3)
    expect(field(page)).to_have_attribute("aria-activedescendant", "suggest-0")
    page.keyboard.press("ArrowDown")
    expect(option(page, "Supplier statement")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Tab")
    expect(field(page)).to_be_focused()
    expect(field(page)).to_have_value("Like @Supplier statement v1 ")
    expect(page.locator(".mention-under")).to_have_text("@Supplier statement v1")
    # The first takes the space, the second the whole chip.
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    expect(field(page)).to_have_value("Like ")
    page.keyboard.type("@ven")
    option(page, "Vendors only").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("#suggest")).to_be_hidden()
    page.keyboard.type("d")
    expect(field(page)).to_have_value("Like @vend")
    expect(page.locator("#suggest")).to_be_hidden()
    expect(page.locator("[name=mentions]")).to_have_value("[]")


def test_what_was_named_is_a_chip_after_a_reload_and_what_is_new_is_offered(page: Page, talks: dict[str, Any]) -> None:
    open_thread(page, talks, "new")
    type_in(page, "Use @sup")
    option(page, "Supplier invoice").click()
    expect(field(page)).to_be_focused()
    other = page.context.new_page()
    other.goto(f"{talks['document'].partition('/documents')[0]}/tags/new")
    other.get_by_label("Name").fill("Surprise supplier")
    other.locator("form .btn-primary").click()
    other.wait_for_url("**/tags")
    page.keyboard.type("and @supplier")
    # The answer that was kept for the letter did not hold it.
    option(page, "Surprise supplier").click()
    page.keyboard.press("Enter")
    chips = page.locator(".user-text .mention")
    expect(chips).to_have_text(["Supplier invoice v1", "Surprise supplier"])
    page.reload()
    expect(chips).to_have_text(["Supplier invoice v1", "Surprise supplier"])
    expect(chips.first).to_have_attribute("href", re.compile(r"/schemas/\w+\?version=1"))


def test_a_thread_is_renamed_found_and_taken_back_from_the_trash(page: Page, talks: dict[str, Any]) -> None:
    open_thread(page, talks, "code")
    page.locator("#thread-acts summary").click()
    page.get_by_role("button", name="Rename", exact=True).click()
    page.keyboard.type("Rules and code")
    page.keyboard.press("Enter")
    expect(page.locator("#thread-title")).to_have_text("Rules and code")
    expect(page.locator("#thread-acts summary")).to_be_focused()
    page.locator("#thread-acts summary").click()
    page.get_by_role("button", name="Move to trash").click()
    expect(page.locator("#notice")).to_contain_text("“Rules and code” is in the trash.")
    expect(page).to_have_url(re.compile("thread=new"))
    page.locator("#notice").get_by_role("button", name="Undo").click()
    expect(page.locator("#thread-title")).to_have_text("Rules and code")
    with page.expect_navigation():  # until its scripts, which know the key, have run
        page.get_by_role("link", name="Agent", exact=True).click()
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.type("THE NEEDLE")
    expect(page.locator(".thread-row")).to_have_count(1)
    expect(page.locator(".thread-row mark")).to_have_text("the needle")
    page.get_by_role("link", name=re.compile("Rules and code")).click()
    expect(page.locator(".user-text")).to_have_text("Show me the needle")


def test_going_back_to_a_message_drops_what_followed(page: Page, talks: dict[str, Any]) -> None:
    open_thread(page, talks, "back")
    pencil = page.get_by_role("button", name="Edit this message")
    field(page).fill("half a thought")
    pencil.first.focus()
    page.keyboard.press("Enter")
    expect(field(page)).to_have_value("First question")
    expect(page.locator("#composer-edit")).to_contain_text("drops what came after")
    page.keyboard.press("Escape")
    expect(field(page)).to_have_value("half a thought")
    pencil.first.click()
    field(page).fill("What can you do?")
    page.keyboard.press("Enter")
    expect(page.locator(".user-text")).to_have_text(["What can you do?"])
    expect(page.locator(".agent-text:not(.live-text)")).to_contain_text("choose a real model", timeout=LONG)
    expect(page.locator("#composer-edit")).to_be_hidden()
    expect(page.locator("#thread")).not_to_contain_text("First answer")


def test_code_is_copied_and_an_address_is_text(page: Page, talks: dict[str, Any]) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_thread(page, talks, "code")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("[data-copy-code]")).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == '{\n  "total": 12\n}\n'
    expect(page.locator("#thread")).to_contain_text("https://rules.example/x")
    expect(page.locator("#thread a[href*='rules.example']")).to_have_count(0)
    page.get_by_role("button", name="Copy this message").click()
    expect(page.locator("#agent-says")).to_have_text("Copied.")
    assert page.evaluate("() => navigator.clipboard.readText()") == "Show me the needle"


def test_a_long_thread_opens_at_its_end_and_shows_more_on_demand(page: Page, talks: dict[str, Any]) -> None:
    open_thread(page, talks, "long")
    expect(page.locator(".user-text")).to_have_count(25)
    expect(page.locator(".agent-text").last).to_be_in_viewport()
    page.get_by_role("button", name="Show earlier messages").click()
    expect(page.locator(".user-text")).to_have_count(50)
    # What was being read stays where it was.
    expect(page.get_by_text("Question 36", exact=True)).to_be_in_viewport()
    page.get_by_role("button", name="Show earlier messages").click()
    expect(page.locator(".user-text")).to_have_count(60)
    expect(page.locator("#earlier")).to_have_count(0)


def test_pages_that_become_readable_appear_beside_the_agent(page: Page, talks: dict[str, Any]) -> None:
    open_thread(page, talks, "new")
    expect(page.locator("#desk svg.page")).to_have_count(1)
    # As the page was before the document was read. Then a hint makes it fetch the bar above, which names the pages.
    page.evaluate("""() => {
        document.getElementById('viewer').replaceChildren();
        document.dispatchEvent(new CustomEvent('docrouter:poll'));
    }""")
    expect(page.locator("#desk svg.page")).to_have_count(1)


def test_another_tab_learns_that_its_thread_went_to_the_trash(page: Page, talks: dict[str, Any]) -> None:
    """One hears of it, the other has not opened its socket by then."""
    open_thread(page, talks, "gone")
    other, late = page.context.new_page(), page.context.new_page()
    held = open_without_socket(late, page.url)
    open_thread(other, talks, "gone")
    page.locator("#thread-acts summary").click()
    page.get_by_role("button", name="Move to trash").click()
    expect(other.locator("#composer-problem")).to_contain_text("in the trash")
    go_on(late, held)
    expect(late.locator("#composer-problem")).to_contain_text("in the trash")


def test_on_a_phone_the_agent_fills_the_screen_and_opens_at_the_card_that_waits(
    phone: Page, talks: dict[str, Any]
) -> None:
    open_thread(phone, talks, "new")
    phone.get_by_role("button", name="Set up extraction for this document").tap()
    card = phone.locator(".card-wait").first
    card.wait_for(timeout=LONG)
    phone.reload()
    expect(card.get_by_role("heading").first).to_be_in_viewport()
    expect(phone.locator("#viewer")).to_be_hidden()
    assert phone.evaluate("() => document.documentElement.scrollWidth") == PHONE["width"]
    small = phone.locator("#agent").evaluate(
        """(agent) => [...agent.querySelectorAll('button, summary, select, .menu-list a:not(p *)')]
            .map((each) => [each.getBoundingClientRect(), each.textContent.trim() || each.ariaLabel])
            .filter(([box]) => box.width && (box.height < 43.5 || box.width < 43.5)).map(([, name]) => name)"""
    )
    assert small == []
    type_size = field(phone).evaluate("(field) => getComputedStyle(field).fontSize")
    assert type_size == "16px"
    card.get_by_role("button", name="Approve").first.tap()
    expect(phone.locator(".card-done").first).to_be_visible(timeout=LONG)
