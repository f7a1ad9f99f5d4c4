"""Where the focus goes on the Agent tab, so that the keys that a card shows work, and where its buttons stand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LONG
from tests.browser.test_agent_cards import ask, card, schema
from tests.product import Product
from tests.scripted_model import ScriptedModel, calls, says


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


def test_the_card_in_hand_has_the_keys_and_keeps_its_buttons_in_sight(thread: Page, model: ScriptedModel) -> None:
    page = thread
    fields = [f"field_{number}" for number in range(40)]
    model.will(says("Good day."), calls(schema("Long", *fields)), says("It is not there."))
    ask(page, "Good day")
    expect(page.locator(".agent-text")).to_contain_text("Good day.", timeout=LONG)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=LONG)
    ask(page, "Make a long schema")
    waiting, composer = card(page, "Create schema “Long”"), page.get_by_label("Message to the agent")
    expect(waiting).to_be_focused()
    panel, approve = page.locator("#thread-scroll"), waiting.get_by_role("button", name="Approve")
    panel.evaluate("(panel) => { panel.scrollTop = 0; }")
    expect(waiting.get_by_role("rowheader", name=fields[-1])).not_to_be_in_viewport()
    expect(approve).to_be_in_viewport(ratio=1)

    composer.fill("half a thou")
    composer.press("Escape")
    expect(waiting).to_be_focused()
    expect(composer).to_have_value("half a thou")
    panel.evaluate("(panel) => { panel.scrollTop = panel.scrollHeight; }")
    composer.focus()
    page.get_by_role("button", name="Look").click()
    expect(waiting).to_be_focused()
    expect(waiting.get_by_role("heading").first).to_be_in_viewport()
    page.keyboard.press("r")
    page.keyboard.type("too long")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".card-done")).to_contain_text("“too long”", timeout=LONG)
