"""Pages that are missing in part or whole are named wherever somebody looks: page, list, `/v0`, and by models."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents.api.serializers import serialize_gaps
from documents.catalog import state
from documents.extractions.extraction_view import page_marks
from documents.models import Document, Page, Reading
from documents.reading import gaps
from documents.reading.page_text import mark_pages
from tests.conftest import ApiClient
from tests.documents.reading_rows import document_with

DAMAGE = "This page is damaged in the file: what it shows cannot be read."
ILLEGIBLE = "About 80 % of this page could not be read: it is in letters that are not known here, or too faint."


@pytest.fixture
def document(actor: Actor) -> Document:
    """Page 1 is whole, page 2 illegible, page 3 damaged, page 4 was never read."""
    document = document_with(actor.organization, ["Invoice 7"], ["118"], [])
    reading = document.readings.get()
    Page.objects.filter(reading=reading, number=2).update(illegible=80)
    Page.objects.filter(reading=reading, number=3).update(fault=DAMAGE)
    reason = gaps.describe_gaps(reading, [1, 2, 3], [])
    Reading.objects.update(page_count=4, pages_listed=3, pages_read=3, reason=reason)
    return state.refresh(document.pk)


def test_the_state_names_the_pages(document: Document) -> None:
    damaged, illegible = document.state_reason.split(" Much of ")
    assert damaged.startswith("Page 3 is damaged in the file, and could not be read whole.")
    assert illegible.startswith("page 2 could not be read: it is in letters that are not known here")


def test_each_gap_has_its_words(document: Document) -> None:
    missing = gaps.list_gaps(document.readings.get())
    assert [(gap.number, gap.words) for gap in missing] == [(2, "illegible"), (3, "damaged"), (4, "not read")]
    assert [gap.sentence for gap in missing][:2] == [ILLEGIBLE, DAMAGE]


def test_a_document_that_was_read_whole_has_none(document: Document) -> None:
    Page.objects.update(illegible=gaps.ILLEGIBLE - 1, fault="")
    Reading.objects.update(page_count=3, reason="")
    assert gaps.list_gaps(document.readings.get()) == []
    assert not any(map(gaps.find_gap, Page.objects.all()))


def test_the_page_marks_and_explains_them(
    document: Document, client: Client, actor: Actor, signed_in: Callable[[Client, Actor], Client]
) -> None:
    html = signed_in(client, actor).get(reverse("document", args=[actor.organization.pk, document.pk])).text
    assert html.count('data-mark="unread"') == 2 and 'data-sign="damaged"' in html
    assert f'id="gap-2">Page 2: {ILLEGIBLE}</p>' in html and 'aria-describedby="gap-3"' in html


def test_the_strip_above_the_values_says_it_too() -> None:
    marks = page_marks.list_page_marks([], 3, [1, 2], {2: "partly illegible", 3: "damaged"})
    assert [(mark.kind, mark.words) for mark in marks] == [
        ("none", "no value"),
        ("unread", "partly illegible, no value"),
        ("unread", "damaged"),
    ]


def test_the_list_says_that_it_was_read_in_part(
    document: Document, client: Client, actor: Actor, signed_in: Callable[[Client, Actor], Client]
) -> None:
    address = reverse("documents", args=[actor.organization.pk])
    assert "Read, no tag · partly read" in signed_in(client, actor).get(address).text
    Reading.objects.update(reason="")
    assert "partly read" not in client.get(address).text


def test_programs_get_the_pages_and_the_reason(
    api_as: Callable[[Actor], ApiClient], actor: Actor, document: Document
) -> None:
    assert serialize_gaps(document)[1] == {"page": 3, "reason": DAMAGE}
    base = f"/v0/orgs/{document.organization_id}"
    blocks = api_as(actor).get(f"{base}/ocr/download/blocks/{document.pk}").json()
    assert [block.get("Gap") for block in blocks if block["BlockType"] == "PAGE"] == [None, ILLEGIBLE, DAMAGE]


def test_models_know_that_something_stands_there(document: Document) -> None:
    text = mark_pages(document.readings.get()).text
    assert f"[2.1] 118\n({ILLEGIBLE})\n</page>" in text and f'<page number="3">\n({DAMAGE})\n</page>' in text
    assert text.startswith('<page number="1">\n[1.1] Invoice 7\n</page>')
