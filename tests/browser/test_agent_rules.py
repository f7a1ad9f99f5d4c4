"""Rules and costs in a browser: what always allow would have decided, and why a turn cost what it did."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LONG
from tests.browser.test_agent_cards import ask, card, done, schema
from tests.product import Product
from tests.scripted_model import ScriptedModel, calls, says


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


def test_a_rule_is_refused_after_its_simulation_showed_two_edited_cards(thread: Page, model: ScriptedModel) -> None:
    """Nothing is saved by looking, and the turn says afterwards why it cost what it did."""
    page = thread
    model.will(
        calls(schema("Alpha", "vendor")),
        calls(schema("Beta", "vendor")),
        calls(schema("Gamma", "vendor")),
        says("All three are there."),
    )
    ask(page, "Make three schemas")
    for name in ("Alpha", "Beta"):
        card(page, f"Create schema “{name}”")
        page.locator("#thread-scroll").focus()
        page.keyboard.press("e")
        page.get_by_label("Name", exact=True).fill(f"{name} two")
        expect(page.get_by_role("heading", name=f"Create schema “{name} two”")).to_be_visible(timeout=LONG)
        page.keyboard.press("Control+Enter")
        expect(done(page, f"Created schema “{name} two”")).to_be_visible(timeout=LONG)
    last = card(page, "Create schema “Gamma”")
    last.get_by_text("Always allow").click()
    simulation = last.get_by_role("form", name="Always allow")
    expect(simulation).to_contain_text("People edited 2 and rejected 0 of those", timeout=LONG)
    expect(simulation.get_by_role("link", name=re.compile("Create schema"))).to_have_count(2)
    last.get_by_text("Always allow").click()
    last.get_by_role("button", name="Approve").click()
    expect(page.locator(".agent-text")).to_contain_text("All three are there.", timeout=LONG)
    rules = re.sub(r"/documents/.*", "/rules", page.url)
    page.goto(rules.replace("/rules", "/usage"))
    page.get_by_role("link", name=re.compile("Make three schemas|New chat")).first.click()
    expect(page.get_by_role("heading", name=re.compile("of work"))).to_be_visible(timeout=LONG)
    expect(page.get_by_role("rowheader", name="Waited for a person")).to_have_count(3)
    expect(page.get_by_role("rowheader", name="The agent itself")).to_be_visible()
    page.goto(rules)
    page.get_by_label("Tool").select_option("create_schema")
    page.get_by_label("What happens").select_option("allow")
    trial = page.locator("#rule-preview")
    # Over all threads: other tests of this product decide cards too.
    expect(trial).to_contain_text(re.compile(r"People edited [2-9] and rejected \d of those"), timeout=LONG)
    expect(trial.get_by_role("link", name=re.compile("Create schema"))).to_have_count(2)
    expect(trial.get_by_role("button", name="Add rule anyway")).to_be_visible()
    trial.get_by_role("link", name="Start over").click()
    expect(page.get_by_label("What happens")).to_have_value("ask")
    expect(page.locator("#rules")).to_contain_text("No rule is in force.")
