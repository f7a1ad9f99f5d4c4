"""Calls that build on one another, in a browser: one card of steps, edited, rejected in part, approved in one press."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LONG
from tests.browser.test_agent_cards import ask, join_tool_results, schema
from tests.product import Product
from tests.scripted_model import Reply, ScriptedModel, calls, says


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


def set_up(name: str) -> Reply:
    prompt = {"name": name, "content": "Take the values as printed.", "schema_id": name}
    return calls(schema(name, "vendor", "total"), ("create_prompt", prompt), ("run_extraction", {"prompt_revid": name}))


def test_a_chain_is_one_card_decided_in_parts_and_then_whole(thread: Page, model: ScriptedModel) -> None:
    page = thread
    model.will(set_up("Dock receipt"))
    ask(page, "Set up extraction")
    head, steps = page.locator(".chain-head"), page.locator(".card-link")
    expect(head).to_contain_text("Chain of 3 steps", timeout=LONG)
    expect(steps).to_have_count(3)
    expect(steps.nth(1)).to_contain_text("Builds on what step 1 makes.")
    expect(page.locator("#decide")).to_contain_text("Chain of 3 steps waits")

    # A second tab and a reload show the same; a step that is folded stays so when the thread is drawn anew.
    page.reload()
    expect(steps).to_have_count(3, timeout=LONG)
    steps.nth(0).get_by_text("What it does").click()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".card-link")).to_have_count(3, timeout=LONG)
    other.locator(".card-link").nth(2).get_by_role("button", name="Approve").click()
    expect(steps.nth(2)).to_contain_text("It runs after", timeout=LONG)
    assert steps.nth(0).locator(".fold-step").get_attribute("open") is None
    other.close()

    model.will(says("I drop it."))
    steps.nth(0).get_by_role("button", name="Reject").click()
    expect(steps.nth(0).locator(".reason:not(.allow)")).to_contain_text(
        "Steps 2 and 3 build on this, and are superseded with it."
    )
    page.keyboard.type("One schema is enough.")
    page.keyboard.press("Control+Enter")
    for number in (1, 2):
        expect(steps.nth(number)).to_contain_text("which was rejected", timeout=LONG)
    expect(head).to_contain_text("1 rejected · 2 superseded")
    expect(page.locator(".agent-text").last).to_contain_text("I drop it.", timeout=LONG)
    assert "It builds on step 1 (create_schema), which was rejected." in join_tool_results(model)

    model.will(set_up("Cart note"), says("All set up."))
    ask(page, "Then for receipts")
    page.locator(".chain-end").get_by_role("button", name="Approve 3 steps").click(timeout=LONG)
    expect(head.last).to_contain_text("3 done", timeout=LONG)
    expect(page.locator(".agent-text").last).to_contain_text("All set up.", timeout=LONG)
    expect(page.locator("#now")).to_contain_text("Cart note", timeout=LONG)
