"""A value from a file that names its places says which one it stands in: on the page, over /v0 and to the agent."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.conversation import threads
from agent.tools.values.described_extractions import describe_extraction
from documents.intake import uploads
from documents.locate import locate
from documents.models import Extraction
from documents.reading import reading
from documents.values import Location, State
from documents.values.provenance import parse_location
from reader.words import unpack
from tests.api.proven_rows import path_of, run_located
from tests.conftest import ApiClient
from tests.documents.extraction_rows import make_prompt
from tests.documents.office_files import xlsx

ROWS: list[list[object]] = [
    ["Invoice", "INV-7"],
    ["Article", "Amount"],
    ["A-1", 10],
    ["B-2", 20.5],
    [None, None],
    ["Total", 30.5],
]


@pytest.fixture
def extraction(actor: Actor) -> Extraction:
    content = ContentFile(xlsx(ROWS), name="costs.xlsx")
    document = uploads.store(actor, name="costs.xlsx", content=content, auto_setup=False)
    while reading.read_next(holder="test"):
        pass
    return run_located(document, make_prompt(actor))


def test_every_door_names_the_cell(
    actor: Actor,
    extraction: Extraction,
    client: Client,
    signed_in: Callable[[Client, Actor], Client],
    api_as: Callable[[Actor], ApiClient],
) -> None:
    [total] = api_as(actor).get(f"{path_of(extraction)}/fields", {"path": "total"}).json()["fields"]
    assert total["addresses"] == ["'Costs 2026'!B6"]
    page = signed_in(client, actor).get(reverse("document", args=[actor.organization.pk, extraction.document_id])).text
    assert 'data-address="&#x27;Costs 2026&#x27;!B6"' in page and "!B6</b>, on page 1." in page
    addresses = describe_extraction(threads.create(actor), extraction)["addresses"]
    assert addresses["items.1.amount"] == "'Costs 2026'!B4" and len(addresses) == 6


def test_a_product_stands_in_the_cells_of_its_factors(extraction: Extraction) -> None:
    [page] = extraction.reading.pages.all()
    stored = {"lines": [{"row_id": "0" * 24, "value": {"a": 10, "b": 20.5, "c": 205}}]}
    words = [word._replace(line=3) if word.text in ("10", "20.5") else word for word in unpack(bytes(page.words))]
    place = locate(stored, {}, [(1, words)])[f"lines[{'0' * 24}].c"]
    assert place.addresses == ("'Costs 2026'!B3", "'Costs 2026'!B4")


def test_what_a_file_without_names_for_its_places_gives_is_kept_as_short_as_before() -> None:
    plain = Location(State.EXACT, page=1, words="Acme")
    assert "addresses" not in plain.as_json() and parse_location(plain.as_json()) == plain
    cell = Location(State.EXACT, page=1, words="Acme", addresses=("Sheet1!B7",))
    assert parse_location(cell.as_json()) == cell
