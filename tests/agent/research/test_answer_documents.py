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
from agent.cards.answer_docx import write_docx, write_markdown, write_paragraph
from agent.models import Message, Thread, Turn
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
    said = says("It is 39.80 [D1:1.2]. It was 41.00 [D1:1.2].")
    answer_with(read(invoice), said, said)
    number = Message.objects.filter(thread=research).latest("number").number

    def fetch(form: str) -> bytes:
        where = reverse("answer-file", args=[actor.organization.pk, research.pk, number, form])
        return bytes(signed_in(Client(), actor).get(where).content)

    notes = ["Not supported: “It was 41.00 [1].” Not found in what it names: 41.00.", "1 cited, 1 read of 1 document"]
    assert list_texts(parse(fetch("docx")), "p")[-2:] == notes
    assert all(note in fetch("md").decode() for note in notes)
    body = json.loads(fetch("json"))
    assert (body["unsupported"], body["not_found"], body["coverage"]) == (["It was 41.00 [1]."], ["41.00"], notes[1])


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
