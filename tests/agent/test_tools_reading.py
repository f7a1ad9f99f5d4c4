"""Tools that read: a document with block ids, values as a table, what differs, and the clock."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import csv
import io
from datetime import date, datetime
from typing import Any, cast

import pytest

from accounts.actor import Actor
from agent.tools.clock import list_business_days
from documents.index.words.indexing import index_waiting
from documents.models import Document, PromptRevision
from documents.reading.blocks import fetch_block
from documents.values import add_row_ids
from tests.agent.other_documents import extract, other, revision  # noqa: F401 - they are fixtures
from tests.agent.tool_documents import Do, document  # noqa: F401 - document is a fixture
from tests.agent.tool_rows import another_document
from tests.documents.find.searches import add_document

pytestmark = pytest.mark.servers
DETAILS: tuple[dict[str, Any], ...] = ({"detail": "concise"}, {"detail": "full"}, {})


def stored(values: dict[str, Any]) -> dict[str, Any]:
    """As a run keeps them, with ids of rows."""
    return cast(dict[str, Any], add_row_ids(values))


def test_a_document_is_read_with_ids_that_name_its_lines_for_good(document: Document, do: Do, actor: Actor) -> None:
    answer = do("read_document").result
    assert (answer["page_count"], answer["pages"], answer["from_cache"]) == (2, [1, 2], True)
    assert "[D1:1.1] Ostrava Tools" in answer["text"] and answer["text"].count("</data>") == 1
    assert fetch_block(actor, f"{answer['reading_id']}.1.1").text == "Ostrava Tools"


def test_in_short_it_gives_the_start_and_says_how_to_read_on(actor: Actor, document: Document, do: Do) -> None:
    lines = [f"Line {number} of the terms" for number in range(400)]
    add_document(actor.organization, lines[:200], lines[200:], name="long.txt")
    short, full, usual = (do("read_document", document="long.txt", **each).result for each in DETAILS)
    assert len(short["text"]) < len(full["text"]) / 3 and usual["text"] == full["text"] and "more" not in full
    named = f'document="D1", pages="1", from_line={short["next"]["from_line"]}'
    assert named in short["more"] and '<data kind="page_text" document="D1">' in short["text"]
    on = do("get_ocr_text", document="D1", pages="1", from_line=short["next"]["from_line"]).result
    assert on["document_name"] == "long.txt" and f"[D1:1.{short['next']['from_line']}]" in on["text"]
    assert f":1.{short['next']['from_line']}]" not in short["text"]
    assert "concise or full" in do("read_document", detail="brief").result["error"]


def test_with_a_question_it_gives_the_pages_that_speak_of_it(document: Document, other: Document, do: Do) -> None:
    index_waiting()
    answer = do("read_document", focus_query="everything").result
    assert (answer["pages"], answer["pages_with_hits"]) == ([2], [2]) and "Ostrava" not in answer["text"]
    nowhere = do("read_document", document="other.pdf", focus_query="zeppelin").result
    assert (nowhere["pages"], nowhere["document_name"]) == ([1], "other.pdf") and "from the start" in nowhere["focus"]


def test_it_says_that_a_document_has_not_been_read(actor: Actor, document: Document, do: Do) -> None:
    another_document(actor, "new.pdf")
    assert "has not been read yet" in do("read_document", document="new.pdf").result["error"]


def test_values_of_several_are_one_table_in_the_order_in_which_they_were_named(
    document: Document, other: Document, revision: PromptRevision, do: Do
) -> None:
    extract(document, revision, **stored({"vendor": "=cmd()", "total": 1, "line_items": [{"sku": "A"}]}))
    call = do("export_results", documents=["other.pdf", "invoice.pdf"], values=["vendor", "total", "line_items"])
    inner = call.result["csv"].split("\n", 1)[1].rpartition("\n</data>")[0]
    head, theirs, own = csv.reader(io.StringIO(inner))
    assert head[:5] == ["row", "document_id", "document_name", "vendor", "total"] and "line_items.sku" in head
    assert theirs[0] == "" and theirs[2] == "other.pdf" and theirs[4] == "30.5"
    assert own[:5] == ["1", document.pk, "invoice.pdf", "'=cmd()", "1"] and "A" in own
    file = do("export_results", documents=["other.pdf"], format="xlsx").result
    assert file["documents"] == 1 and file["file"].endswith("/file") and "note" not in file


def test_a_table_names_documents_without_values_and_refuses_unknown_columns(
    document: Document, other: Document, do: Do
) -> None:
    assert do("export_results", documents=["other.pdf", "invoice.pdf"]).result["without_values"] == ["invoice.pdf"]
    assert (
        "There is no column “colour”"
        in do("export_results", documents=["other.pdf"], values=["colour"]).result["error"]
    )


def test_two_documents_are_compared_value_by_value(
    document: Document, other: Document, revision: PromptRevision, do: Do
) -> None:
    extract(document, revision, **stored({"vendor": "Ostrava", "total": 30.5, "line_items": [{"sku": "A"}]}))
    answer = do("compare_extractions", with_document="other.pdf").result
    assert (answer["this"]["document_name"], answer["with"]["document_name"]) == ("invoice.pdf", "other.pdf")
    differing = {row["path"]: (row["this"], row["with"]) for row in answer["differences"]}
    assert set(differing) >= {"vendor", "line_items.0.sku"} and "total" not in differing and answer["same"] >= 1
    assert differing["line_items.0.sku"] == ("A", None)


def test_without_another_its_two_newest_runs_are_compared(document: Document, revision: PromptRevision, do: Do) -> None:
    extract(document, revision, vendor="Old", line_items=[])
    assert "extracted once only" in do("compare_extractions").result["error"]
    document.extractions.update(number=0)
    extract(document, revision, vendor="New", line_items=[])
    (difference,) = do("compare_extractions").result["differences"]
    assert difference == {"path": "vendor", "this": "New", "with": "Old"}


def test_the_clock_knows_zones_and_business_days(do: Do, document: Document) -> None:
    answer = do("get_current_time", timezone="America/New_York").result
    now = datetime.fromisoformat(answer["now"])
    assert now.utcoffset() is not None and answer["weekday"] == f"{now:%A}"
    assert [date.fromisoformat(day) for day in answer["next_business_days"]] == list_business_days(now.date())
    assert "Europe/Prague" in do("get_current_time", timezone="Prague").result["error"]


@pytest.mark.parametrize(("day", "third"), [("2026-11-23", "2026-11-26"), ("2026-11-26", "2026-12-01")])
def test_three_business_days_go_over_the_weekend(day: str, third: str) -> None:
    assert list_business_days(date.fromisoformat(day))[2] == date.fromisoformat(third)
