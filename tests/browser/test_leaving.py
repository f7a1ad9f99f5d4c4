"""What an open page does when its access ends elsewhere, and the pages of one's account at phone width."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Request, Route, WebSocket, expect

from tests.browser.conftest import EMAIL, LONG, PASSWORD, drop, enter, wait_for

PHONE = {"width": 390, "height": 844}
# Over the wire, after the page has asked for it once: what comes from the browser's own store takes none.
BYTES_FETCHED = """async (address) => {
    await (await fetch(address)).blob();
    performance.clearResourceTimings();
    await (await fetch(address)).blob();
    return performance.getEntriesByType('resource').find(({ name }) => name.endsWith(address)).transferSize;
}"""
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def sign_in_anew(page: Page) -> None:
    """With a session of its own: the one of the other journeys must not end."""
    enter(page)
    # A page left open asks for its parts: without its cookies it would be given others than the form to come.
    page.goto("about:blank")
    page.context.clear_cookies()
    page.goto("/sign-in")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("form .btn-primary").click()
    page.wait_for_url("**/documents")


def sign_out(page: Page) -> None:
    page.locator(".nav-menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")


def test_signing_out_in_one_tab_leads_the_others_to_the_sign_in(page: Page) -> None:
    sign_in_anew(page)
    other = page.context.new_page()
    with other.expect_websocket():
        other.goto(f"{page.url.replace('/documents', '/settings/tokens')}")
    sign_out(page)
    expect(other).to_have_url(re.compile(r"/sign-in\?next=/orgs/\w+/settings/tokens$"))


def test_a_page_that_the_browser_keeps_is_not_shown_to_the_next_person(page: Page) -> None:
    sign_in_anew(page)
    link = page.get_by_role("link", name=re.compile("gen_invoice_101"))
    if not link.count():
        drop(page, "gen_invoice_101.pdf")
    link.first.click()
    picture = page.locator("#page-1 image")
    expect(picture).to_have_attribute("href", re.compile("webp"), timeout=LONG)
    address = picture.get_attribute("href")
    assert page.evaluate(BYTES_FETCHED, address) == 0
    page.goto("/")
    sign_out(page)
    page.goto(address or "")
    expect(page).to_have_url(re.compile(r"/sign-in\?next="))


def test_a_page_that_signs_out_follows_its_form_and_not_its_socket_that_is_closed_before(page: Page) -> None:
    sign_in_anew(page)
    sockets: list[WebSocket] = []
    questions: list[Request] = []
    routes: list[Route] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    page.reload()
    page.route("**/sign-out", lambda route: routes.append(route))
    page.locator(".nav-menu summary").click()
    page.get_by_role("button", name="Sign out").click(no_wait_after=True)
    wait_for(page, lambda: routes)
    page.on("request", lambda request: questions.append(request))
    with sockets[-1].expect_event("close"):
        answer = routes[0].fetch(max_redirects=0)
    routes[0].fulfill(response=answer)
    page.wait_for_url("**/sign-in")
    # Whether it is locked out. The badge asks for the number as well, as a part of the page.
    assert not [each for each in questions if "/inbox/count" in each.url and "hx-request" not in each.headers]


def test_an_open_page_survives_a_new_password_set_in_it_and_others_do_not(page: Page) -> None:
    sign_in_anew(page)
    elsewhere = page.context.browser.new_context(base_url=page.url.partition("/orgs/")[0]).new_page()
    sign_in_anew(elsewhere)
    page.goto("/account")
    page.get_by_label("Old password").fill(PASSWORD)
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.locator("#notice")).to_contain_text("Your password is changed.")
    expect(elsewhere).to_have_url(re.compile("/sign-in"))
    elsewhere.context.close()


def test_the_account_and_the_settings_fit_a_phone(page: Page) -> None:
    sign_in_anew(page)
    page.set_viewport_size(PHONE)
    settings = page.url.replace("/documents", "/settings")
    page.goto(f"{settings}/members")
    page.get_by_label("Invite by email").fill("a.rather.long.address.of.somebody@delmar-logistics.example")
    page.get_by_role("button", name="Invite").click()
    expect(page.locator("#members")).to_contain_text("invited")
    page.get_by_role("button", name="Dismiss").click()
    page.goto(f"{settings}/tokens")
    page.get_by_label("Token name").fill("the nightly export of everything")
    page.get_by_label("Permissions").select_option("Uploads only")
    page.get_by_role("button", name="Create token").click()
    expect(page.locator("#secret")).to_be_visible()
    assert not page.evaluate(WIDER)
    page.reload()
    expect(page.locator("#tokens").get_by_title("the nightly export of everything")).to_have_count(1)
    expect(page.locator("#secret")).to_have_count(0)
    page.goto("/account")
    expect(page.locator("#tokens")).to_contain_text("uploads only")
    assert not page.evaluate(WIDER)
