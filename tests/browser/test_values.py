"""The Extraction tab: run a prompt, see where values stand, correct them, verify them, by mouse and by key."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from tests.browser.conftest import LONG, READ, Complaints, drop, enter, run_prompt, wait_for
from tests.product import Product

SEED = """
from accounts.access import enter
from accounts.models import Member
from documents.definitions import prompts, schemas
member = Member.objects.get(organization__name="Delmar Logistics")
actor = enter(member.user, member.organization_id)
text, number = ({"type": kind, "description": "As printed"} for kind in ("string", "number"))
line = {"type": "object", "properties": {"sku": text, "description": text, "quantity": number, "amount": number}}
properties = {"vendor": text, "invoice_number": text, "due_date": {**text, "format": "date"}, "total": number,
              "customer_number": text,
              "line_items": {"type": "array", "items": line, "description": "The lines"}}
revision = schemas.create(actor, name="Invoice with lines", response_format={"type": "json_schema", "json_schema": {
    "name": "invoice", "schema": {"type": "object", "properties": properties}, "strict": False}})
prompts.create(actor, name="Invoice values", content="Take out the values.", schema_revision=revision)
"""


@pytest.fixture
def values(page: Page, product: Product) -> Page:
    """The Extraction tab of a document of its own, with the values of one run."""
    enter(page)
    if not product.query("SELECT 1 FROM documents_prompt WHERE name = 'Invoice values'"):
        seeded = product.run("shell", "-c", SEED)
        assert seeded.returncode == 0, seeded.stderr
    known = set(page.locator("tr[data-document]").evaluate_all("rows => rows.map((row) => row.id)"))
    drop(page, "gen_invoice_101.pdf")
    newest = page.locator("tr[data-document]").first
    expect(newest).not_to_have_id(re.compile("|".join(known) or "none"))
    expect(newest.locator(".c-state")).to_contain_text(READ, timeout=LONG)
    newest.locator("a.name").click()
    run_prompt(page, "Invoice values")
    expect(field(page, "total")).to_be_visible(timeout=LONG)
    return page


def field(page: Page, where: str) -> Locator:
    return page.locator(f'.field[data-item="{where}"]')


def value(page: Page, where: str) -> Locator:
    return field(page, where).locator(".field-value")


def test_a_chosen_value_is_boxed_and_named_on_its_page(values: Page) -> None:
    value(values, "total").click()
    expect(values.locator(".mark-on")).to_have_attribute("data-where", "total")
    expect(values.locator(".mark-label text")).to_have_text("Total")
    box, word = (
        values.locator(".mark-on").bounding_box(),
        values.locator(".words text", has_text="17,116.55").bounding_box(),
    )
    assert box and word
    assert abs(box["x"] - word["x"]) < 8
    assert abs(box["y"] - word["y"]) < 8


def test_a_click_on_a_box_chooses_its_value(values: Page) -> None:
    values.locator(".words text", has_text="INV-2025-49883").click()
    expect(field(values, "invoice_number")).to_have_attribute("aria-selected", "true")


def test_a_value_is_edited_by_key_and_taken_back_with_z(values: Page) -> None:
    value(values, "vendor").click()
    values.keyboard.press("Enter")
    values.locator(".field-edit").fill("Ostrava Tools")
    values.keyboard.press("Enter")
    expect(value(values, "vendor")).to_have_text("Ostrava Tools")
    expect(field(values, "vendor")).to_contain_text("Edited")
    expect(value(values, "vendor")).to_be_focused()
    values.keyboard.press("z")
    expect(value(values, "vendor")).to_have_text("Ostrava Tools s.r.o.")
    expect(field(values, "vendor")).to_contain_text("Exact")


def test_the_keys_of_the_panel_work_once_its_tab_is_pressed(values: Page) -> None:
    agent, extraction = (values.get_by_role("tab", name=name) for name in ("Agent", "Extraction"))
    value(values, "invoice_number").click()
    agent.click()
    values.locator("#agent").wait_for()
    extraction.click()
    expect(value(values, "invoice_number")).to_be_focused()
    values.keyboard.press("ArrowDown")
    expect(value(values, "due_date")).to_be_focused()
    values.keyboard.press("Enter")
    expect(values.locator(".field-edit")).to_be_focused()

    agent.click()
    values.locator("#agent").wait_for()
    values.reload()
    extraction.click()
    expect(values.locator('.item[aria-selected="true"]').locator(".field-value, .cell").first).to_be_focused()


def test_escape_leaves_a_value_as_it_was(values: Page) -> None:
    value(values, "vendor").click()
    values.keyboard.press("Enter")
    values.locator(".field-edit").fill("Nobody")
    values.keyboard.press("Escape")
    expect(values.locator(".field-edit")).to_have_count(0)
    expect(value(values, "vendor")).to_have_text("Ostrava Tools s.r.o.")


def test_a_refused_value_stays_typed_beside_the_sentence(values: Page, complaints: Complaints) -> None:
    value(values, "total").click()
    values.keyboard.press("Enter")
    values.locator(".field-edit").fill("a lot")
    values.keyboard.press("Enter")
    expect(field(values, "total").locator(".problem")).to_contain_text("is no number")
    expect(values.locator(".field-edit")).to_have_value("a lot")
    expect(values.locator(".field-edit")).to_be_focused()
    values.locator(".field-edit").fill("17.116,56")
    values.keyboard.press("Enter")
    expect(value(values, "total")).to_have_text("17,116.56")
    assert [text for text in complaints if "422" not in text] == []
    complaints.clear()


def test_a_click_on_a_word_fills_the_value_that_is_edited(values: Page) -> None:
    value(values, "vendor").click()
    values.keyboard.press("Enter")
    values.locator(".words text", has_text="Delmar").click()
    values.locator(".words text", has_text="Logistics").click(modifiers=["Shift"])
    expect(values.locator(".field-edit")).to_have_value("Delmar Logistics")
    with values.expect_request("**/edit") as sent:
        values.keyboard.press("Enter")
    assert re.search(r"hint=1\.\d", str(sent.value.post_data))
    expect(value(values, "vendor")).to_have_text("Delmar Logistics")


def test_space_verifies_and_goes_on(values: Page) -> None:
    value(values, "vendor").click()
    with values.expect_request("**/verify") as sent:
        values.keyboard.press("Space")
    assert "version=0" in str(sent.value.post_data)
    expect(field(values, "vendor").locator(".check")).to_have_attribute("aria-pressed", "true")
    expect(field(values, "invoice_number")).to_have_attribute("aria-selected", "true")
    expect(values.locator("#checked")).to_contain_text(re.compile(r"1 of \d+ verified"))
    values.keyboard.press("z")
    expect(values.locator("#checked")).to_contain_text(re.compile(r"0 of \d+ verified"))
    expect(value(values, "vendor")).to_be_focused()


def test_shift_v_verifies_the_document_and_an_edit_clears_it(values: Page) -> None:
    values.goto(f"{values.url.partition('?')[0]}?list=q%3Dno-such-document")  # so that no next one comes
    with values.expect_request("**/verify-all") as sent:
        values.keyboard.press("Shift+V")
    assert "version=0" in str(sent.value.post_data)
    expect(values.locator("#checked")).to_contain_text("Verified by")
    expect(values.locator("#topbar .state:not(.same-file)")).to_contain_text("Verified")
    value(values, "total").click()
    values.keyboard.press("Enter")
    values.locator(".field-edit").fill("5")
    values.keyboard.press("Enter")
    expect(values.locator("#checked")).to_contain_text(re.compile(r"0 of \d+ verified"))


def test_rows_are_added_edited_removed_and_brought_back(values: Page) -> None:
    rows = values.locator("table.lines tbody tr")
    before = rows.count()
    values.get_by_role("button", name="Row", exact=True).click()
    expect(rows).to_have_count(before + 1)
    expect(rows.last).to_have_attribute("aria-selected", "true")
    expect(values.locator(".field-edit")).to_be_focused()
    values.keyboard.type("Z9999")
    values.keyboard.press("Tab")
    expect(rows.last).to_contain_text("Z9999")
    expect(values.get_by_role("textbox", name="Description")).to_be_focused()
    values.keyboard.type("Brass")
    values.keyboard.press("Enter")
    expect(rows.last).to_contain_text("Brass")
    rows.last.get_by_role("button", name=re.compile("Remove row")).click()
    expect(rows).to_have_count(before)
    values.keyboard.press("z")
    expect(rows).to_have_count(before + 1)
    expect(rows.last).to_contain_text("Z9999")


def test_z_takes_back_a_verification_of_all_then_each_step_of_a_new_row(values: Page) -> None:
    values.goto(f"{values.url.partition('?')[0]}?list=q%3Dno-such-document")  # so that no next one comes
    rows, checked = values.locator("table.lines tbody tr"), values.locator("#checked")
    before = rows.count()
    values.get_by_role("button", name="Row", exact=True).click()
    expect(values.locator(".field-edit")).to_be_focused()
    values.keyboard.type("Z9999")
    values.keyboard.press("Enter")
    expect(rows.last).to_contain_text("Z9999")
    values.keyboard.press("Shift+V")
    expect(checked).to_contain_text("Verified by")
    values.keyboard.press("z")
    expect(checked).to_contain_text(re.compile(r"0 of \d+ verified"))
    expect(rows.last).to_contain_text("Z9999")
    values.keyboard.press("z")
    expect(rows.last).not_to_contain_text("Z9999")
    values.keyboard.press("z")
    expect(rows).to_have_count(before)


def test_the_changes_of_a_value_open_and_fold_where_they_stand(values: Page) -> None:
    value(values, "vendor").click()
    for typed in ("Ostrava", "Ostrava Tools"):
        values.keyboard.press("Enter")
        values.locator(".field-edit").fill(typed)
        values.keyboard.press("Enter")
        expect(value(values, "vendor")).to_have_text(typed)
    values.reload()
    value(values, "vendor").click()
    changes = field(values, "vendor").locator("summary")
    changes.press("Enter")
    expect(field(values, "vendor").locator(".history ins").first).to_have_text("Ostrava Tools")
    expect(changes).to_be_focused()
    changes.press("Enter")
    expect(field(values, "vendor").locator(".history")).to_be_hidden()


def test_without_an_uncertain_value_their_list_says_so(values: Page) -> None:
    note, table = values.get_by_text("No value is uncertain."), values.locator("table.lines")
    expect(note).to_be_hidden()
    values.evaluate(
        "document.querySelectorAll('.item.uncertain').forEach((item) => item.classList.remove('uncertain'))"
    )
    values.get_by_role("button", name=re.compile("Uncertain")).click()
    expect(note).to_be_visible()
    expect(table).to_be_hidden()


def test_z_pressed_before_a_removal_is_answered_takes_the_removal_back(values: Page) -> None:
    rows = values.locator("table.lines tbody tr")
    before = rows.count()
    path = values.url.split("?")[0]
    answers: list[tuple[Route, APIResponse]] = []
    values.route("**/remove-row", lambda route: answers.append((route, route.fetch())))
    value(values, "vendor").click()
    values.keyboard.press("Enter")
    values.locator(".field-edit").fill("Ostrava Tools")
    values.keyboard.press("Enter")
    expect(value(values, "vendor")).to_have_text("Ostrava Tools")
    rows.last.get_by_role("button", name=re.compile("Remove row")).click(no_wait_after=True)
    wait_for(values, lambda: answers)
    # The panel is fetched meanwhile, for another reason: it would show the row gone, but not how to bring it back.
    with values.expect_response(lambda each: "x-refresh" in each.request.headers and each.url.split("?")[0] == path):
        values.evaluate("document.dispatchEvent(new CustomEvent('docrouter:poll'))")
    values.evaluate("document.activeElement.blur()")
    values.keyboard.press("z")
    route, answer = answers.pop()
    with values.expect_response("**/undo"):
        route.fulfill(response=answer)
    expect(rows).to_have_count(before)
    expect(value(values, "vendor")).to_have_text("Ostrava Tools")


def test_what_somebody_else_changes_appears_and_does_not_disturb_an_edit(values: Page) -> None:
    other = values.context.new_page()
    other.goto(values.url)
    value(values, "vendor").click()
    values.keyboard.press("Enter")
    values.locator(".field-edit").fill("Half typ")
    value(other, "total").click()
    other.keyboard.press("Enter")
    other.locator(".field-edit").fill("12")
    other.keyboard.press("Enter")
    expect(value(other, "total")).to_have_text("12")
    values.wait_for_timeout(800)
    expect(values.locator(".field-edit")).to_have_value("Half typ")
    values.locator(".field-edit").press("Escape")
    expect(value(values, "total")).to_have_text("12")
    other.close()


def test_values_that_arrive_late_do_not_come_back_over_another_tab(values: Page) -> None:
    late_routes: list[Route] = []
    path = values.url.split("?")[0]

    def hold(route: Route) -> None:
        late = route.request.headers.get("x-refresh") and route.request.url.split("?")[0] == path
        late_routes.append(route) if late else route.continue_()

    values.route("**/documents/*", hold)
    with values.expect_request(lambda request: "x-refresh" in request.headers and request.url == path):
        values.evaluate("document.dispatchEvent(new CustomEvent('docrouter:poll'))")
    values.get_by_role("tab", name="Agent").click()
    expect(values.locator("#agent")).to_be_visible()
    landed = "window.landed = new Promise((done) => document.addEventListener('htmx:afterRequest', done, {once: true}))"
    values.evaluate(f"() => {{ {landed} }}")
    late_routes.pop().continue_()
    values.evaluate("() => window.landed.then(() => true)")
    expect(values.locator("#agent")).to_be_visible()
