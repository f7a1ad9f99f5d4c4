"""What the tools say of other documents than the thread's own."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.services import organizations
from agent.citations.aliases import ThreadAliases
from agent.models import ToolCall
from documents.models import Document, Extraction
from tests.agent.other_documents import other, revision  # noqa: F401 - they are fixtures
from tests.agent.tool_rows import another_document

Do = Callable[..., ToolCall]


def test_a_list_shows_short_values_and_finds_by_them(document: Document, other: Document, do: Do) -> None:
    def list_rows(**filters: Any) -> list[dict[str, Any]]:
        return do("list_documents", **filters).result["documents"]

    found, own = list_rows()
    assert found["values"]["total"] == 30.5 and found["values"]["line_items"] == "0 rows"
    assert len(found["values"]["vendor"]) == 81 and "values" not in own
    (row,) = list_rows(values=["total"], where=["total > 30", "vendor ~ brno"])
    assert row["values"] == {"total": 30.5}
    assert list_rows(where=["total > 31"]) == list_rows(date_to="2001-01-01") == list_rows(state="failed") == []
    assert len(list_rows(date_from="2001-01-01")) == 2


def test_values_that_are_asked_for_by_name_come_with_their_lines(document: Document, other: Document, do: Do) -> None:
    run = Extraction.objects.get(document=other)
    places = {"total": {"page": 1, "blocks": ["1.1.3"], "state": "exact"}}
    Extraction.objects.filter(pk=run.pk).update(provenance=places, reading=other.readings.get())
    call = do("list_documents", values=["total", "vendor"])
    (row,) = (each for each in call.result["documents"] if "values" in each)
    assert row["lines"] == {"total": "D1:1.1"}
    assert ThreadAliases(call.thread).resolve("D1:1.1").reading_id == other.readings.get().pk
    assert "lines" not in str(do("list_documents").result)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"where": ["total"]}, "compares nothing"),
        ({"state": "lost"}, "There is no state"),
        ({"date_from": "May"}, "is no day"),
        ({"values": [f"v{at}" for at in range(11)]}, "10 are the most"),
    ],
)
def test_a_list_says_what_of_its_filters_makes_no_sense(wrong: Any, sentence: str, document: Document, do: Do) -> None:
    assert sentence in do("list_documents", **wrong).result["error"]


def test_it_reads_another_document_by_its_name(document: Document, other: Document, do: Do) -> None:
    answer = do("get_ocr_text", document="other.pdf").result
    assert (answer["document_id"], answer["document_name"]) == (other.pk, "other.pdf")
    assert answer["text"].startswith('<data kind="page_text" document="D1">')
    assert "Brno Steel" in answer["text"] and "Ostrava" not in answer["text"]
    assert answer["text"].count("</data>") == 1
    assert "document_id" not in do("get_ocr_text").result
    values = do("get_extraction_result", document=other.pk).result
    assert values["result"]["total"] == 30.5 and values["document_name"] == "other.pdf"
    assert "no extraction" in do("get_extraction_result").result["error"]


@pytest.mark.parametrize("tool", ["get_ocr_text", "get_extraction_result"])
def test_it_reads_no_document_of_another_organization(tool: str, actor: Actor, document: Document, do: Do) -> None:
    elsewhere = organizations.create(actor.user, name="Elsewhere", type="team")
    foreign = Document.objects.create(
        organization=elsewhere, name="secret.pdf", sha256="2" * 64, size=1, media_type="application/pdf", file="none"
    )
    for named in (foreign.pk, "secret.pdf"):
        assert "Document not found" in do(tool, document=named).result["error"]


def test_two_documents_of_one_name_are_told_apart_by_ids(document: Document, actor: Actor, do: Do) -> None:
    twins = [another_document(actor, "twin.pdf") for _ in range(2)]
    error = do("get_ocr_text", document="twin.pdf").result["error"]
    assert all(twin.pk in error for twin in twins)
