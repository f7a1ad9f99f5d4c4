"""Many documents in one thread: found with their proof, changed by one card without one, taken back, corrected."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LONG, enter
from tests.product import Product
from tests.scripted_model import Reply, ScriptedModel, calls, says

POST = """([path, body]) => fetch(path, { method: 'POST', body: JSON.stringify(body), headers: {
    'Content-Type': 'application/json', ...JSON.parse(document.body.getAttribute('hx-headers')) } }).then((r) => r.json())"""
VENDOR, OTHER, EMPTY = "Anvil Works", "Borealis Timber", "inv_5.txt"
FIELDS = {"vendor": "string", "invoice_number": "string", "invoice_date": "string", "total": "number"}


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


SOURCE = re.compile(r"Source \d+, page 1")


def write_invoice(number: int, vendor: str, total: str) -> str:
    lines = ["INVOICE", f"Vendor: {vendor}", f"Invoice number: N-{number}", f"Invoice date: 2026-03-0{number}"]
    return "\n".join([*lines, f"Total: {total}", ""])


def set_up(page: Page) -> None:
    """Five invoices of one vendor, of which one has no total, and one of another, with values."""
    base = f"/v0/orgs/{page.url.split('/orgs/')[1].split('/')[0]}"

    def post(path: str, **body: object) -> Any:
        return page.evaluate(POST, [f"{base}/{path}", body])

    tag = post("tags", name="Anvils")["id"]
    post("tags", name="Paid")
    properties = {
        name: {"type": [kind, "null"], "description": f"The {name}, as printed."} for name, kind in FIELDS.items()
    }
    inner = {"type": "object", "properties": properties, "required": [*FIELDS], "additionalProperties": False}
    form = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": inner}}
    schema = post("schemas", name="Anvil invoice", response_format=form)["schema_id"]
    post(
        "prompts",
        name="Anvil invoice",
        content="Read the invoice.",
        schema_id=schema,
        tag_ids=[tag],
        model="offline/rules",
    )
    texts = {f"inv_{number}.txt": write_invoice(number, VENDOR, f"{number}00.50") for number in range(1, 5)}
    texts |= {EMPTY: write_invoice(5, VENDOR, "see enclosed sheet"), "inv_6.txt": write_invoice(6, OTHER, "700.00")}
    sent = [
        {"name": name, "content": base64.b64encode(text.encode()).decode(), "tag_ids": [tag]}
        for name, text in texts.items()
    ]
    assert len(post("documents", documents=sent)["documents"]) == len(texts)


def read_results(body: dict[str, Any]) -> list[dict[str, Any]]:
    """What came of the calls of the last round, as the model reads it."""
    results: list[dict[str, Any]] = []
    for message in reversed(body["messages"]):
        if message["role"] != "tool":
            break
        results.insert(0, json.loads(message["content"]))
    return results


def read_names(body: dict[str, Any]) -> list[str]:
    """From wherever they stand in the request."""
    text = json.dumps([message.get("content") for message in body["messages"]]).replace("\\", "")
    return sorted(set(re.findall(r'"document_name": "(inv_\d\.txt)"', text)))


def read_each(body: dict[str, Any]) -> Reply:
    names = read_names(body)
    assert names == [f"inv_{number}.txt" for number in range(1, 6)]
    return calls(*(("get_extraction_result", {"document": name}) for name in names))


def say_totals(body: dict[str, Any]) -> Reply:
    """A table whose proof is a place on the page."""
    rows = ["| invoice | total | where |", "|---|---|---|"]
    for result in read_results(body):
        lines, values = result.get("lines", {}), result["result"]
        where = f"[{lines['total']}] [{lines['invoice_number']}]" if "total" in lines else "nowhere"
        rows.append(f"| {values['invoice_number']} | {values['total']} | {where} |")
    return says("\n".join(rows))


def change_all(body: dict[str, Any]) -> Reply:
    named = {"documents": read_names(body), "add_tags": ["Paid"], "name_pattern": "{invoice_date} {vendor}"}
    return calls(("update_document", named))


def correct(body: dict[str, Any]) -> Reply:
    changes = [("vendor", "Anvil Works Ltd"), ("invoice_number", "N-0001"), ("total", 101.5)]
    named = [{"path": path, "value": value} for path, value in changes]
    return calls(("update_extraction_field", {"document": "inv_1.txt", "changes": named}))


def look_for_total(body: dict[str, Any]) -> Reply:
    read = ("read_document", {"document": EMPTY, "focus_query": "total"})
    return calls(("get_extraction_result", {"document": EMPTY}), read)


def say_why(body: dict[str, Any]) -> Reply:
    values, pages = read_results(body)
    assert "total" in values["empty"]
    line = re.search(r"\[(D\d+:1\.\d+)\] (Total: [^\n]*)", pages["text"])
    assert line is not None
    return says(f"The page gives no number: “{line[2]}” [{line[1]}]")


def ask(page: Page, words: str) -> None:
    page.get_by_label("Message to the agent").fill(words)
    page.keyboard.press("Enter")


def find_card(page: Page, title: str, kind: str = "wait") -> Locator:
    card = page.locator(f".card-{kind}").filter(has=page.get_by_role("heading", name=re.compile(title)))
    expect(card).to_be_visible(timeout=LONG)
    return card


def expect_row(page: Page, name: str, *, tags: str) -> None:
    row = page.locator("tr[data-document]").filter(has_text=name)
    expect(row.first).to_contain_text(tags, timeout=LONG)


def test_many_are_found_changed_taken_back_and_corrected_in_one_thread(page: Page, model: ScriptedModel) -> None:
    enter(page)
    documents = page.url
    set_up(page)
    page.goto(f"{documents}?state=extracted&q=inv_")
    own = page.locator("tr[data-document]").filter(has_text=re.compile(r"inv_\d\.txt"))
    expect(own).to_have_count(6, timeout=LONG)
    page.goto(documents.replace("/documents", "/agent/thread?thread=new"))

    wanted = {"where": ["vendor ~ anvil"], "values": ["vendor", "total"]}
    model.will(calls(("list_documents", wanted)), read_each, say_totals)
    ask(page, "All invoices of Anvil Works, with their totals and where they stand")
    answer = page.locator(".agent-text").last
    expect(answer).to_contain_text("N-4", timeout=LONG)
    expect(answer.locator("tr")).to_have_count(6)
    expect(answer.locator("tr").filter(has_text="400.5").get_by_role("link", name=SOURCE).first).to_be_visible()
    assert OTHER not in answer.inner_text()

    model.will(change_all, says("They are on their way."))
    ask(page, "Tag them as paid and rename them by date")
    card = find_card(page, "Change 5 documents")
    expect(card).to_contain_text("2026-03-01 Anvil Works.txt")
    card.get_by_role("button", name="Edit").click()
    card.get_by_label(EMPTY).uncheck()
    expect(page.get_by_role("heading", name="Change 4 documents")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Approve with edits").click()
    done = find_card(page, "([cC]hanged|change) 4 documents", kind="done")
    thread = page.url
    page.goto(documents)
    for number in range(1, 5):
        expect_row(page, f"2026-03-0{number} Anvil Works.txt", tags="Paid")
    expect_row(page, EMPTY, tags="Anvils")
    page.goto(thread)
    done.get_by_role("button", name="Undo").click()
    expect(done).to_contain_text("Undone by you", timeout=LONG)
    page.goto(documents)
    for number in range(1, 5):
        expect_row(page, f"inv_{number}.txt", tags="Anvils")
    expect(page.locator("tr[data-document]").filter(has_text="Paid")).to_have_count(0)

    page.goto(thread)
    model.will(correct, says("Three values are corrected."))
    ask(page, "On the first, the vendor is Anvil Works Ltd, the number N-0001 and the total 101.5")
    card = find_card(page, "Change 3")
    for words in ("Anvil Works Ltd", "N-0001", "101.5"):
        expect(card).to_contain_text(words)
    card.get_by_role("button", name="Approve").click()
    expect(page.locator(".agent-text").last).to_contain_text("Three values are corrected", timeout=LONG)

    model.will(look_for_total, say_why)
    ask(page, "Why is the total of the fifth empty?")
    source = page.locator(".agent-text").last.get_by_role("link", name=SOURCE)
    expect(source).to_be_visible(timeout=LONG)
    source.click()
    expect(page.get_by_role("heading", name=EMPTY)).to_be_visible(timeout=LONG)
    page.get_by_role("link", name="Open document").click()
    page.wait_for_url(re.compile("/documents/"))
    expect(page.locator("[data-cited]")).to_have_count(1)
    assert not model.unexpected


def test_a_rule_of_a_message_is_kept_changed_and_taken_off_the_list_in_every_tab(
    page: Page, model: ScriptedModel
) -> None:
    enter(page)
    page.goto(page.url.replace("/documents", "/agent/thread?thread=new"))
    model.will(says("I shall."))
    ask(page, "Read the new ones. Names in capitals.")
    expect(page.locator(".agent-text").last).to_contain_text("I shall.", timeout=LONG)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#wishes")).to_be_hidden()

    page.get_by_role("button", name="Keep as a standing wish").click()
    field = page.get_by_label("A rule, a name or a format")
    expect(field).to_have_value("Read the new ones. Names in capitals.")
    field.fill("Names in capitals.")
    page.keyboard.press("Control+Enter")
    for tab in (page, other):
        expect(tab.locator(".wish")).to_contain_text(["Names in capitals."], timeout=LONG)
    expect(field).to_have_value("")
    field.fill("half typed")
    page.get_by_role("button", name="Change this wish").click()
    page.keyboard.type(" And in bold.")
    page.keyboard.press("Control+Enter")
    for tab in (page, other):
        expect(tab.locator(".wish")).to_contain_text(["Names in capitals. And in bold."], timeout=LONG)
    expect(field).to_have_value("half typed")

    model.will(lambda body: says("In bold." if "1. Names in capitals. And in bold." in str(body) else "Not."))
    ask(page, "And now?")
    expect(page.locator(".agent-text").last).to_contain_text("In bold.", timeout=LONG)
    page.get_by_role("button", name="Take this wish off the list").click()
    for tab in (page, other):
        expect(tab.locator(".wish")).to_have_count(0, timeout=LONG)
    expect(other.locator("#wishes")).to_be_hidden()


def test_what_a_thread_is_about_stands_above_the_composer_until_a_person_takes_it_out(
    page: Page, model: ScriptedModel
) -> None:
    enter(page)
    path = f"/v0/orgs/{page.url.split('/orgs/')[1].split('/')[0]}/tags"
    page.evaluate(POST, [path, {"name": "Urgent"}])
    page.goto(page.url.replace("/documents", "/agent/thread?thread=new"))
    model.will(calls(("get_tag", {"tag_id": "urgent"})), says("It is on no document."))
    ask(page, "What is Urgent on?")
    chips = page.locator("#focus .mention")
    expect(chips).to_have_text(["Urgent"], timeout=LONG)
    expect(page.locator(".agent-text:not(.live-text)")).to_contain_text("on no document", timeout=LONG)

    def tell_focus(body: dict[str, Any]) -> Reply:
        return says("That tag." if "focus, newest first: tag Urgent" in str(body) else "I do not know which.")

    model.will(tell_focus)
    ask(page, "And that one?")
    expect(page.locator(".agent-text").last).to_contain_text("That tag.", timeout=LONG)
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_role("button", name="Take Urgent out of focus").click()
    for tab in (page, other):
        expect(tab.locator("#focus")).to_be_hidden(timeout=LONG)
    model.will(tell_focus)
    ask(page, "And that one?")
    expect(page.locator(".agent-text").last).to_contain_text("I do not know which.", timeout=LONG)
