"""Six leases of two years, and a model that compares those of one place."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import FilePayload, Page, expect

from tests.browser.conftest import LONG, READ
from tests.scripted_model import Reply, calls, says

RENTS = {"2025": "1,200.00", "2026": "1,350.00"}
PLACES = ("Brno", "Praha", "Plzen")
QUESTION = "How did the rent of Brno change?"
LEASE = """\
Lease of the year {year}

Place: {place}
Landlord: Moravia Halls s.r.o.
Tenant: Delmar Logistics
Premises: storage hall with two loading docks and an office

Rent: {rent} EUR
The rent is due on the fifth day of each month, without deduction.
Heating and light are billed once a year by what was used.
The tenant clears snow from the ramp; the landlord keeps the roof.
Either side may end this lease with six months of notice.
"""


def make_files() -> list[FilePayload]:
    return [
        {
            "name": f"Lease {place} {year}.txt",
            "mimeType": "text/plain",
            "buffer": LEASE.format(year=year, place=place, rent=rent if place == "Brno" else "90.00").encode(),
        }
        for year, rent in RENTS.items()
        for place in PLACES
    ]


def upload(page: Page) -> None:
    page.locator("input[type=file]").first.set_input_files(make_files())
    for file in make_files():
        row = page.locator("tr[data-document]").filter(has_text=file["name"]).first
        expect(row.locator(".c-state")).to_contain_text(READ, timeout=LONG)


def ask(page: Page) -> None:
    page.get_by_label("Message to the agent").fill(QUESTION)
    page.keyboard.press("Enter")


def search(year: str) -> Reply:
    return calls(("search_documents", {"query": f"What is the rent of Brno in {year}?"}))


def read(year: str) -> Reply:
    return calls(("read_document", {"document": f"Lease Brno {year}.txt"}))


def compare(body: dict[str, Any]) -> Reply:
    """By the block ids of the lines that it has read."""
    text = _read_text(body)
    lines = {year: re.findall(rf"\[(D\d+:[\d.]+)\] Rent: {rent}", text)[-1] for year, rent in RENTS.items()}
    old, new = lines["2025"], lines["2026"]
    return says(f"It was 1,200.00 EUR [{old}]. Now it is 1,350.00 EUR [{new}]. It rose by 150.00 EUR [{old}, {new}].")


def _read_text(body: dict[str, Any]) -> str:
    return " ".join(str(message.get("content")) for message in body["messages"]).replace('\\"', '"')
