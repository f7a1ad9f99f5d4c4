"""What an open page shows after it was away: taken from the browser's cache, or without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Request, Route, WebSocketRoute, expect

from tests.browser.conftest import (
    LONG,
    READ,
    Complaints,
    drop,
    enter,
    enter_as_guest,
    go_on,
    open_without_socket,
    wait_for,
)
from tests.product import Product

HIDE = "() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))"
SHOW = "() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"

# Of two documents; the row of the first is there before the list looks.
TWO_HINTS = """() => {
  const tell = (id) => document.dispatchEvent(new CustomEvent('docrouter:event', { detail: { document_id: id } }));
  tell('first');
  document.getElementById('rows').insertAdjacentHTML('beforeend', '<tr id="document-first" data-document="first"></tr>');
  tell('second');
}"""

SAY_WHEN_THE_LIST_HAS_COME = """() => document.addEventListener('htmx:afterSwap', ({ detail }) => {
  if (detail.target.id === 'rows') document.body.dataset.came = '';
})"""


@pytest.fixture(scope="module")
def product(browser: Browser, shared_product: Product) -> Iterator[Product]:
    with enter_as_guest(browser, shared_product, "coming-back") as product:
        yield product


@pytest.fixture
def deaf(page: Page) -> Page:
    """The documents list of a page that hears no hint: what it shows anew, it has asked for."""

    def drop_hints(socket: WebSocketRoute) -> None:
        socket.connect_to_server().on_message(lambda message: None)

    page.route_web_socket(re.compile("/ws/"), drop_hints)
    enter(page)
    return page


def test_the_head_counts_what_the_list_shows(page: Page) -> None:
    enter(page)
    count = page.locator("#count")
    drop(page, "gen_invoice_101.pdf", "gen_105.txt")
    expect(count).to_have_text("2", timeout=LONG)
    page.get_by_label("Find documents").fill("invoice")
    expect(count).to_have_text("1 of 2")
    page.get_by_label("Find documents").fill("")
    expect(count).to_have_text("2")
    row = page.locator("tr[data-document]").filter(has_text="gen_105.txt")
    row.locator(".menu summary").click()
    row.get_by_role("button", name="Move to trash").click()
    expect(count).to_have_text("1")
    page.get_by_role("button", name="Undo").click()
    expect(count).to_have_text("2")


def test_a_list_taken_from_the_cache_shows_what_holds_now(deaf: Page) -> None:
    with deaf.expect_response(re.compile("documents\\?.*shown=")):
        drop(deaf, "gen_105.txt")
    expect(deaf.locator("tr[data-document]").filter(has_text="gen_105.txt").first).to_be_visible()
    deaf.evaluate(HIDE)
    other = deaf.context.new_page()
    other.goto(deaf.url)
    drop(other, "gen_invoice_104_rot90.pdf")
    expect(other.locator("tr[data-document]").filter(has_text="rot90")).to_be_visible()
    expect(deaf.locator("#rows")).not_to_contain_text("rot90")
    deaf.evaluate(SHOW)
    expect(deaf.locator("#rows")).to_contain_text("rot90")


def test_a_page_shows_what_changed_before_its_socket_opened(page: Page) -> None:
    enter(page)
    organization = page.url.removesuffix("/documents")
    page.goto(f"{organization}/tags/new")
    page.get_by_label("Name").fill("Early")
    page.locator("form .btn-primary").click()
    page.wait_for_url("**/tags")
    pages = {name: page.context.new_page() for name in ("documents", "tags", "documents/trash")}
    held = {name: open_without_socket(opened, f"{organization}/{name}") for name, opened in pages.items()}
    page.get_by_role("link", name="Early").click()
    page.get_by_label("Name").fill("Late")
    page.locator("form .btn-primary").click()
    page.wait_for_url("**/tags")
    page.goto(f"{organization}/documents")
    for name in ("kept.txt", "gone.txt"):
        page.locator("#files").set_input_files([{"name": name, "mimeType": "text/plain", "buffer": name.encode()}])
        page.locator("tr[data-document]").filter(has_text=name).wait_for()
    row = page.locator("tr[data-document]").filter(has_text="gone.txt")
    row.locator(".menu summary").click()
    row.get_by_role("button", name="Move to trash").click()
    expect(page.locator("#notice")).to_contain_text("Moved to the trash: gone.txt")
    for name, shown in {"documents": "kept.txt", "tags": "Late", "documents/trash": "gone.txt"}.items():
        go_on(pages[name], held[name])
        expect(pages[name].locator("#rows")).to_contain_text(shown)


def test_an_older_list_never_lands_on_a_newer_row(page: Page) -> None:
    enter(page)
    drop(page, "gen_105.txt")
    row = page.locator("tr[data-document]").first
    expect(row.locator(".c-state")).to_have_text(READ, timeout=LONG)
    answers: list[tuple[Route, APIResponse]] = []
    page.route(re.compile("documents\\?.*shown="), lambda route: answers.append((route, route.fetch())), times=1)
    page.evaluate(SAY_WHEN_THE_LIST_HAS_COME)
    page.evaluate("document.dispatchEvent(new CustomEvent('docrouter:back'))")
    wait_for(page, lambda: answers)
    other = page.context.new_page()
    other.goto(page.url)
    renamed = other.locator("tr[data-document]").first
    renamed.locator(".menu summary").click()
    renamed.get_by_role("button", name="Rename").click()
    renamed.locator("[data-focus]").fill("newer.txt")
    other.keyboard.press("Enter")
    expect(renamed).to_contain_text("newer.txt")
    page.wait_for_timeout(700)  # until the hint has come
    [(route, answer)] = answers
    route.fulfill(response=answer)
    page.locator("body[data-came]").wait_for()
    expect(row).to_contain_text("newer.txt")


def test_of_two_unknown_documents_named_at_once_none_is_missed(page: Page) -> None:
    """The answer that brings the first may have begun before the second was there."""
    enter(page)
    with page.expect_request(re.compile("documents\\?.*shown=")):
        page.evaluate(TWO_HINTS)


def test_a_page_says_that_it_is_offline_until_it_is_back_with_what_holds_now(
    deaf: Page, complaints: Complaints
) -> None:
    drop(deaf, "gen_105.txt")
    expect(deaf.locator("tr[data-document]").first).to_be_visible()
    notice = deaf.locator("#notice")
    deaf.context.set_offline(True)
    expect(notice).to_contain_text(re.compile("This device is offline|The server cannot be reached"))
    deaf.locator("tr[data-document]").first.locator(".menu summary").click()
    deaf.get_by_role("button", name="Rename").first.click()
    expect(notice).to_contain_text("The server cannot be reached")
    with deaf.expect_response(re.compile("documents\\?.*shown=")):
        deaf.context.set_offline(False)
    expect(notice).to_be_empty()
    # The browser and htmx log each request that found no network by themselves.
    assert [text for text in complaints if not re.search("ERR_INTERNET_DISCONNECTED|^htmx:", text)] == []
    complaints.clear()


def test_the_ages_of_the_list_go_on_while_it_is_open(page: Page) -> None:
    page.clock.install()
    enter(page)
    drop(page, "gen_invoice_101.pdf")
    age = page.locator("tr[data-document] time").first
    expect(age).to_have_text(re.compile(r"^(now|\d min ago)$"), timeout=LONG)
    page.route("**/orgs/**", lambda route: None)  # from here on nothing comes from the server
    page.clock.fast_forward("05:00")
    expect(age).to_have_text(re.compile(r"^[5-9] min ago$"))
    page.clock.fast_forward("01:00:00")
    expect(age).to_have_text(re.compile(r"^\d\d:\d\d$"))


def is_count(request: Request) -> bool:
    return request.url.endswith("/inbox/count")


def test_the_badge_asks_when_the_socket_opens_for_what_was_told_before(page: Page) -> None:
    enter(page)
    with page.expect_request(is_count):
        page.reload()


def answer_count(route: Route, number: int) -> None:
    body = f'<span class="count" data-inbox-count>{number}<span class="sr"> to decide</span></span>'
    route.fulfill(body=body, content_type="text/html")


def test_an_older_number_of_the_badge_never_lands_after_a_newer_one(page: Page) -> None:
    enter(page)
    badge = page.locator(".nav [data-inbox-count]")
    routes: list[Route] = []
    documents = page.url
    page.goto("about:blank")  # so that no question of the page before is counted
    page.clock.install()
    page.route("**/inbox/count", lambda route: routes.append(route))
    page.goto(documents)
    page.evaluate("document.dispatchEvent(new CustomEvent('docrouter:poll'))")
    page.clock.run_for(3_000)
    wait_for(page, lambda: len(routes) == 1)
    # Another hint comes while the answer is on its way, and time passes.
    page.evaluate("document.dispatchEvent(new CustomEvent('docrouter:poll'))")
    page.clock.run_for(3_000)
    page.wait_for_timeout(200)
    assert len(routes) == 1
    answer_count(routes[0], 41)
    expect(badge).to_have_text("41 to decide")
    page.clock.run_for(3_000)
    wait_for(page, lambda: len(routes) == 2)
    answer_count(routes[1], 42)
    expect(badge).to_have_text("42 to decide")
