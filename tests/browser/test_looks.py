"""What a person sees besides the words: rings and outlines that hide nothing, colours from the first moment."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import EMAIL, LONG, enter
from tests.browser.test_values import field, value, values

__all__ = ["values"]  # a fixture

# What the focus ring of the first covers, all around, against each of the others.
COVERED = """([ringed, ...others]) => {
    const box = ringed.getBoundingClientRect();
    const style = getComputedStyle(ringed);
    const wide = Math.max(0, parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth));
    return others.filter((other) => {
        const seen = other.getBoundingClientRect();
        return seen.width && box.left - wide < seen.right && box.right + wide > seen.left
            && box.top - wide < seen.bottom && box.bottom + wide > seen.top;
    }).map((other) => other.textContent.trim());
}"""
DRAG = """() => {
    const dragged = new DataTransfer();
    dragged.items.add(new File(['x'], 'a.pdf'));
    document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer: dragged, bubbles: true }));
}"""
# The outline's box on the page, and what stands over it at the middle of each side.
OUTLINE = """() => {
    const main = document.querySelector('main');
    const drawn = getComputedStyle(main, '::after');
    const [box, inset] = [main.getBoundingClientRect(), parseFloat(drawn.top)];
    const over = [...document.querySelectorAll("main *:not(.notices)")].filter(
        (element) => Number(getComputedStyle(element).zIndex) >= Number(drawn.zIndex));
    return { width: box.width - 2 * inset, main: box.width, wide: parseFloat(drawn.borderTopWidth),
             over: over.map((element) => element.className) };
}"""

# A row that comes again before it has settled from the time before.
FETCH_TWICE = """async () => {
    const { id, dataset } = document.querySelector('tr.cursor');
    const fetchRow = (swap) => htmx.ajax('GET', dataset.refresh, { target: `#${id}`, swap });
    await new Promise((swapped) => {
        document.addEventListener('htmx:afterSwap', swapped, { once: true });
        fetchRow('outerHTML settle:1m');
    });
    await fetchRow('outerHTML');
}"""


def test_the_ring_of_an_edited_value_covers_neither_its_note_nor_its_mark(values: Page) -> None:
    value(values, "vendor").click()
    values.keyboard.press("Enter")
    values.locator(".field-edit").fill("Ostrava Tools")
    values.keyboard.press("Enter")
    expect(value(values, "vendor")).to_be_focused()
    parts = [value(values, "vendor"), field(values, "vendor").locator(".field-why")]
    parts.append(field(values, "vendor").locator(".found"))
    assert values.evaluate(COVERED, [part.element_handle() for part in parts]) == []


def test_the_button_that_leaves_an_organization_keeps_within_its_menu(page: Page) -> None:
    enter(page)
    page.goto(page.url.replace("/documents", "/settings/members"))
    page.locator("summary", has_text="Leave").click()
    button = page.get_by_role("button", name="Leave Delmar")
    button.evaluate("(button) => { button.textContent = `Leave ${'X'.repeat(95)}`; }")
    menu, leave = page.locator(".twice[open] .menu-list"), page.get_by_role("button", name="Leave XXX")
    [outer, inner] = [each.evaluate("(e) => e.getBoundingClientRect().toJSON()") for each in (menu, leave)]
    assert outer["left"] <= inner["left"] and inner["right"] <= outer["right"]


def test_a_thread_without_a_document_gets_its_title_with_its_first_message(page: Page) -> None:
    enter(page)
    page.goto(page.url.replace("/documents", "/agent/thread?thread=new"))
    page.locator("#say").fill("What can you do?")
    page.keyboard.press("Enter")
    expect(page).to_have_title("What can you do? · DocRouter", timeout=LONG)
    expect(page.locator("h1")).to_have_text("All documents")


def test_a_refused_budget_keeps_what_was_typed(page: Page) -> None:
    enter(page)
    page.goto(page.url.replace("/documents", "/settings/budget"))
    limit = page.get_by_label("Budget in dollars")
    limit.fill("25,50")
    limit.press("Enter")
    expect(limit).to_be_focused()
    expect(limit).to_have_value("25,50")
    limit.fill("25.50")
    limit.press("Enter")
    expect(page.get_by_text("The monthly budget is $25.50 now.")).to_be_visible()
    expect(page).to_have_url(re.compile("/settings/budget$"))
    expect(page.get_by_label("Budget in dollars")).to_be_in_viewport()


def test_a_drag_outlines_the_whole_page_and_nothing_cuts_it(page: Page) -> None:
    enter(page)
    page.evaluate(DRAG)
    drawn: dict[str, Any] = page.evaluate(OUTLINE)
    assert (drawn["wide"], drawn["over"]) == (2, []) and drawn["width"] > drawn["main"] - 12


def test_a_dark_page_is_dark_from_its_first_byte_and_its_paper_too(values: Page) -> None:
    while values.locator("html").get_attribute("data-theme") != "dark":
        values.locator(".nav [data-theme-toggle]").click()
    text = values.request.get(values.url).text()
    assert '<html lang="en" data-theme="dark">' in text and '<meta name="color-scheme" content="dark">' in text
    papers = values.locator(".page").evaluate_all("all => all.map((each) => getComputedStyle(each).backgroundColor)")
    assert papers and "rgb(255, 255, 255)" not in papers


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_an_address_in_the_audit_stays_on_one_line(page: Page, width: int) -> None:
    enter(page)
    # What takes the most room beside the address: a name without a space.
    long_name = {"name": "N" * 180 + ".txt", "mimeType": "text/plain", "buffer": b"x"}
    page.locator("#files").set_input_files(long_name)
    expect(page.locator("tr[data-document]").filter(has_text="NNN").first).to_be_visible()
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(page.url.replace("/documents", "/audit"))
    who = page.locator(".audit tbody").get_by_text(EMAIL, exact=True).first
    box = who.bounding_box()
    assert box and box["height"] < 30


def test_the_name_is_the_widest_column_of_the_list(values: Page) -> None:
    values.get_by_role("link", name="Documents", exact=True).first.click()
    expect(values.locator("tr[data-document]").first).to_be_visible()
    for width in (820, 1024, 1181, 1280, 1321, 1440, 1760, 1920):
        values.set_viewport_size({"width": width, "height": 800})
        _, name, *others = values.locator(".docs thead th").evaluate_all("all => all.map((each) => each.offsetWidth)")
        assert name > max(others), (width, name, others)


def test_why_a_file_could_not_be_read_stands_whole_beside_its_name(page: Page) -> None:
    enter(page)
    page.locator("#files").set_input_files({"name": "cut.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 x"})
    row = page.locator("tr[data-document]").filter(has_text="cut.pdf")
    expect(row.locator(".c-state")).to_contain_text("Could not be read", timeout=LONG)
    row.locator("a.name").click()
    reason = page.locator("#topbar .state .cut")
    expect(reason).to_contain_text("The file is damaged")
    assert reason.evaluate("(words) => words.scrollWidth <= words.clientWidth")


def test_the_colour_of_a_tag_stands_beside_its_name_on_a_phone(page: Page) -> None:
    enter(page)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(page.url.replace("/documents", "/tags/new"))
    page.get_by_label("Name").fill("Colour beside")
    page.get_by_role("button", name="Create tag").click()
    page.goto(page.url.partition("/tags")[0] + "/tags")
    link = page.get_by_role("link", name="Colour beside")
    colour, name = link.locator(".swatch").bounding_box(), link.locator(".cut").bounding_box()
    assert colour and name
    assert colour["x"] + colour["width"] <= name["x"] and name["y"] < colour["y"] < name["y"] + name["height"]


def test_an_empty_inbox_says_so_in_the_middle_and_not_as_a_heading_of_a_list(page: Page) -> None:
    enter(page)
    page.goto(page.url.replace("/documents", "/inbox?older=week"))
    heading = page.locator(".queue .hollow h2")
    assert heading.evaluate("(e) => [getComputedStyle(e).position, getComputedStyle(e).display]") == ["static", "block"]


@pytest.mark.parametrize(("machine", "shown"), [("Linux x86_64", "Ctrl K"), ("MacIntel", "⌘K")])
def test_keys_are_named_as_this_machine_names_them(page: Page, machine: str, shown: str) -> None:
    page.add_init_script(f"Object.defineProperty(navigator, 'platform', {{ get: () => '{machine}' }})")
    enter(page)
    assert page.locator(".nav [data-palette] .kbd").locator("visible=true").all_inner_texts() == [shown]


def test_a_row_that_is_fetched_twice_at_once_keeps_the_focus(values: Page) -> None:
    values.goto(values.url.partition("/documents/")[0] + "/documents")
    values.keyboard.press("j")
    expect(values.locator("tr.cursor a.name")).to_be_focused()
    # What a script has styled, as the viewer does its pages, is no inline style that the policy refuses.
    values.locator("tr.cursor a.name").evaluate("(name) => { name.style.color = 'inherit'; }")
    values.evaluate(FETCH_TWICE)
    expect(values.locator("tr.cursor a.name")).to_be_focused()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_notice_leaves_the_bar_of_what_is_selected_free(values: Page, width: int) -> None:
    values.goto(values.url.partition("/documents/")[0] + "/documents")
    values.set_viewport_size({"width": width, "height": 800})
    values.locator("tr[data-document] .tick").first.check()
    notice, bar = values.locator("#notice"), values.locator("#bulk")
    notice.evaluate(
        "(e) => { e.innerHTML = `<div class='banner'><p class='grow'>${'A long sentence. '.repeat(9)}</p></div>`; }"
    )
    upper, lower = notice.bounding_box(), bar.bounding_box()
    assert upper and lower and upper["y"] + upper["height"] <= lower["y"]


def test_space_takes_the_first_value_in_the_inbox_and_then_verifies_it(values: Page) -> None:
    values.goto(values.url.partition("/documents/")[0] + "/inbox?kind=verify")
    first = values.locator("[data-proof]").first
    expect(first).to_have_attribute("aria-pressed", "false")
    values.keyboard.press("Space")
    expect(first).to_be_focused()
    values.keyboard.press("Space")
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(values.locator("[data-proof]").nth(1)).to_be_focused()
