"""Somebody new from the link of an invitation to leaving, at the three widths of pages."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ORGANIZATION, enter
from tests.browser.test_leaving import WIDER
from tests.product import Product

EMAIL, PASSWORD, NAME = "nia@delmar.example", "seven geese walk to Cuxhaven", "Nia Wolkenstein"
WIDTHS = (390, 820, 1280)


def fits_every_width(page: Page) -> bool:
    """Ends at the narrowest."""
    wide = []
    for width in reversed(WIDTHS):
        page.set_viewport_size({"width": width, "height": 844})
        wide.append(page.evaluate(WIDER))
    return not any(wide)


def test_somebody_joins_makes_a_profile_and_leaves(page: Page, browser: Browser, product: Product) -> None:
    enter(page)
    page.goto(page.url.replace("/documents", "/settings/members"))
    members = page.locator("#members")
    page.get_by_label("Invite by email").fill(EMAIL)
    page.get_by_role("button", name="Invite").click()
    link = members.get_by_role("row", name=re.compile(EMAIL)).locator("code").inner_text()
    assert fits_every_width(page)

    context = browser.new_context(base_url=product.url, locale="en-US")
    theirs = context.new_page()
    theirs.goto(link)
    expect(theirs.get_by_role("heading", name=f"Join {ORGANIZATION}")).to_be_visible()
    assert fits_every_width(theirs)
    theirs.get_by_label("Your name").fill(NAME)
    theirs.get_by_label("New password").fill(PASSWORD)
    theirs.get_by_role("button", name="Make an account and join").click()
    theirs.wait_for_url("**/documents")

    theirs.goto("/account")
    theirs.get_by_label("Theme", exact=True).select_option("dark")
    theirs.get_by_label("Dates and numbers").select_option("de-DE")
    theirs.get_by_role("button", name="Save the profile").click()
    expect(theirs.locator("#notice")).to_contain_text("Your profile is saved.")
    expect(theirs.locator("html")).to_have_attribute("data-theme", "dark")
    expect(theirs.get_by_label("Dates and numbers")).to_have_value("de-DE")
    assert fits_every_width(theirs)

    page.reload()
    expect(members.get_by_role("row", name=re.compile(NAME)).get_by_text("today")).to_be_visible()
    theirs.goto(page.url)
    theirs.locator("#members summary", has_text="Leave").click()
    theirs.get_by_label("Threads about documents").select_option(index=0)
    theirs.get_by_role("button", name=f"Leave {ORGANIZATION}").click()
    expect(theirs.get_by_role("heading", name="You are in no organization yet")).to_be_visible()
    page.reload()
    expect(members.get_by_text(NAME)).to_have_count(0)
    context.close()


def test_an_admin_has_ten_minutes(page: Page) -> None:
    """From one page of the settings to the next: a colleague, a budget, a token; then the log that tells of them."""
    enter(page)
    page.goto(page.url.replace("/documents", "/settings/members"))
    subjects = page.get_by_label("Settings", exact=True)
    page.get_by_label("Invite by email").fill("lee@delmar.example")
    page.get_by_label("Role", exact=True).select_option("builder")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_role("row", name=re.compile("lee@delmar.example"))).to_contain_text("Builder")

    subjects.get_by_role("link", name="Budget").click()
    page.get_by_label("Budget in dollars").fill("37.50")
    page.get_by_role("button", name="Change", exact=True).click()
    expect(page.locator("#money")).to_contain_text("of $37.50 spent this month")

    subjects.get_by_role("link", name="Access tokens").click()
    page.get_by_label("Token name").fill("the nightly export")
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_role("status").filter(has_text="“the nightly export” is ready.")).to_be_visible()
    page.reload()
    expect(page.locator("#secret")).to_have_count(0)

    subjects.get_by_role("link", name="Audit").click()
    log = page.locator(".audit tbody")
    for words in ("Invited lee@delmar.example as", "Set the monthly budget", "the nightly export"):
        expect(log).to_contain_text(words)
    page.go_back()
    expect(page.get_by_role("row", name=re.compile("the nightly export")).first).to_be_visible()
    assert fits_every_width(page)
    page.goto("/admin/")
    expect(page.get_by_role("heading", name="All records of this installation")).to_be_visible()
