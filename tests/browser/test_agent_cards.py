"""Every way to decide a card, in a browser: edit, always allow, several at once, undo. The model says what we wrote."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from tests.browser.conftest import LONG, wait_for
from tests.product import Product
from tests.scripted_model import ScriptedModel, calls, says

FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def schema(name: str, *fields: str) -> tuple[str, dict[str, Any]]:
    properties = {field: {"type": "string", "description": f"The {field}, as printed."} for field in fields}
    inner = {"type": "object", "properties": properties, "required": [], "additionalProperties": False}
    json_schema = {"name": "made", "strict": True, "schema": inner}
    return "create_schema", {"name": name, "response_format": {"type": "json_schema", "json_schema": json_schema}}


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


def ask(page: Page, words: str) -> None:
    page.get_by_label("Message to the agent").fill(words)
    page.keyboard.press("Enter")


def card(page: Page, title: str) -> Locator:
    waiting = page.locator(".card-wait").filter(has=page.get_by_role("heading", name=re.compile(title)))
    waiting.wait_for(timeout=LONG)
    return waiting


def done(page: Page, title: str) -> Locator:
    return page.locator(".card-done").filter(has=page.get_by_role("heading", name=re.compile(title)))


def join_tool_results(model: ScriptedModel) -> str:
    """The results that the model read last, as text."""
    return " ".join(str(message["content"]) for message in model.requests[-1]["messages"] if message["role"] == "tool")


def test_a_card_is_edited_by_keyboard_follows_what_is_typed_and_runs_so(thread: Page, model: ScriptedModel) -> None:
    page = thread
    model.will(calls(schema("Invoice", "vendor", "total")), says("It is there."))
    ask(page, "Make a schema")
    card(page, "Create schema “Invoice”")
    page.locator("#thread-scroll").focus()
    page.keyboard.press("e")
    name = page.get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    name.fill("Bill")
    expect(page.get_by_role("heading", name="Create schema “Bill”")).to_be_visible(timeout=LONG)

    page.get_by_role("button", name="JSON", exact=True).click()
    whole = page.get_by_label("Arguments as JSON")
    expect(whole).to_have_value(re.compile('"name": "Bill"'))
    whole.fill(whole.input_value().replace('"total"', '"amount"', 1)[:-1])
    expect(page.locator(".edit-form .problem").first).to_contain_text("This is not JSON", timeout=LONG)
    whole.fill(whole.input_value() + "}")
    expect(page.locator(".card-wait .defs")).to_contain_text("amount", timeout=LONG)
    page.get_by_role("button", name="Fields", exact=True).click()
    expect(name).to_have_value("Bill")

    # Leaving keeps what was typed and shows the agent's version again.
    name.focus()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Create schema “Invoice”")).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_role("heading", name="Create schema “Bill”")).to_be_visible(timeout=LONG)
    expect(name).to_have_value("Bill")
    name.focus()
    page.keyboard.press("Control+Enter")

    ran = done(page, "Created schema “Bill”")
    expect(ran).to_contain_text("Approved by you with edits", timeout=LONG)
    expect(page.locator(".agent-text")).to_contain_text("It is there.", timeout=LONG)
    assert "ran_with" in join_tool_results(model) and "Bill" in join_tool_results(model)


def test_the_composer_has_the_focus_though_the_answer_to_the_decision_comes_last(
    thread: Page, model: ScriptedModel
) -> None:
    page = thread
    model.will(calls(schema("Late answer", "vendor")), says("It is there."))
    ask(page, "Make a schema")
    waiting = card(page, "Create schema “Late answer”")
    answers: list[tuple[Route, APIResponse]] = []
    page.route(re.compile("/decide$"), lambda route: answers.append((route, route.fetch())))
    waiting.get_by_role("button", name="Approve").click()
    expect(page.locator(".agent-text")).to_contain_text("It is there.", timeout=LONG)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=LONG)
    (route, answer) = answers[0]
    route.fulfill(response=answer)
    expect(done(page, "Created schema “Late answer”")).to_be_visible(timeout=LONG)
    expect(page.get_by_label("Message to the agent")).to_be_focused()


def test_a_preview_whose_form_is_gone_changes_nothing(thread: Page, model: ScriptedModel) -> None:
    page = thread
    model.will(calls(schema("Late preview", "vendor")))
    ask(page, "Make a schema")
    card(page, "Create schema “Late preview”")
    page.get_by_role("button", name="Edit", exact=False).last.click()
    previews: list[Route] = []
    page.route(re.compile("/preview$"), lambda route: previews.append(route))
    page.get_by_role("button", name="Show what would happen").click()
    wait_for(page, lambda: previews)
    page.get_by_role("button", name="JSON", exact=True).click()
    expect(page.get_by_label("Arguments as JSON")).to_be_visible()
    with page.expect_response(re.compile("/preview$")):
        previews[0].continue_()
    expect(page.get_by_role("heading", name="Create schema “Late preview”")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 390])
def test_a_schema_is_edited_in_its_card_field_by_field(thread: Page, model: ScriptedModel, width: int) -> None:
    page, title = thread, f"Ledger {width}"
    page.set_viewport_size({"width": width, "height": 900})
    model.will(calls(schema(title, "vendor", "total")), says("It is there."))
    ask(page, "Make a schema")
    card(page, f"Create schema “{title}”")
    page.get_by_role("button", name="Edit", exact=False).last.click()
    names = page.get_by_label("Field name")
    expect(names).to_have_count(2)
    expect(page.locator(".edit-form [data-schema-text]")).to_be_hidden()

    # A name that is there already is not taken, and nothing runs until it is another one.
    names.nth(1).fill("vendor")
    page.get_by_label("Description of total").focus()
    page.keyboard.press("Control+Enter")
    expect(names.nth(1)).to_be_focused()
    expect(page.locator(".edit-form .err").nth(1)).to_contain_text("There is a field “vendor” beside it")
    names.nth(1).fill("amount")
    page.keyboard.press("Tab")
    page.get_by_label("Type of amount").select_option("number")
    page.get_by_label("Description of amount").fill("What is to be paid.")
    expect(page.locator(".card-wait .defs")).to_contain_text("What is to be paid.", timeout=LONG)
    page.get_by_label("Description of amount").press("Enter")
    page.keyboard.type("due")
    page.keyboard.press("Tab")
    page.get_by_label("Description of due").fill("When it is to be paid.")
    page.get_by_label("More for vendor").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(names).to_have_count(2)
    page.locator(".edit-form").get_by_role("button", name="Undo").click()
    expect(names).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    # Leaving and coming back loses nothing, and JSON says the same.
    page.get_by_label("More for due").focus()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Field name").first).to_be_hidden()
    page.get_by_role("button", name="Edit", exact=False).last.click()
    expect(names).to_have_count(3)
    page.get_by_label("More for due").click()
    page.get_by_role("button", name="Show as JSON").click()
    expect(page.get_by_label("Arguments as JSON")).to_have_value(re.compile('"When it is to be paid."'))
    page.locator(".edit-form").get_by_role("button", name="Fields", exact=True).click()
    expect(names).to_have_count(3)
    page.get_by_role("button", name="Approve with edits").click()

    expect(done(page, f"Created schema “{title}”")).to_contain_text("Approved by you with edits", timeout=LONG)
    expect(page.locator(".agent-text").last).to_contain_text("It is there.", timeout=LONG)
    assert (
        "ran_with" in join_tool_results(model)
        and "What is to be paid." in join_tool_results(model)
        and "When it is" in join_tool_results(model)
    )


def test_always_allow_runs_the_next_one_and_its_rule_is_seen_and_revoked_live(
    thread: Page, model: ScriptedModel
) -> None:
    page = thread
    model.will(
        calls(schema("First", "vendor")),
        calls(schema("Second", "vendor")),
        says("Both are there."),
        calls(schema("Third", "vendor")),
        says("So is that."),
    )
    ask(page, "Make two schemas")
    first = card(page, "Create schema “First”")
    other = page.context.new_page()
    other.goto(re.sub(r"/documents/.*", "/rules", page.url))
    expect(other.locator("#rules")).to_contain_text("No rule is in force.")
    first.get_by_text("Always allow").click()
    choices = first.get_by_role("form", name="Always allow")
    expect(choices).to_contain_text("would have run unseen", timeout=LONG)
    inside = "(form) => form.scrollWidth <= form.clientWidth && form.closest('.card').contains(form)"
    assert choices.evaluate(inside)
    first.get_by_role("button", name="in this thread").click()
    expect(done(page, "Created schema “First”")).to_contain_text("Approved by you", timeout=LONG)
    expect(done(page, "Created schema “Second”")).to_contain_text(
        "Ran without asking: allowed by a rule for this thread.", timeout=LONG
    )
    # Live, on a page that nobody touched.
    expect(other.locator("#rules")).to_contain_text("Create schema always runs in the thread", timeout=LONG)
    expect(page.locator(".agent-text")).to_contain_text("Both are there.", timeout=LONG)
    other.get_by_role("button", name="Revoke").click()
    expect(other.locator("#rules")).to_contain_text("No rule is in force.")
    ask(page, "Make a third")
    card(page, "Create schema “Third”").get_by_role("button", name="Approve").click()
    expect(page.locator(".agent-text").last).to_contain_text("So is that.", timeout=LONG)


def test_all_are_approved_once_each_has_been_seen(thread: Page, model: ScriptedModel) -> None:
    page = thread
    names = ["Order", "Receipt", "Contract"]
    fields = [f"field_{number}" for number in range(14)]
    model.will(calls(*(schema(name, *fields) for name in names)), says("All three are there."))
    threads = page.context.new_page()
    threads.goto(re.sub(r"/documents/.*", "/agent", page.url))
    ask(page, "Make three schemas")
    for name in names:
        card(page, f"Create schema “{name}”")
    # Live, on a page that nobody touched.
    row = threads.locator(".thread-row").filter(has_text="Make three schemas")
    expect(row).to_contain_text("Waiting for you", timeout=LONG)
    button = page.locator("#approve-all")
    expect(button).to_contain_text("Look at all 3")
    page.locator("#thread-scroll").focus()
    while "Look" in button.inner_text():
        page.keyboard.press("Shift+A")
        page.evaluate(FRAMES)
        expect(page.locator(".card-wait")).to_have_count(3)
    expect(button).to_contain_text("Approve all")
    page.keyboard.press("Shift+A")
    for name in names:
        expect(done(page, f"Created schema “{name}”")).to_contain_text("Approved by you", timeout=LONG)
    expect(page.locator(".agent-text")).to_contain_text("All three are there.", timeout=LONG)
    expect(row.locator(".state")).to_have_count(0, timeout=LONG)


def test_stopping_keeps_what_was_written(thread: Page, model: ScriptedModel) -> None:
    page = thread
    # It writes no more until it is stopped, however slow the machine is.
    model.will(says("I am the beginning. ").with_hang())
    ask(page, "What can you do?")
    expect(page.locator("[data-writes]")).to_contain_text("I am the beginning.", timeout=LONG)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#thread")).to_contain_text("Stopped here.", timeout=LONG)
    expect(page.locator("[data-message]")).to_be_focused()
    expect(page.locator(".agent-text")).to_contain_text("I am the beginning.")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


def test_one_reason_rejects_all(thread: Page, model: ScriptedModel) -> None:
    page = thread
    model.will(calls(schema("One", "vendor"), schema("Two", "vendor")), says("I leave it at that."))
    ask(page, "Make two more")
    card(page, "Create schema “Two”")
    page.get_by_role("button", name="Reject all").first.click()
    page.keyboard.type("One schema is enough.")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".card-done", has_text="“One schema is enough.”")).to_have_count(2, timeout=LONG)
    expect(page.locator(".agent-text")).to_contain_text("I leave it at that.", timeout=LONG)
    reason = "Why I rejected call 1 (create_schema), call 2 (create_schema): One schema is enough."
    assert model.requests[-1]["messages"][-1] == {"role": "user", "content": reason}


def test_what_was_approved_is_taken_back_and_the_model_knows(thread: Page, model: ScriptedModel) -> None:
    page = thread
    model.will(calls(schema("Mistake", "vendor")), says("It is there."), says("I see."))
    ask(page, "Make a schema")
    card(page, "Create schema “Mistake”").get_by_role("button", name="Approve").click()
    expect(page.locator(".agent-text")).to_contain_text("It is there.", timeout=LONG)
    ran = done(page, "Created schema “Mistake”")
    ran.get_by_role("button", name="Undo").click()
    expect(ran).to_contain_text("Undone by you", timeout=LONG)
    expect(ran.get_by_role("button", name="Undo")).to_have_count(0)
    ask(page, "What now?")
    expect(page.locator(".agent-text").last).to_contain_text("I see.", timeout=LONG)
    assert "took this back" in join_tool_results(model)
