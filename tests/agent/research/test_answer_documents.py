"""An answer as a document for word processors, and what each file says of what is not proven and was read."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.api.results import build_result
from agent.cards.answer_docx import write_docx, write_markdown, write_paragraph
from agent.models import Message, Thread, Turn
from agent.turns.turn_views import read_turn
from documents.models import Document
from tests.agent.research.test_citations import answer_with, invoice, read, research  # noqa: F401 - they are fixtures
from tests.scripted_model import says

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def parse(document: bytes) -> ElementTree.Element:
    with ZipFile(BytesIO(document)) as archive:
        return ElementTree.fromstring(archive.read("word/document.xml"))[0]


def list_texts(element: ElementTree.Element, tag: str) -> list[str]:
    return ["".join(each.itertext()) for each in element.iter(f"{W}{tag}")]


def list_bold(element: ElementTree.Element) -> Iterator[str]:
    for run in element.iter(f"{W}r"):
        if run.find(f"{W}rPr/{W}b") is not None:
            yield "".join(run.itertext())


@pytest.mark.parametrize(
    ("text", "paragraphs", "bold"),
    [
        ("# Rents\n\nIt is **1,200.00** EUR.", ["Rents", "", "It is 1,200.00 EUR."], ["Rents", "1,200.00"]),
        ("- one\n  - *two* and `three`", ["• one", "  • two and three"], []),
        ("It is **open", ["It is open"], []),
        ("2 * 3 * 4 & <5>", ["2 * 3 * 4 & <5>"], []),
        ("x\x00y\ud800z", ["xyz"], []),
    ],
)
def test_lines_of_markdown_become_paragraphs(text: str, paragraphs: list[str], bold: list[str]) -> None:
    body = parse(write_docx(write_markdown(text)))
    assert list_texts(body, "p") == paragraphs and list(list_bold(body)) == bold


def test_a_table_stays_one_however_uneven_its_rows_are() -> None:
    text = "Rents:\n| place | rent |\n|---|---:|\n| Brno | **90** |\n| Praha |\nThat is all."
    body = parse(write_docx(write_markdown(text)))
    rows = [list_texts(row, "tc") for row in body.iter(f"{W}tr")]
    assert rows == [["place", "rent"], ["Brno", "90"], ["Praha", ""]] and list(list_bold(body)) == ["90"]
    assert [child.tag.removeprefix(W) for child in body] == ["p", "tbl", "p", "p"]


def test_only_the_product_s_own_addresses_are_links() -> None:
    parts = [
        *write_markdown("[here](https://evil.example)"),
        write_paragraph("Rent ", address="http://localhost/places/1"),
    ]
    body = parse(write_docx(parts))
    links = [each.get(f"{W}instr", "") for each in body.iter(f"{W}fldSimple")]
    assert links == [' HYPERLINK "http://localhost/places/1" ']


@pytest.mark.django_db(transaction=True)
def test_each_file_says_what_is_not_supported_why_and_how_much_was_read(
    answer_with: Callable[..., list[str]], invoice: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    said = says("It is 39.80 [D1:1.2]. It was 41.00 [D1:1.2]. The invoice is of gold [D1:1.1]. No invoice names gold.")
    answer_with(read(invoice), said, said)
    number = Message.objects.filter(thread=research).latest("number").number

    def fetch(form: str) -> bytes:
        where = reverse("answer-file", args=[actor.organization.pk, research.pk, number, form])
        return bytes(signed_in(Client(), actor).get(where).content)

    notes = [
        "Unsupported: “It was 41.00 [1].” Not found in what it names: 41.00.",
        "Cited, not checked: “The invoice is of gold [2].” No line that it names has “gold”.",
        "1 cited, 1 read of 1 document",
    ]
    marked = (
        "It is 39.80 [1]. It was 41.00 [1]. [unsupported] The invoice is of gold [2]. [cited, not checked] "
        "No invoice names gold."
    )
    assert list_texts(parse(fetch("docx")), "p")[-3:] == notes and marked in fetch("md").decode()
    assert all(note in fetch("md").decode() for note in notes)
    body = json.loads(fetch("json"))
    assert (body["unsupported"], body["not_found"], body["coverage"]) == (["It was 41.00 [1]."], ["41.00"], notes[2])
    assert body["not_checked"] == ["The invoice is of gold [2]."] and body["answer"] == marked
    assert body["not_checked_because"] == ["No line that it names has “gold”."]


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_downloaded_over_the_api(
    answer_with: Any, api_as: Any, actor: Actor, stranger: Actor, invoice: Document, research: Thread
) -> None:
    answer_with(read(invoice), says("It is 39.80 [D1:1.2]."))
    turn, client = research.turns.get(), api_as(actor)
    path = f"/v0/orgs/{actor.organization.pk}/turns/{turn.pk}/answer"
    text, word = client.get(path), client.get(path, {"form": "docx"})
    assert text.content.decode().startswith("> What is due?") and "It is 39.80" in text.content.decode()
    assert "acme.pdf, page 1: “Total due 39.80”" in text.content.decode()
    assert "Rates.md" in text["Content-Disposition"] and word.content.startswith(b"PK")
    assert client.get(path, {"form": "pdf"}).status_code == 422
    theirs = path.replace(actor.organization.pk, stranger.organization.pk)
    assert api_as(stranger).get(theirs).json() == {"detail": "Turn not found"}
    Turn.objects.update(status="cancelled")
    assert client.get(path).json() == {"detail": "The turn has no answer."}


@pytest.mark.django_db(transaction=True)
def test_a_thread_over_the_api_has_answers_with_their_citations_and_no_drafts(
    answer_with: Any, api_as: Any, actor: Actor, invoice: Document, research: Thread
) -> None:
    said = says("It is 39.80 [D1:1.2]. It was 5 [D1:1.1].")
    answer_with(read(invoice), said, said)
    answer_with(says("As said, 39.80 [1]. The total is gold [1]."))
    address = f"/v0/orgs/{actor.organization.pk}/chat/threads/{research.pk}"
    whole = api_as(actor).get(address).json()
    first, second = (each for each in whole["messages"] if each["role"] == "assistant")
    assert whole["message_count"] == 4 and first["content"] == "It is 39.80 [1]. It was 5 [2]. [unsupported]"
    assert first["unsupported"] == ["It was 5 [2]."] and [each["number"] for each in first["citations"]] == [1, 2]
    assert first["citations"] == build_result(read_turn(first["turn_id"]))["citations"]
    assert second["content"] == "As said, 39.80 [1]. The total is gold [1]. [cited, not checked]"
    assert second["not_checked"] == ["The total is gold [1]."] and "gold" in second["not_checked_because"][0]
    assert second["citations"][0]["cited_text"] == "Total due 39.80"
    states = [(each["state"], each["supported"]) for each in (*first["citations"], *second["citations"])]
    assert states == [("proven", True), ("unsupported", False), ("cited, not checked", False)]
    assert [each["name"] for row in first["executed_rounds"] for each in row["tool_calls"]] == ["read_document"]
