"""Blocks: an id of a line or word means the same words for good, and is found again when the document is read again."""

from __future__ import annotations

import json
import re
from html import unescape
from time import process_time

import pytest
from django.urls import reverse

from accounts.actor import Actor
from documents.models import Document, Reading
from documents.reading.blocks import BlockPlace, fetch_block, find_all_in_reading, load_blocks, parse_block_id
from documents.views.find.citations import GONE, load_citation
from kit.errors import Invalid, NotFound
from tests.documents.reading_rows import add_reading, document_with
from tests.page_client import PageClient as Client

LETTER = ["Hafenkontor Lübeck", "Invoice No. 4711|Total 42.00", "Total 42.00"]


@pytest.fixture
def document(actor: Actor) -> Document:
    return document_with(actor.organization, ["cover"], LETTER)


@pytest.fixture
def first(document: Document) -> Reading:
    return document.readings.get()


def text_at(reading: Reading, *places: BlockPlace) -> list[str]:
    return [block.text for block in load_blocks(reading, places)]


def test_a_line_a_word_and_words_side_by_side_are_blocks(first: Reading) -> None:
    assert text_at(first, BlockPlace(2, 1)) == ["Hafenkontor Lübeck"]
    assert text_at(first, BlockPlace(2, 2, 3)) == ["4711"]
    assert text_at(first, BlockPlace(2, 2, 2), BlockPlace(2, 2, 3), BlockPlace(2, 2, 5)) == ["No. 4711", "42.00"]
    assert text_at(first, BlockPlace(2, 9), BlockPlace(2, 1, 9), BlockPlace(7, 1)) == []


def test_hidden_words_are_in_no_block(document: Document) -> None:
    reading = add_reading(document, ["seen"], hidden="unseen")
    assert text_at(reading, BlockPlace(1, 1), BlockPlace(1, 2)) == ["seen"]


def test_an_id_means_the_same_words_after_the_document_was_read_again(
    actor: Actor, document: Document, first: Reading
) -> None:
    named = f"{first.pk}.2.2.3"
    add_reading(document, ["cover"], ["quite", "another", "text"])
    block = fetch_block(actor, named)
    assert (block.text, str(block.id)) == ("4711", named)


def test_the_old_words_are_found_in_the_new_reading_nearest_to_the_old_place(
    document: Document, first: Reading
) -> None:
    second = add_reading(document, ["cover"], ["Letterhead", *LETTER])
    for line in (2, 3):
        [block] = load_blocks(first, [BlockPlace(2, line, word) for word in ((4, 5) if line == 2 else (1, 2))])
        [again] = find_all_in_reading([block], second)
        assert again.text == "Total 42.00"
        assert str(again.id) == f"{second.pk}.2.{3 if line == 2 else 4}.{4 if line == 2 else 1}"


@pytest.mark.parametrize(
    ("line", "text"),
    [("Invoice No.4711", "No.4711"), ("Invoice N0. 4711", "N0. 4711"), ("invoice no. 4711", "no. 4711")],
)
def test_words_that_were_read_or_parted_otherwise_are_found_too(
    document: Document, first: Reading, line: str, text: str
) -> None:
    [block] = load_blocks(first, [BlockPlace(2, 2, 2), BlockPlace(2, 2, 3)])
    [again] = find_all_in_reading([block], add_reading(document, ["cover"], ["Hafenkontor Lübeck", line]))
    assert again.text == text


@pytest.mark.parametrize("page", [["14711"], ["47111"], ["nothing of it"], []])
def test_what_is_no_longer_there_is_not_found(document: Document, first: Reading, page: list[str]) -> None:
    [block] = load_blocks(first, [BlockPlace(2, 2, 3)])
    assert not [*find_all_in_reading([block], add_reading(document, ["4711"], page))]


@pytest.mark.parametrize(
    "text", ["", "x", "{}", "{}.", "{}.0.1", "{}.1", "{}.1.2.3.4", "{}.1.²", "{}.1.-2", "{}.1.99999999"]
)
def test_what_names_no_block_is_refused_with_a_sentence(first: Reading, text: str) -> None:
    with pytest.raises(Invalid, match="“.*” (names no block|is no place)"):
        parse_block_id(text.format(first.pk))


def test_blocks_of_others_and_of_the_trash_are_not_there(actor: Actor, stranger: Actor, first: Reading) -> None:
    with pytest.raises(NotFound):
        fetch_block(stranger, f"{first.pk}.2.1")
    Document.objects.update(trashed_at="2026-01-01T00:00Z")
    with pytest.raises(NotFound):
        fetch_block(actor, f"{first.pk}.2.1")


def cited_on(page: Client, document: Document, at: str) -> list[list[float]]:
    Reading.objects.update(pages_listed=2)
    address = reverse("document", args=[document.organization_id, document.pk])
    match = re.search(r'data-cited="([^"]*)"', page.get(address, {"at": at}).text)
    boxes: list[list[float]] = json.loads(unescape(match[1])) if match else []
    return boxes


def test_an_address_boxes_its_words_in_the_reading_that_is_shown(
    client: Client, actor: Actor, signed_in, document: Document, first: Reading
) -> None:
    signed_in(client, actor)
    [old] = cited_on(client, document, f"{first.pk}.2.2.2,2.2.3")
    add_reading(document, ["cover"], ["Letterhead", *LETTER])
    [box] = cited_on(client, document, f"{first.pk}.2.2.2,2.2.3")
    assert (box[0], box[1], box[3]) == (2, old[1], old[3]) and box[2] > old[2]


def test_an_address_whose_words_are_gone_says_so(document: Document, first: Reading, other_organization) -> None:
    elsewhere = document_with(other_organization, LETTER).readings.get()
    second = add_reading(document, ["cover"], ["nothing of it"])
    for at in (f"{first.pk}.2.2.3", f"{first.pk}.9.9", f"{elsewhere.pk}.1.1", f"{'0' * 24}.1.1"):
        assert load_citation(at, document, second).problem == GONE
    assert load_citation(f"{first.pk}.2.2.3", document, None).problem == GONE
    assert "names no block" in load_citation("%00" * 50_000, document, second).problem


def test_a_long_line_that_was_read_otherwise_takes_no_time_of_its_square(actor: Actor) -> None:
    document = document_with(actor.organization, [" ".join(["ab"] * 3_000)])
    second = add_reading(document, [" ".join(["ba"] * 3_000)])
    first = document.readings.get(number=1)
    began = process_time()
    load_citation(f"{first.pk}.1.1", document, second)
    assert process_time() - began < 0.6


def test_all_words_of_a_page_are_found_in_another_reading_by_one_query(
    document: Document, first: Reading, django_assert_num_queries
) -> None:
    second = add_reading(document, ["cover"], ["Letterhead", *LETTER])
    with django_assert_num_queries(3):
        cited = load_citation(f"{first.pk}.2.1.1,2.2.1,2.2.3,2.2.5", document, second)
    assert len(json.loads(cited.boxes)) == 4


def test_an_address_does_not_tell_what_another_organization_has_read(
    document: Document, first: Reading, other_organization
) -> None:
    elsewhere = document_with(other_organization, ["cover"], LETTER).readings.get()
    assert load_citation(f"{elsewhere.pk}.2.1", document, first).problem == GONE
