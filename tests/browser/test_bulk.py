"""Selecting documents in the list, and what is done with all of them at once."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LONG, enter, enter_as_guest
from tests.product import ROOT, Product

# Does it, waits until what it asked for has settled, and says which row had the focus as soon as it was there.
SETTLE = """(script) => new Promise((done) => {
  let focused;
  document.addEventListener('htmx:afterSwap', () => { focused = document.activeElement.closest('tr')?.id; }, { once: true });
  document.addEventListener('htmx:afterSettle', () => setTimeout(() => done(focused)), { once: true });
  Function(script)();
})"""
NAME = "Supply_agreement_" * 8


@pytest.fixture(scope="module")
def product(browser: Browser, shared_product: Product) -> Iterator[Product]:
    with enter_as_guest(browser, shared_product, "bulk") as product:
        yield product


@pytest.fixture
def documents(page: Page, product: Product) -> Page:
    """A list of more documents than it shows at once."""
    enter(page)
    if not page.locator("tr[data-document]").count():
        numbers = ["--documents", "70", "--prompts-revisions", "4", "--tags", "4"]
        seed = [sys.executable, "manage.py", "seed_demo", "--organization", "bulk", *numbers]
        subprocess.run(seed, cwd=ROOT, env=product.variables(), check=True, capture_output=True)
        page.reload()
    expect(page.locator("tr[data-document]")).to_have_count(50)
    return page


def expect_selected(page: Page, words: str) -> None:
    expect(page.locator("#bulk [data-selected]")).to_have_text(f"{words} selected")


def fetch_strip(page: Page) -> None:
    page.evaluate("document.dispatchEvent(new CustomEvent('docrouter:back'))")
    # Answered after what the event has asked for.
    page.evaluate("fetch(document.querySelector('#jobs').dataset.refresh).then((answer) => answer.text())")
    expect(page.locator(".htmx-request")).to_have_count(0)


def list_columns(page: Page) -> list[str]:
    return page.locator("th[data-column]").evaluate_all("heads => heads.map((head) => head.dataset.column)")


def test_columns_are_chosen_ordered_widened_added_up_and_carried_by_a_view(documents: Page) -> None:
    page, dialog = documents, documents.locator("#columns")
    begin = list_columns(page)
    page.get_by_role("button", name="Columns").click()
    dialog.get_by_label("Find a column").fill("total")
    page.keyboard.press("Enter")
    for _ in begin[1:]:
        dialog.get_by_role("button", name="Move Total to the left").press("Enter")
    dialog.get_by_role("button", name="Hide Uploaded", exact=True).click()
    dialog.get_by_role("button", name="Show columns").click()
    page.wait_for_load_state()
    assert list_columns(page) == ["@name", "total", "@state", "@verified", "@tag"]
    head, edge = page.locator("th[data-column=total]"), page.get_by_role("separator", name="Width of Total")
    before, box = head.bounding_box(), edge.bounding_box()
    assert before and box
    with page.expect_response("**/columns/width"):
        page.mouse.move(box["x"] + 4, box["y"] + 4)
        page.mouse.down()
        page.mouse.move(box["x"] + 68, box["y"] + 4)
        page.mouse.up()
    with page.expect_response("**/columns/width"):
        edge.press("ArrowRight")
    page.reload()
    after = head.bounding_box()
    assert after and after["width"] == before["width"] + 80
    head.get_by_role("link").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    page.locator("[data-select]").nth(0).click()
    page.locator("[data-select]").nth(1).click()
    expect(page.locator("#sums")).to_contain_text("34,233.10")
    page.keyboard.press("Escape")
    expect(page.locator("#sums")).to_be_hidden()
    page.locator("summary", has_text="Views").click()
    page.get_by_label("Save what is shown now as").fill("Totals")
    page.get_by_role("button", name="Save view").click()
    expect(page.locator("#saved-views")).to_contain_text("Totals")
    page.get_by_role("button", name="Columns").click()
    dialog.get_by_role("button", name="Reset").click()
    expect(page.locator("th[data-column=total]")).to_have_count(0)
    assert list_columns(page) == begin
    page.locator("#saved-views").get_by_role("link", name="Totals").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    carried = head.bounding_box()
    assert carried and carried["width"] == after["width"]
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("td.c-value").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_results_of_a_filtered_list_are_a_workbook_whose_column_adds_up(documents: Page, tmp_path: Path) -> None:
    page, dialog = documents, documents.locator("#columns")
    organization = page.url.split("/orgs/")[1].split("/")[0]
    over = "value=total+%3E+1000"
    page.goto(f"{page.url.partition('?')[0]}?{over}")
    page.get_by_role("button", name="Results").click()
    expect(dialog.get_by_role("heading", name="Results of")).to_be_visible()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") == width
            expect(dialog.get_by_role("button", name="Download")).to_be_in_viewport()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    expect(dialog).to_be_hidden()
    download.value.save_as(tmp_path / "results.xlsx")
    head, *rows = load_workbook(tmp_path / "results.xlsx")["Documents"].iter_rows(values_only=True)
    column = head.index("Total")
    totals = [row[column] for row in rows if isinstance(row[column], int | float)]
    answer = page.request.get(f"/v0/orgs/{organization}/results?{over}&limit=1000").json()
    runs = [run["values"] for each in answer["results"] for run in each["results"] if "total" in run["values"]]
    assert rows and min(totals) > 1000 and round(sum(totals), 2) == round(sum(run["total"] for run in runs), 2)
    page.get_by_role("button", name="Results").click()
    dialog.locator("[name=format]").select_option("csv")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename.endswith(".csv")
    page.reload()
    page.get_by_role("button", name="Results").click()
    expect(dialog.locator("[name=format]")).to_have_value("csv")


def test_rows_are_selected_by_ticks_ranges_and_keys_and_a_reload_finds_them_again(documents: Page) -> None:
    ticks = documents.locator("[data-select]")
    ticks.nth(1).click()
    expect_selected(documents, "1")
    ticks.nth(4).click(modifiers=["Shift"])
    expect_selected(documents, "4")
    documents.locator("a.name").nth(6).focus()
    documents.keyboard.press("x")
    expect_selected(documents, "5")
    documents.keyboard.press("j")
    documents.keyboard.press("j")
    documents.keyboard.press("X")
    expect_selected(documents, "7")
    documents.keyboard.press("Control+a")
    expect_selected(documents, "50")
    total = documents.locator("#count").inner_text()
    documents.get_by_role("button", name=f"Select all {total} that match").click()
    expect_selected(documents, total)
    documents.reload()
    expect_selected(documents, total)
    ticks.nth(0).click()
    expect_selected(documents, "49")
    documents.keyboard.press("Escape")
    expect(documents.locator("#bulk")).to_be_hidden()
    expect(documents.locator("tr.selected")).to_have_count(0)


def test_another_filter_selects_nothing_that_is_out_of_sight(documents: Page) -> None:
    documents.keyboard.press("Control+a")
    expect_selected(documents, "50")
    documents.locator("#search").fill("no such document")
    expect(documents.locator("#bulk")).to_be_hidden()


def test_a_tag_is_set_on_all_of_them_and_undone(documents: Page) -> None:
    documents.locator("[data-select]").nth(0).click()
    documents.locator("[data-select]").nth(2).click(modifiers=["Shift"])
    documents.locator("a.name").first.focus()
    documents.keyboard.press("t")
    documents.get_by_role("combobox", name="Find a tag by name").fill("Quarter")
    documents.get_by_role("option", name=re.compile("Quarter")).click()
    job = documents.locator(".job:not(.job-past)")
    expect(job).to_contain_text("3 of 3 done", timeout=LONG)
    # The selection stays for the next thing that is done with it, until Escape.
    documents.goto(f"{documents.url}?order_by=name")
    documents.evaluate(SETTLE, "document.dispatchEvent(new CustomEvent('docrouter:many'))")
    expect_selected(documents, "3")
    documents.goto(documents.url.partition("?")[0])
    expect(documents.locator("tr.selected")).to_have_count(3)
    documents.locator("h1").click()
    documents.keyboard.press("Escape")
    expect(documents.locator("#bulk")).to_be_hidden()
    expect(documents.locator("tr[data-document]").filter(has_text="Quarter")).to_have_count(3, timeout=LONG)
    other = documents.context.new_page()
    other.goto(documents.url)
    expect(other.locator(".job:not(.job-past)")).to_contain_text("Tag as Quarter")
    job.get_by_role("button", name="Undo").click()
    expect(documents.locator("tr[data-document]").filter(has_text="Quarter")).to_have_count(0, timeout=LONG)
    expect(other.locator(".job:not(.job-past)")).to_contain_text("Take the tag Quarter off", timeout=LONG)
    dismiss = job.get_by_role("button", name=re.compile("Dismiss"))
    expect(dismiss).to_be_visible(timeout=LONG)
    dismiss.focus()
    fetch_strip(documents)
    expect(dismiss).to_be_focused()
    # What is pressed is not replaced before it is let go.
    dismiss.hover()
    documents.mouse.down()
    fetch_strip(documents)
    documents.mouse.up()
    expect(job).to_have_count(0)
    expect(other.locator(".job:not(.job-past)")).to_have_count(0, timeout=LONG)


def test_a_selection_goes_to_the_trash_and_says_what_was_left_out(documents: Page) -> None:
    name = documents.locator("tr[data-document] .cut").first.inner_text()
    documents.locator("[data-select]").nth(0).click()
    documents.locator("[data-select]").nth(1).click()
    documents.locator("#bulk summary[aria-label=More]").click()
    documents.get_by_role("button", name="Verify what was looked at").click()
    job = documents.locator("#status .job[data-front]")
    job.get_by_role("button", name="2 left out").click(timeout=LONG)
    dialog = documents.locator("#bulk-dialog")
    expect(dialog).to_contain_text(name)
    documents.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    documents.get_by_role("button", name="Move to trash", exact=True).last.click()
    # The rows go with the press. The focus is where the action stands.
    expect(documents.locator("tr[data-document]:visible").filter(has_text=name)).to_have_count(0)
    expect(documents.locator("#jobs")).to_be_focused()
    expect(job).to_contain_text("2 of 2 done", timeout=LONG)
    with documents.expect_request(re.compile("/undo$")):
        job.get_by_role("button", name="Undo").click()
    expect(documents.locator("tr[data-document]").filter(has_text=name)).to_have_count(1)
    expect(job).to_contain_text("Restore", timeout=LONG)
    expect(job.get_by_role("button", name="Undo")).to_have_count(0)
    expect(documents.locator("tr[data-document]").filter(has_text=name)).to_have_count(1)


def test_the_trash_has_ticks_restores_in_bulk_and_asks_before_it_deletes(documents: Page) -> None:
    names = documents.locator("tr[data-document] .name-words > .cut").all_inner_texts()[:3]
    for at in range(3):
        documents.locator("[data-select]").nth(at).click()
    documents.get_by_role("button", name="Move to trash", exact=True).last.click()
    expect(documents.locator("tr[data-document]").filter(has_text=names[2])).to_have_count(0, timeout=LONG)
    documents.get_by_role("link", name="Trash").click()
    documents.wait_for_load_state()  # the keys below are its script's
    rows = documents.locator("#rows [data-document]")
    expect(rows.filter(has_text=names[2])).to_have_count(1)
    total = rows.count()
    documents.keyboard.press("j")
    documents.keyboard.press("J")
    documents.keyboard.press("J")
    expect_selected(documents, "3")
    documents.keyboard.press("K")
    expect_selected(documents, "2")
    documents.get_by_role("button", name="Restore", exact=True).last.click()
    expect(rows).to_have_count(total - 2, timeout=LONG)
    expect(documents.locator("#bulk")).to_be_hidden()
    rows.first.locator("[data-select]").click()
    documents.locator("#bulk").get_by_role("button", name="Delete for good").click()
    dialog = documents.locator("#bulk-dialog")
    expect(dialog).to_contain_text("Nobody can bring it back.")
    dialog.get_by_role("button", name="Cancel").click()
    expect_selected(documents, "1")
    documents.locator("#bulk").get_by_role("button", name="Delete for good").click()
    dialog.get_by_role("button", name="Delete 1 document for good").click()
    expect(rows).to_have_count(total - 3, timeout=LONG)


def test_the_question_before_a_run_has_its_button_in_hand(documents: Page) -> None:
    documents.locator("[data-select]").nth(0).click()
    documents.locator("#bulk").get_by_role("button", name="Run").click()
    dialog = documents.locator("#bulk-dialog")
    expect(dialog.get_by_role("button", name="Run on 1 document")).to_be_focused()
    again = dialog.get_by_label("Also where this version has a result")
    again.focus()
    documents.evaluate(SETTLE, "document.getElementById('bulk-again').click()")
    expect(again).to_be_checked()
    assert documents.evaluate("document.activeElement.id") == "bulk-again"
    documents.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("hint", ["'docrouter:many'", "'docrouter:event', { detail: { document_id: id } }"])
def test_rows_that_are_fetched_again_keep_the_cursor_and_the_focus(documents: Page, hint: str) -> None:
    names = documents.locator("a.name")
    names.nth(1).focus()
    row = str(documents.locator("tr[data-document]").nth(1).get_attribute("data-document"))
    script = f"const id = '{row}'; document.dispatchEvent(new CustomEvent({hint}))"
    assert documents.evaluate(SETTLE, script) == f"document-{row}"
    documents.keyboard.press("j")
    expect(names.nth(2)).to_be_focused()
