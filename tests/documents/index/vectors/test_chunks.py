"""How pages are taken apart for embeddings."""

from __future__ import annotations

import pytest

from accounts.models import Organization
from documents.index.vectors import chunks
from documents.index.vectors.chunks import Chunk, list_chunks
from documents.models import Page
from reader.words import pack, unpack
from tests.documents.reading_rows import add_reading, document_with

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
LONG = "word " * 60


def list_of(organization: Organization, *pages: list[str]) -> list[Chunk]:
    return list_chunks(document_with(organization, *pages).readings.get())


def test_a_page_begins_a_part_and_its_lines_are_the_place(organization: Organization) -> None:
    parts = list_of(organization, ["one", "two"], [], ["three"])
    assert [(part.page, part.first_line, part.last_line, part.text) for part in parts] == [
        (1, 1, 2, "one\ntwo"),
        (3, 1, 1, "three"),
    ]


def test_a_long_page_is_parted_between_lines(organization: Organization) -> None:
    parts = list_of(organization, [f"{at} {LONG}" for at in range(9)])
    assert [(part.first_line, part.last_line) for part in parts] == [(1, 3), (4, 6), (7, 9)]
    assert all(len(part.text) <= chunks.MAX_LETTERS for part in parts)


def test_a_line_without_end_is_cut(organization: Organization) -> None:
    parts = list_of(organization, ["x" * 5_000])
    assert [len(part.text) for part in parts] == [1_200, 1_200, 1_200, 1_200, 200]
    assert {(part.first_line, part.last_line) for part in parts} == {(1, 1)}


def test_of_a_document_so_many_parts_are_made(organization: Organization, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MAX_CHUNKS", 2)
    assert [part.page for part in list_of(organization, ["a"], ["b"], ["c"])] == [1, 2]


def test_a_heading_begins_a_part_and_stands_before_what_follows(organization: Organization) -> None:
    lines = [f"line {at} {LONG}" for at in range(4)]
    reading = document_with(organization, ["first", "Notice period", *lines]).readings.get()
    make_higher(reading.pages.get(), line=2)
    first, *parts = list_chunks(reading)
    assert first.text == "first" and len(parts) == 2
    assert all(part.text.startswith("Notice period\nline") for part in parts)


def test_rows_of_a_table_have_the_names_of_their_columns(organization: Organization) -> None:
    rows = [f"Part {at}|{at}|{at}.50|{at}.50" for at in range(100, 190)]
    parts = list_of(organization, ["Description|Count|Price|Total", *rows])
    assert len(parts) > 1 and all("Description | Count" in part.text for part in parts)
    assert all(part.text.count("Description") <= 2 for part in parts)


def test_what_is_hidden_is_in_no_part(organization: Organization) -> None:
    document = document_with(organization)
    reading = add_reading(document, ["plain"], hidden="secret")
    assert [part.text for part in list_chunks(reading)] == ["plain"]


def test_damaged_words_are_no_part(organization: Organization) -> None:
    reading = document_with(organization, ["one"]).readings.get()
    Page.objects.update(words=b"\1nonsense")
    assert list_chunks(reading) == []


def make_higher(page: Page, *, line: int) -> None:
    words = [word._replace(y1=word.y0 + 0.027) if word.line == line else word for word in unpack(bytes(page.words))]
    Page.objects.filter(pk=page.pk).update(words=pack(words))
