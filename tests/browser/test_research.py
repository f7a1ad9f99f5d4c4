"""A question over six documents of two years: steps, both sources opened, stopped, reloaded, and taken along."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.conftest import LONG, enter
from tests.product import Product
from tests.scripted_model import Reply, ScriptedModel, calls, says

RENTS = {"2025": "1,200.00", "2026": "1,350.00"}
PLACES = ("Brno", "Praha", "Plzen")
QUESTION = "How did the rent of Brno change?"


@pytest.fixture(scope="module")
def product(scripted_product: Product) -> Product:
    return scripted_product


def make_files() -> list[FilePayload]:
    return [
        {
            "name": f"Lease {place} {year}.txt",
            "mimeType": "text/plain",
            "buffer": f"Lease of the year {year}\nPlace: {place}\nRent: {rent if place == 'Brno' else '90.00'} EUR".encode(),
        }
        for year, rent in RENTS.items()
        for place in PLACES
    ]


def read_text(body: dict[str, Any]) -> str:
    return " ".join(str(message.get("content")) for message in body["messages"]).replace('\\"', '"')


def search(year: str) -> Reply:
    return calls(("search_documents", {"query": f"What is the rent of Brno in {year}?"}))


def read(year: str) -> Callable[[dict[str, Any]], Reply]:
    """By the id that the search has found."""

    def answer(body: dict[str, Any]) -> Reply:
        found = re.search(rf'"document_id": "(\w+)", "filename": "Lease Brno {year}.txt"', read_text(body))
        assert found
        return calls(("read_document", {"document": found[1]}))

    return answer


def compare(body: dict[str, Any]) -> Reply:
    """By the block ids of the lines that it has read."""
    lines = {year: re.findall(rf"\[(D\d+:[\d.]+)\] Rent: {rent}", read_text(body))[-1] for year, rent in RENTS.items()}
    old, new = lines["2025"], lines["2026"]
    return says(f"It was 1,200.00 EUR [{old}]. Now it is 1,350.00 EUR [{new}]. It rose by 150.00 EUR [{old}, {new}].")


def ask(page: Page) -> None:
    page.get_by_label("Message to the agent").fill(QUESTION)
    page.keyboard.press("Enter")


def test_six_documents_of_two_years_are_compared(page: Page, model: ScriptedModel, tmp_path: Path) -> None:
    enter(page)
    page.locator("input[type=file]").first.set_input_files(make_files())
    for file in make_files():
        row = page.locator("tr[data-document]").filter(has_text=file["name"]).first
        expect(row.locator(".c-state")).to_contain_text("Read, no tag", timeout=LONG)
    page.get_by_role("link", name="Research", exact=True).first.click()

    model.will(search("2025"), read("2025"), search("2026"), read("2026"), compare)
    ask(page)
    answer = page.locator(".agent-text").last
    expect(answer).to_contain_text("It rose by 150.00 EUR", timeout=LONG)
    expect(page.locator("details.steps > summary")).to_have_text(
        re.compile(r"Searched › read › searched › read · \d+\.\d s")
    )
    assert "unsupported" not in answer.inner_text()
    sources = page.locator(".sources a.place")
    expect(sources).to_have_count(2)
    for year, source in zip(RENTS, sources.all(), strict=True):
        source.click()
        expect(page.locator(".reader-head h2")).to_have_text(f"Lease Brno {year}.txt")
    page.get_by_role("button", name="Close the page").click()

    model.will(search("2025").after(60))
    ask(page)
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
