"""Plan mode in a browser: the steps come as one plan, which is decided in parts, then whole. The model is scripted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LONG
from tests.browser.test_agent_cards import FRAMES, ask, join_tool_results, schema
from tests.product import Product
from tests.scripted_model import Reply, ScriptedModel, calls, says


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


def use(tool: str, **arguments: str) -> Any:
    """A call whose arguments name what the last result gave: {"schema_id": "schema_id"}."""

    def reply(request: dict[str, Any]) -> Reply:
        result = json.loads(request["messages"][-1]["content"])
        return calls((tool, {name: result.get(value, value) for name, value in arguments.items()}))

    return reply


PROMPT = use("create_prompt", name="Waybill", content="Take the values as printed.", schema_id="schema_id")
EXTRACTION = use("run_extraction", prompt_revid="prompt_revid")


def step(page: Page, number: int) -> Locator:
    return page.locator(".card-step").filter(has_text=f"Step {number} of 3")


def look_at_all(page: Page) -> None:
    while "Look" in page.locator("#approve-all").inner_text():
        page.keyboard.press("Shift+A")
        page.evaluate(FRAMES)


def test_a_plan_is_decided_in_parts_and_then_whole(thread: Page, model: ScriptedModel) -> None:
    page = thread
    page.locator("[data-picker] summary").filter(has_text="Mode").click()
    page.get_by_role("radio", name="Plan").check()
    page.keyboard.press("Escape")
    model.will(
        calls(schema("Waybill", "vendor", "total")), PROMPT, EXTRACTION, says("Three steps: schema, prompt, values.")
    )
    ask(page, "Set up extraction")
    bar, head = page.locator("#decide"), page.locator(".plan-head")
    expect(bar).to_contain_text("Plan of 3 steps waits", timeout=LONG)
    expect(head).to_contain_text("Nothing has changed. Approve the plan whole, or decide each step.")
    expect(page.locator(".card-wait.card-step")).to_have_count(3)
    expect(step(page, 2)).to_contain_text("Builds on what step 1 makes.")
    expect(step(page, 3)).to_contain_text("Builds on what step 2 makes.")

    # Approved before its time it waits in line; the step it builds on is then rejected, and takes it along.
    step(page, 2).get_by_role("button", name="Approve").click()
    expect(step(page, 2)).to_contain_text("It runs after step 1.", timeout=LONG)
    expect(bar).to_contain_text("2 of 3 steps wait")
    expect(page.locator("#approve-all")).to_have_class("btn btn-s")  # never the filled one
    model.will(says("I drop it."))
    step(page, 1).get_by_role("button", name="Reject").click()
    expect(step(page, 1).locator(".reason")).to_contain_text("Steps 2 and 3 build on this, and are superseded with it.")
    page.keyboard.type("One schema is enough.")
    page.keyboard.press("Control+Enter")
    for number in (2, 3):
        expect(step(page, number)).to_contain_text(
            "It builds on step 1 (create_schema), which was rejected.", timeout=LONG
        )
    expect(head).to_contain_text("1 rejected · 2 superseded")
    expect(page.locator(".agent-text").last).to_contain_text("I drop it.", timeout=LONG)
    spoken = {"role": "user", "content": "Why I rejected step 1 (create_schema): One schema is enough."}
    assert spoken in model.requests[-1]["messages"] and "It builds on step 1" in join_tool_results(model)

    model.will(calls(schema("Freight note", "vendor")), PROMPT, EXTRACTION, says("Again three steps."))
    ask(page, "Then for receipts")
    whole = page.get_by_role("button", name="Approve plan")
    expect(page.locator("#approve-all")).to_contain_text("Look at all 3", timeout=LONG)
    page.locator("#thread-scroll").focus()
    look_at_all(page)
    expect(whole).to_be_visible()
    model.will(says("The vendor is there."))
    page.keyboard.press("Shift+A")
    expect(page.locator(".plan-head").last).to_contain_text("3 done", timeout=LONG)
    expect(page.locator(".agent-text").last).to_contain_text("The vendor is there.", timeout=LONG)
    expect(page.locator("#now")).to_contain_text("Waybill", timeout=LONG)
