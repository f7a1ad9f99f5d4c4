"""What a person changes shows at once, and is taken back with a sentence when the server refuses it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Complaints, wait_for
from tests.browser.test_values import field, value, values

__all__ = ["values"]  # a fixture of the journeys with values
SENTENCE = "The database is busy."
# A socket that opens when the test lets it.
LATE_SOCKET = """
  const Socket = WebSocket;
  window.WebSocket = class extends EventTarget {
    static OPEN = Socket.OPEN;
    constructor(address) {
      super();
      window.openSocket = () => {
        this.socket = new Socket(address);
        this.socket.onopen = () => this.dispatchEvent(new Event('open'));
        this.socket.onmessage = ({ data }) => this.dispatchEvent(new MessageEvent('message', { data }));
      };
    }
    get readyState() { return this.socket?.readyState ?? Socket.CONNECTING; }
    send(text) { this.socket.send(text); }
    close() { this.socket?.close(); }
  };
"""
TO_NOTICE = {"Content-Type": "text/html", "HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}


def hold(page: Page, pattern: str) -> list[Route]:
    """The changes that the page sends, which wait for the test to answer them."""
    routes: list[Route] = []
    page.route(pattern, lambda route: routes.append(route))
    return routes


def test_an_edit_shows_at_once_and_goes_on_while_it_is_written(values: Page) -> None:
    routes = hold(values, "**/edit")
    value(values, "vendor").click()
    values.keyboard.press("Enter")
    values.locator(".field-edit").fill("Ostrava Tools")
    values.keyboard.press("Enter")
    expect(value(values, "vendor")).to_have_text("Ostrava Tools")
    expect(value(values, "vendor")).to_be_focused()
    values.keyboard.press("ArrowDown")
    expect(field(values, "invoice_number")).to_have_attribute("aria-selected", "true")
    wait_for(values, lambda: routes)
    routes[0].continue_()
    expect(field(values, "vendor")).to_contain_text("Edited")
    expect(field(values, "invoice_number")).to_have_attribute("aria-selected", "true")


def test_an_edit_that_fails_comes_back_with_what_was_typed(values: Page, complaints: Complaints) -> None:
    routes = hold(values, "**/edit")
    value(values, "vendor").click()
    values.keyboard.press("Enter")
    values.locator(".field-edit").fill("Ostrava Tools")
    values.keyboard.press("Enter")
    expect(values.locator(".field-edit")).to_have_count(0)
    wait_for(values, lambda: routes)
    routes[0].fulfill(status=503, body=SENTENCE, headers=TO_NOTICE)
    expect(values.locator("#notice")).to_contain_text("The database is busy")
    expect(values.locator(".field-edit")).to_have_value("Ostrava Tools")
    values.keyboard.press("Escape")
    expect(value(values, "vendor")).to_have_text("Ostrava Tools s.r.o.")
    complaints.clear()


def test_the_page_of_a_proxy_is_said_and_does_not_stop_the_next_change(values: Page, complaints: Complaints) -> None:
    page = "<html><body><h1>502 Bad Gateway</h1></body></html>"
    values.route("**/edit", lambda route: route.fulfill(status=502, body=page, content_type="text/html"))
    value(values, "vendor").click()
    for typed in ("Ostrava", "Ostrava Tools"):
        values.keyboard.press("Enter")
        values.locator(".field-edit").fill(typed)
        values.keyboard.press("Enter")
        expect(values.locator("#notice [role=alert]")).to_have_text("502 Bad Gateway")
        expect(values.locator(".field-edit")).to_have_value(typed)
        values.keyboard.press("Escape")
    complaints.clear()


def test_a_verification_shows_at_once_and_is_taken_back_with_a_sentence(values: Page, complaints: Complaints) -> None:
    routes = hold(values, "**/verify*")
    check = field(values, "vendor").locator(".check")
    value(values, "vendor").click()
    values.keyboard.press("Space")
    expect(check).to_have_attribute("aria-pressed", "true")
    wait_for(values, lambda: routes)
    routes[0].fulfill(status=503, body=SENTENCE, headers=TO_NOTICE)
    expect(values.locator("#notice")).to_contain_text("The database is busy")
    expect(check).to_have_attribute("aria-pressed", "false")

    values.keyboard.press("Shift+V")
    expect(values.locator('.field .check[aria-pressed="false"]')).to_have_count(0)
    wait_for(values, lambda: len(routes) > 1)
    routes[1].fulfill(status=503, body=SENTENCE, headers=TO_NOTICE)
    expect(check).to_have_attribute("aria-pressed", "false")
    complaints.clear()


def test_what_is_verified_before_it_is_written_is_what_was_typed(values: Page) -> None:
    routes = hold(values, "**/edit")
    value(values, "vendor").click()
    values.keyboard.press("Enter")
    values.locator(".field-edit").fill("Ostrava Tools")
    values.keyboard.press("Enter")
    values.keyboard.press("Space")
    expect(field(values, "vendor").locator(".check")).to_have_attribute("aria-pressed", "true")
    wait_for(values, lambda: routes)
    with values.expect_response("**/verify") as verified:
        routes[0].continue_()
    assert "version=1" in str(verified.value.request.post_data)
    expect(value(values, "vendor")).to_have_text("Ostrava Tools")
    expect(values.locator("#checked")).to_contain_text(re.compile(r"1 of \d+ verified"))


def test_what_was_verified_before_any_event_could_come_is_in_the_head(values: Page) -> None:
    values.add_init_script(LATE_SOCKET)
    values.goto(f"{values.url.partition('?')[0]}?list=q%3Dno-such-document")  # so that no next one comes
    values.keyboard.press("Shift+V")
    expect(values.locator("#checked")).to_contain_text("Verified by")
    values.evaluate("openSocket()")
    expect(values.locator("#topbar .state:not(.same-file)")).to_contain_text("Verified")
