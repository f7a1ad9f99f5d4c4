"""Automatic setup in a browser: from a ticked upload to a prompt that reads the next document by itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import DATA, LONG, choose_automatic_setup, drop, enter, enter_as_guest
from tests.product import Product
from tests.scripted_model import Json, Reply, ScriptedModel, calls, fails, says

INVOICE, NOTE = "gen_invoice_101.pdf", "gen_105.txt"


def read(body: Json, words: str) -> str:
    """The last id that stands behind these words."""
    text = json.dumps(body["messages"], ensure_ascii=False).replace("\\", "")
    return str(re.findall(rf"{words}\W*([0-9a-f]{{24}})", text)[-1])


def response_format(*names: str) -> Json:
    properties = {name: {"type": "string", "description": f"The {name}, as printed."} for name in names}
    inner = {"type": "object", "properties": properties, "required": [], "additionalProperties": False}
    return {"type": "json_schema", "json_schema": {"name": "made", "strict": True, "schema": inner}}


def design(name: str, *fields: str) -> list[Reply | Callable[[Json], Reply]]:
    prompt = {"name": name, "content": "Take the values."}
    return [
        calls(("create_schema", {"name": name, "response_format": response_format(*fields)})).after(1.5),
        lambda body: calls(("create_prompt", prompt | {"schema_id": read(body, "schema_id")})),
        calls(("run_extraction", {})),
        says(f"I made the schema {name}. Nothing is uncertain."),
    ]


@pytest.fixture(scope="module")
def product(browser: Browser, scripted_product: Product) -> Iterator[Product]:
    """An organization that has seen no document like these."""
    with enter_as_guest(browser, scripted_product, "setup") as product:
        yield product


def upload(page: Page, name: str, *, content: str = "") -> Locator:
    """With the option ticked, dropped, or chosen when it is named otherwise than its content; the state in its row."""
    choose_automatic_setup(page)
    if content:
        page.locator("#files").set_input_files(
            [{"name": name, "mimeType": "", "buffer": (DATA / content).read_bytes()}]
        )
    else:
        drop(page, name)
    return page.locator("tr[data-document]").filter(has_text=name).first.locator(".c-state")


def open_card(page: Page, name: str) -> Locator:
    page.locator("tr[data-document]").filter(has_text=name).first.locator("a.name").click()
    page.get_by_role("tab", name="Agent").click()
    page.locator(".setup .offer").wait_for()
    return page.locator(".setup")


def names(page: Page, kind: str) -> list[str]:
    page.locator(".nav").get_by_role("link", name=kind, exact=True).click()
    page.get_by_role("heading", name=kind).wait_for()
    return page.locator("table.defs tbody a").all_inner_texts()


def test_a_proposal_is_refined_accepted_and_reads_the_next_document_by_itself(page: Page, model: ScriptedModel) -> None:
    enter(page)
    model.will(*design("Invoice", "invoice_number", "total"))
    state = upload(page, INVOICE)
    expect(state).to_contain_text("Setting up · round 1", timeout=LONG)
    expect(state).to_have_text("Proposed", timeout=LONG)
    page.get_by_role("link", name="Proposal", exact=True).click()
    offer = page.locator(".setup .offer")
    expect(offer).to_contain_text("Used for nothing else until you accept.")
    expect(offer.locator("tr", has_text="Invoice number")).to_contain_text("INV-2025-49883")
    expect(page.get_by_role("tab", name="Agent")).to_contain_text("1 waiting")
    _replay(page)
    _refine(page, model)
    page.get_by_label("Name of the tag").fill("Supplier invoices")
    expect(offer.locator("[data-tag-says]")).to_contain_text("A new tag")
    offer.get_by_role("button", name="Accept with tag").click()
    expect(page.locator(".setup")).to_contain_text("Proposal accepted by you")
    expect(page.locator(".setup")).to_contain_text("tagged “Supplier invoices”")
    expect(page.get_by_role("tab", name="Agent")).not_to_contain_text("waiting")
    page.get_by_role("tab", name="Extraction").click()
    expect(page.locator("#extraction")).to_contain_text("2026-12-27", timeout=LONG)

    page.get_by_role("link", name="Documents", exact=True).first.click()
    model.will(lambda body: calls(("run_extraction", {"prompt_revid": read(body, "prompt_revid=")})), says("It fits."))
    page.locator("tr[data-document]").first.wait_for()
    page.evaluate("() => { window.sameDocument = true; }")
    state = upload(page, "next.pdf", content=INVOICE)
    expect(state).to_contain_text(re.compile("To verify|uncertain"), timeout=LONG)
    assert page.evaluate("() => window.sameDocument")
    expect(open_card(page, "next.pdf")).to_contain_text("Set up with an accepted prompt")
    assert names(page, "Schemas") == ["Invoice"]
    assert model.unexpected == []


def _replay(page: Page) -> None:
    says_step = page.locator("[data-step-says]")
    answer = page.locator("#thread .agent-text", has_text="Nothing is uncertain.")
    expect(says_step).to_have_text(re.compile(r"^(\d+) of \1$"))
    total = int(says_step.inner_text().split()[-1])
    page.get_by_role("button", name="Step back").click()
    expect(says_step).to_have_text(f"{total - 1} of {total}")
    expect(answer).to_be_hidden()
    page.get_by_role("button", name="Step forward").click()
    expect(answer).to_be_visible()


def _refine(page: Page, model: ScriptedModel) -> None:
    """One message; what is approved of it is a second proposed version."""
    fields = response_format("invoice_number", "total", "due_date")
    model.will(
        lambda body: calls(("update_schema", {"schema_id": "Invoice", "response_format": fields})),
        says("The due date is asked for as well."),
    )
    page.keyboard.press("f")
    expect(page.get_by_label("Message to the agent")).to_be_focused()
    page.keyboard.type("Also take the due date")
    page.keyboard.press("Enter")
    card = page.locator("#thread .card-wait").filter(has_text="Change schema “Invoice”")
    card.get_by_role("button", name="Approve").click(timeout=LONG)
    expect(page.locator("#thread")).to_contain_text("The due date is asked for as well.", timeout=LONG)
    expect(page.locator(".setup .facts")).to_contain_text("3 fields, proposed")


def test_a_failed_setup_says_why_is_tried_again_and_its_proposal_rejected(page: Page, model: ScriptedModel) -> None:
    enter(page)
    model.will(fails(401, "The key was refused."))
    expect(upload(page, NOTE)).to_contain_text("Setup failed:", timeout=LONG)
    setup = open_card(page, NOTE)
    expect(setup).to_contain_text("The automatic setup failed")
    model.will(*design("Delivery note", "total"))
    setup.get_by_role("button", name="Try again").click()
    expect(setup).to_contain_text("Setting up", timeout=LONG)
    expect(setup).to_contain_text("A proposal for documents like this one", timeout=LONG)
    expect(page.locator("#thread")).to_contain_text("I made the schema Delivery note.")
    expect(setup.locator(".card-wait.on")).to_be_in_viewport()
    page.keyboard.press("r")
    page.get_by_label(re.compile(r"^Why\?")).fill("Too few fields")
    page.keyboard.press("Control+Enter")
    expect(setup).to_contain_text("Proposal rejected by you")
    expect(setup).to_contain_text("“Too few fields”")
    assert "Delivery note" not in names(page, "Schemas") and "Delivery note" not in names(page, "Prompts")
    assert model.unexpected == []


def test_ten_at_once_share_one_proposal_though_the_worker_is_killed(
    page: Page, model: ScriptedModel, product: Product
) -> None:
    steps = design("Note", "total")

    def answer(body: Json) -> Reply:
        """The step that comes after what was done: a round that was killed asks for the same step again."""
        step = steps[sum(message["role"] == "tool" for message in body["messages"])]
        return step if isinstance(step, Reply) else step(body)

    enter(page)
    asked_before = len(model.requests)
    model.will(*[answer] * 12)
    choose_automatic_setup(page)
    note = (DATA / NOTE).read_bytes()
    files = [(f"note_{number}.txt", note.replace(b"37070", str(1000 + number).encode())) for number in range(10)]
    page.locator("#files").set_input_files([{"name": name, "mimeType": "", "buffer": text} for name, text in files])
    states = page.locator("tr[data-document]").filter(has_text="note_").locator(".c-state")
    expect(states.filter(has_text="Setting up · round 1")).to_have_count(1, timeout=LONG)
    product.wait_until(lambda: len(model.requests) > asked_before, "the first question")
    product.kill("manage.py work agent")
    expect(states.filter(has_text="Proposed")).to_have_count(10, timeout=LONG)
    assert (len(model.requests) - asked_before, model.unexpected) == (5, [])  # four steps, the first of them twice
    model.replies.clear()

    setup = open_card(page, "note_3.txt")
    expect(setup).to_contain_text("10 documents share this proposal")
    assert [name for name in names(page, "Schemas") if "Note" in name] == ["Note"]
    assert [name for name in names(page, "Prompts") if "Note" in name] == ["Note"]
