"""A question over six documents of two years: steps, both sources opened, stopped, reloaded, and taken along."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.compared_leases import QUESTION, RENTS, ask, compare, read, search, upload
from tests.browser.conftest import LONG, enter
from tests.product import Product
from tests.scripted_model import ScriptedModel


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


def test_six_documents_of_two_years_are_compared(page: Page, model: ScriptedModel, tmp_path: Path) -> None:
    enter(page)
    upload(page)
    page.get_by_role("link", name="Agent", exact=True).first.click()
    page.wait_for_url("**/agent")  # with its scripts: before them Enter begins a line

    model.will(search("2025"), read("2025"), search("2026"), read("2026"), compare)
    ask(page)
    answer = page.locator(".agent-text").last
    expect(answer).to_contain_text("It rose by 150.00 EUR", timeout=LONG)
    expect(page.locator("details.trail > summary")).to_have_text(
        re.compile(r"Searched › read › searched › read\s*\d+\.\d s")
    )
    assert "unsupported" not in answer.inner_text()
    sources = page.locator(".sources a.place")
    expect(sources).to_have_count(2)
    for year, source in zip(RENTS, sources.all(), strict=True):
        source.click()
        expect(page.locator(".reader-head h2")).to_have_text(f"Lease Brno {year}.txt")
    page.get_by_role("button", name="Previous source").click()
    expect(page.locator(".reader-head h2")).to_have_text("Lease Brno 2025.txt")
    expect(page.locator("[data-reader-number]")).to_have_text("1")
    page.keyboard.press("Escape")
    expect(page.locator("#reader")).to_be_hidden()

    model.will(search("2025").after(60))
    ask(page)
    expect(page.locator("#running")).to_contain_text("2 s")
    page.get_by_role("button", name=re.compile("^Stop")).first.click()
    expect(page.get_by_text("stopped").last).to_be_visible(timeout=LONG)

    model.will(search("2025"), read("2025"), search("2026").after(1), read("2026"), compare)
    ask(page)
    expect(page.locator("li", has_text="Lease Brno 2025.txt").last).to_be_visible(timeout=LONG)
    page.reload()
    expect(page.locator(".agent-text", has_text="It rose by 150.00 EUR")).to_have_count(2, timeout=LONG)

    with page.expect_download() as download:
        page.locator(".answer-files").last.get_by_role("link", name="Markdown").click()
    download.value.save_as(tmp_path / "answer.md")
    written = (tmp_path / "answer.md").read_text()
    assert QUESTION in written and "150.00" in written
    for year, rent in RENTS.items():
        assert re.search(rf"Lease Brno {year}\.txt.*http\S+", written, re.S), written
        assert f"Rent: {rent} EUR" in written
