from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from django.utils import timezone
from openpyxl import load_workbook

from accounts.actor import Actor
from accounts.models import Organization, Role
from documents.extractions.post_read_triggers import trigger_prompts
from documents.models import Document, Extraction, Reading
from tests.api.test_documents import store, tag
from tests.conftest import ApiClient
from tests.documents.reading_rows import add_reading, document_with

Client = Callable[[Actor], ApiClient]
PAGE = ["Invoice 7", "Item|Quantity|Price", "Bolt|2|1.50", "=1+1|3|<b>"]
DOWNLOADS = (
    "download/text",
    "download/json",
    "download/blocks",
    "download/metadata",
    "export/markdown",
    "export/html",
    "export/tables.xlsx",
)


@pytest.fixture
def path(organization: Organization) -> str:
    return f"/v0/orgs/{organization.pk}/ocr"


@pytest.fixture
def client(api_as: Client, actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def document(organization: Organization) -> Document:
    pdf_document = document_with(organization, PAGE, ["Page two"])
    Document.objects.filter(pk=pdf_document.pk).update(media_type="application/pdf")
    pdf_document.readings.update(engine="test", finished_at=timezone.now(), prompts_started_at=timezone.now())
    return pdf_document


@pytest.fixture
def summarized(organization: Organization) -> None:
    """The organization has asked for the summary of each document that is read."""
    Organization.objects.filter(pk=organization.pk).update(default_prompt_enabled=True)


def test_it_gives_blocks_as_textract_does(client: ApiClient, path: str, document: Document) -> None:
    answer = client.get(f"{path}/download/blocks/{document.pk}")
    assert answer["Content-Type"] == "application/json"
    blocks = answer.json()
    assert [block["BlockType"] for block in blocks[:4]] == ["PAGE", "LINE", "WORD", "WORD"]
    page, line, word = blocks[:3]
    assert page["Relationships"] == [{"Type": "CHILD", "Ids": ["1.1", "1.2", "1.3", "1.4"]}]
    assert (line["Id"], line["Text"], line["Relationships"][0]["Ids"]) == ("1.1", "Invoice 7", ["1.1.1", "1.1.2"])
    assert (word["Id"], word["Page"], word["Text"], word["Confidence"]) == ("1.1.1", 1, "Invoice", 100.0)
    assert word["Geometry"]["BoundingBox"] == {"Left": 0.03, "Top": 0.03, "Width": 0.056, "Height": 0.02}
    assert word["Geometry"]["Polygon"][2] == {"X": 0.086, "Y": 0.05}
    assert [block["Page"] for block in blocks if block["BlockType"] == "PAGE"] == [1, 2]
    ids = [block["Id"] for block in blocks]
    assert len(ids) == len(set(ids))


def test_it_gives_the_same_blocks_as_json_plain_and_gzipped(client: ApiClient, path: str, document: Document) -> None:
    plain = client.get(f"{path}/download/json/{document.pk}")
    assert plain["Cache-Control"] == "private, no-cache"
    assert plain.json()["DocumentMetadata"] == {"Pages": 2}
    assert plain.json()["Blocks"] == client.get(f"{path}/download/blocks/{document.pk}").json()
    zipped = client.get(f"{path}/download/json/{document.pk}?format=gzip")
    assert (zipped["Content-Encoding"], zipped["Content-Type"]) == ("gzip", "application/json")
    assert len(zipped.content) < len(plain.content) / 3
    assert client.get(f"{path}/download/json/{document.pk}?format=zip").status_code == 422


def test_it_leaves_hidden_words_out(client: ApiClient, path: str, document: Document) -> None:
    add_reading(document, ["Seen"], hidden="Unseen")
    for route in DOWNLOADS[1:3] + DOWNLOADS[4:6]:
        content = client.get(f"{path}/{route}/{document.pk}").content
        assert b"Seen" in content and b"Unseen" not in content, route


def test_it_tells_about_the_reading(client: ApiClient, path: str, document: Document) -> None:
    body = client.get(f"{path}/download/metadata/{document.pk}").json()
    assert (body["n_pages"], body["ocr_type"], body["ocr_date"][-1]) == (2, "test", "Z")


def test_it_exports_markdown_with_tables_and_without_markup_of_the_document(
    client: ApiClient, path: str, document: Document
) -> None:
    add_reading(document, [*PAGE, "# no heading *here*"])
    answer = client.get(f"{path}/export/markdown/{document.pk}")
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer.content.decode() == (
        "## Page 1\n\nInvoice 7\n\n| Item | Quantity | Price |\n| --- | --- | --- |\n| Bolt | 2 | 1.50 |\n"
        "| =1+1 | 3 | \\<b> |\n\n\\# no heading \\*here\\*\n"
    )


def test_it_exports_html_that_holds_nothing_live(client: ApiClient, path: str, document: Document) -> None:
    answer = client.get(f"{path}/export/html/{document.pk}")
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    content = answer.content.decode()
    assert "<td>&lt;b&gt;</td>" in content and "<b>" not in content
    assert content.count("<section>") == 2


def test_it_exports_tables_with_formulas_as_text(client: ApiClient, path: str, document: Document) -> None:
    answer = client.get(f"{path}/export/tables.xlsx/{document.pk}?table_index=0")
    assert answer["Content-Disposition"] == "attachment; filename*=UTF-8''invoice.xlsx"
    (sheet,) = load_workbook(io.BytesIO(answer.content)).worksheets
    assert sheet.title == "Table 1 (page 1)"
    assert [[cell.value for cell in row] for row in sheet.rows] == [
        ["Item", "Quantity", "Price"],
        ["Bolt", 2, 1.5],
        ["=1+1", 3, "<b>"],
    ]
    assert {cell.data_type for row in sheet.rows for cell in row} == {"s", "n"} and sheet["A3"].data_type == "s"
    beyond = client.get(f"{path}/export/tables.xlsx/{document.pk}?table_index=1")
    assert (beyond.status_code, beyond.json()["detail"][:27]) == (400, "Table index 1 is out of ran")


def test_it_keeps_a_cell_in_its_column_when_others_are_empty(client: ApiClient, path: str, document: Document) -> None:
    add_reading(document, ["Item|Quantity|Price|Sum", "Bolt|||9", "Nut|2", "x"])
    book = load_workbook(io.BytesIO(client.get(f"{path}/export/tables.xlsx/{document.pk}").content))
    assert [[cell.value or "" for cell in row] for row in book.worksheets[0].rows] == [
        ["Item", "Quantity", "Price", "Sum"],
        ["Bolt", "", "", 9],
        ["Nut", 2, "", ""],
    ]


def test_it_says_when_there_is_no_table(client: ApiClient, path: str, document: Document) -> None:
    add_reading(document, ["Only lines", "Name|Value"])
    answer = client.get(f"{path}/export/tables.xlsx/{document.pk}")
    assert (answer.status_code, answer.json()["detail"]) == (404, "No tables found in this document")


@pytest.mark.parametrize("route", DOWNLOADS)
def test_it_says_when_nothing_was_read_or_there_is_no_document(
    client: ApiClient, actor: Actor, stranger: Actor, path: str, route: str
) -> None:
    unread = client.get(f"{path}/{route}/{store(actor, 'a.pdf').pk}")
    sentence = {"download/text": "OCR text not found", "download/metadata": "OCR metadata not found"}
    assert (unread.status_code, unread.json()["detail"]) == (404, sentence.get(route, "OCR data not found"))
    for unknown in (document_with(stranger.organization, PAGE).pk, "nonsense"):
        answer = client.get(f"{path}/{route}/{unknown}")
        assert (answer.status_code, answer.json()) == (404, {"detail": "Document not found"})


def test_it_reads_again_and_runs_the_prompts_unless_told_not_to(
    client: ApiClient, actor: Actor, path: str, document: Document, summarized: None
) -> None:
    def finish() -> list[Extraction]:
        document.readings.filter(status="queued").update(status="completed", finished_at=timezone.now())
        trigger_prompts()
        return list(document.extractions.filter(reading__number=document.readings.count()))

    for query, runs in (("", 1), ("?ocr_only=true", 0)):
        before = document.readings.count()
        answer = client.post(f"{path}/run/{document.pk}{query}")
        assert answer.json() == {"status": "queued", "document_id": document.pk}
        assert client.post(f"{path}/run/{document.pk}").status_code == 200  # is under way already
        assert document.readings.count() == before + 1
        assert len(finish()) == runs


def test_it_leaves_what_was_read_without_force(
    client: ApiClient, path: str, document: Document, summarized: None
) -> None:
    client.post(f"{path}/run/{document.pk}?force=false&ocr_only=True")
    assert (document.readings.count(), document.extractions.count()) == (1, 0)
    client.post(f"{path}/run/{document.pk}?force=False")
    assert (document.readings.count(), document.extractions.count()) == (1, 1)
    assert client.post(f"{path}/run/{document.pk}?force=perhaps").status_code == 422


@pytest.mark.parametrize("extension", ["txt", "md", "csv", "xls", "xlsx", "html", "eml"])
def test_it_does_not_run_on_kinds_that_hold_text(client: ApiClient, actor: Actor, path: str, extension: str) -> None:
    document = store(actor, f"a.{extension}")
    answer = client.post(f"{path}/run/{document.pk}")
    assert (answer.status_code, answer.json()) == (400, {"detail": "Document type does not support OCR"})


def test_it_tells_which_documents_would_be_read(
    client: ApiClient, actor: Actor, stranger: Actor, path: str, document: Document
) -> None:
    urgent = tag(actor, "urgent")
    unread = store(actor, "unread.pdf", tag_ids=[urgent.pk], metadata={"k": "v"})
    store(actor, "text.txt")
    store(stranger, "theirs.pdf")

    def analyze(**sent: object) -> list[tuple[str, str]]:
        answer = client.post(f"{path}/bulk-analyze", sent)
        assert answer.status_code == 200, answer.content
        assert answer.json()["total_executions"] == len(answer.json()["executions"])
        return [(row["document_name"], row["reason"]) for row in answer.json()["executions"]]

    both = [("unread.pdf", "missing"), ("invoice.pdf", "read again")]
    assert analyze() == analyze(mode="all") == analyze(document_filters=None, tag_id=None) == both
    assert analyze(mode="missing") == analyze(mode="outdated") == [("unread.pdf", "missing")]
    for filters in (
        {"name_search": "UNREAD"},
        {"tag_ids": [urgent.pk]},
        {"tag_ids": urgent.pk},
        {"metadata_search": "k=v"},
        {"filters": json.dumps({"items": [{"field": "document_name", "operator": "contains", "value": "unread"}]})},
    ):
        assert analyze(document_filters=filters) == both[:1], filters
    assert analyze(tag_id=urgent.pk) == both[:1]
    assert client.post(f"{path}/bulk-analyze", {"tag_id": "nope"}).json() == {"detail": "Tag not found"}
    assert client.post(f"{path}/bulk-analyze", {"mode": "some"}).status_code == 422
    assert Reading.objects.filter(document=unread).count() == 1


def test_it_lets_reviewers_read_again_and_viewers_look(
    api_as: Client, member: Callable[[Role], Actor], path: str, document: Document
) -> None:
    viewer, reviewer = api_as(member(Role.VIEWER)), api_as(member(Role.REVIEWER))
    assert viewer.post(f"{path}/run/{document.pk}").status_code == 403
    assert {viewer.get(f"{path}/{route}/{document.pk}").status_code for route in DOWNLOADS} == {200}
    assert reviewer.post(f"{path}/run/{document.pk}").status_code == 200
