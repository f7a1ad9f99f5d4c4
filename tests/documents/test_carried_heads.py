"""Tables that go on over pages, read from the middle."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from accounts.models import Organization
from documents import extractions, values
from documents.definitions import prompts, schemas
from documents.models import LanguageModel, Page, Reading
from documents.reading.page_text import mark_pages
from documents.reading.tables.reading_tables import find_earlier_table
from tests.documents.reading_rows import document_with

HEAD = "SKU|Description|Amount"


@pytest.fixture
def reading(organization: Organization) -> Reading:
    """Of eight pages; the columns are named on the first and the fourth."""
    rows = [[f"P-{page}{at}|Pipe|{at}.50" for at in range(8)] for page in range(8)]
    return document_with(
        organization, *([HEAD, *rows[at]] if at in (0, 3) else rows[at] for at in range(8))
    ).readings.get()


@pytest.mark.parametrize(("number", "page"), [(2, 1), (3, 1), (5, 4), (8, 4)])
def test_a_page_begins_with_the_names_of_its_columns(reading: Reading, number: int, page: int) -> None:
    assert (
        f'<page number="{number}">\n[{page}.1] SKU | Description | Amount' in mark_pages(reading, pages=[number]).text
    )


def test_no_more_pages_are_read_than_to_where_the_table_begins(reading: Reading) -> None:
    Page.objects.filter(reading=reading, number__lt=4).update(words=b"\1nonsense")
    last = find_earlier_table(reading, 7)
    assert last and (last.page, last.carried_page) == (6, 4)
    with pytest.raises(ValueError, match="damaged"):
        find_earlier_table(reading, 3)


@pytest.mark.django_db(transaction=True)
def test_values_of_later_windows_are_those_of_their_columns(organization: Organization, actor: Actor) -> None:
    """The columns are named once, in an order that nobody would guess."""
    rows = [[f"P-{page}{at}|Pipe|{page}{at}.50|{at + 1}" for at in range(8)] for page in range(6)]
    document = document_with(organization, ["Article|Description|Price|Quantity", *rows[0]], *rows[1:])
    line = {name: {"type": ["number", "null"], "description": name} for name in ("quantity", "price")}
    items = {"type": "array", "description": "Lines", "items": {"type": "object", "properties": line}}
    form = {"name": "order", "schema": {"type": "object", "properties": {"line_items": items}}}
    schema = schemas.create(actor, name="Order", response_format={"type": "json_schema", "json_schema": form})
    prompt = prompts.create(actor, name="Orders", content="Take the lines.", schema_revision=schema)
    LanguageModel.objects.create(
        name="offline/rules", provider="offline", available=True, answers_schema=True, max_input_tokens=400
    )
    draft = extractions.prepare(actor, document=document, prompt_revision=prompt)
    taken = values.strip_row_ids(draft.result)["line_items"]
    assert len(draft.raw.splitlines()) > 2  # windows
    assert [(row["price"], row["quantity"]) for row in taken] == [
        (float(f"{page}{at}.50"), at + 1) for page in range(6) for at in range(8)
    ]
