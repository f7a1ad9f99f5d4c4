"""Tables in the downloads: names of columns, spans, and heads of tables that go on over pages."""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from accounts.actor import Actor
from accounts.models import Organization
from documents.models import Document
from documents.reading.page_text import mark_pages
from tests.conftest import ApiClient
from tests.documents.reading_rows import add_reading, document_with

FIRST = [" |Last year| |This year| ", "Item|Qty|Sum|Qty|Sum", "Bolt|2|1.50|3|2.50", "Nut||7.00||"]
SECOND = ["Page 2 of the list", "Screw|4|8.00||9.00", "Nail||1.00|1|1.00"]


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def document(organization: Organization) -> Document:
    return document_with(organization, FIRST, SECOND, name="list.pdf")


@pytest.fixture
def path(organization: Organization) -> str:
    return f"/v0/orgs/{organization.pk}/ocr/export"


def test_models_read_the_head_again_where_a_table_goes_on(document: Document) -> None:
    reading = document.readings.get()

    lines = mark_pages(reading, pages=[2]).text.split("\n")

    assert lines == [
        '<page number="2">',
        "[2.1] Page 2 of the list",
        "[1.1]  | Last year | Last year | This year | This year",
        "[1.2] Item | Qty | Sum | Qty | Sum",
        "[2.2] Screw | 4 | 8.00 |  | 9.00",
        "[2.3] Nail |  | 1.00 | 1 | 1.00",
        "</page>",
    ]
    assert "\n".join(lines) in mark_pages(reading).text


def test_html_has_heads_and_spans_on_every_page(client: ApiClient, path: str, document: Document) -> None:
    content = client.get(f"{path}/html/{document.pk}").content.decode()

    head = (
        '<thead>\n<tr><th></th><th colspan="2">Last year</th><th colspan="2">This year</th></tr>\n'
        "<tr><th>Item</th><th>Qty</th><th>Sum</th><th>Qty</th><th>Sum</th></tr>\n</thead>"
    )
    assert content.count(head) == 2
    assert "<tr><td>Nut</td><td></td><td>7.00</td><td></td><td></td></tr>" in content


def test_markdown_names_a_column_with_its_group(client: ApiClient, path: str, document: Document) -> None:
    content = client.get(f"{path}/markdown/{document.pk}").content.decode()

    head = "| Item | Last year Qty | Last year Sum | This year Qty | This year Sum |\n| --- | --- | --- | --- | --- |\n"
    assert content.count(head) == 2
    assert f"{head}| Screw | 4 | 8.00 |  | 9.00 |\n" in content


def test_a_sheet_has_merged_heads_that_stay_in_view(client: ApiClient, path: str, document: Document) -> None:
    book = load_workbook(io.BytesIO(client.get(f"{path}/tables.xlsx/{document.pk}").content))

    [sheet] = book.worksheets
    assert sheet.title == "Table 1 (pages 1 to 2)"
    assert {str(merged) for merged in sheet.merged_cells.ranges} == {"B1:C1", "D1:E1"}
    assert (sheet.freeze_panes, sheet["B2"].font.bold, sheet["A3"].font.bold) == ("A3", True, False)
    assert [[cell.value for cell in row] for row in sheet.iter_rows(min_row=3)] == [
        ["Bolt", 2, 1.5, 3, 2.5],
        ["Nut", None, 7, None, None],
        ["Screw", 4, 8, None, 9],
        ["Nail", None, 1, 1, 1],
    ]
    assert sheet["C3"].number_format == "0.00"


def test_a_sheet_has_numbers_and_days_where_a_cell_wholly_is_one(
    client: ApiClient, path: str, organization: Organization
) -> None:
    rows = [
        "Item|Sold|Amount|Rate",
        "0815|31/12/2026|1.234,50 €|19 %",
        "Bolt (2)|03/04/2026|7,25|=1+1",
        "+49 30|x|1.234|(3)",
    ]
    document = document_with(organization, rows, name="sold.pdf")

    book = load_workbook(io.BytesIO(client.get(f"{path}/tables.xlsx/{document.pk}").content))

    found = [[cell.value for cell in row] for row in book.worksheets[0].iter_rows(min_row=2)]
    day = datetime.datetime
    assert found == [
        ["0815", day(2026, 12, 31), 1234.5, 0.19],
        ["Bolt (2)", day(2026, 4, 3), 7.25, "=1+1"],
        ["+49 30", "x", 1234, "(3)"],
    ]
    assert book.worksheets[0]["C2"].number_format == '#,##0.00 "€"' and book.worksheets[0]["D3"].data_type == "s"


def test_another_table_at_the_head_of_a_page_keeps_to_itself(document: Document) -> None:
    reading = add_reading(document, FIRST, ["Screw|4|8.00", "Nail|1|1.00"])

    assert "[1.2]" not in mark_pages(reading, pages=[2]).text


@pytest.mark.parametrize(("extension", "start"), [("md", b"## Page 1"), ("html", b"<!doctype html>"), ("xlsx", b"PK")])
def test_a_page_offers_what_was_read_as_a_file(
    extension: str, start: bytes, document: Document, signed_in: Callable[..., Client], actor: Actor
) -> None:
    browser = signed_in(Client(), actor)
    address = reverse("document-text", args=(actor.organization.pk, document.pk, extension))

    answer = browser.get(address)

    assert answer.content.startswith(start)
    assert answer["Content-Disposition"] == f'attachment; filename="list.{extension}"'
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert address in browser.get(reverse("document", args=(actor.organization.pk, document.pk))).content.decode()


def test_a_page_says_when_there_is_no_table(document: Document, signed_in: Callable[..., Client], actor: Actor) -> None:
    add_reading(document, ["Only lines"])

    answer = signed_in(Client(), actor).get(reverse("document-text", args=(actor.organization.pk, document.pk, "xlsx")))

    assert (answer.status_code, "No tables were found" in answer.content.decode()) == (404, True)
