"""The strip of pages above the values."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents.extractions.extraction_view import build_view
from documents.extractions.extraction_view.page_marks import MAX_MARKS, list_page_marks
from documents.models import Document, Extraction
from tests.documents.checked_invoice import make_prompt, store_invoice


def locate(extraction: Extraction) -> Extraction:
    row = f"line_items[{extraction.current['line_items'][0]['row_id']}]"
    places = {
        "number": {"page": 1, "state": "exact"},
        "subtotal": {"page": 1, "state": "inferred"},
        f"{row}.amount": {"page": 3, "state": "exact"},
    }
    Extraction.objects.update(provenance=places, page_count=4, coverage=[1, 2, 3])
    Document.objects.update(state=Document.State.LLM_COMPLETED)
    return Extraction.objects.get()


def test_each_page_says_what_it_gave(actor: Actor) -> None:
    extraction = locate(store_invoice(actor, make_prompt(actor, []), "a.pdf"))
    marks = list_page_marks(build_view(extraction).leaves, extraction.page_count, extraction.coverage, {})
    assert [mark.kind for mark in marks] == ["doubt", "none", "full", "unread"]
    assert [mark.words for mark in marks] == ["2 values, 1 uncertain", "no value", "1 value", "not read"]


def test_one_page_and_too_many_have_no_strip() -> None:
    assert list_page_marks([], 1, [1], {}) == ()
    assert list_page_marks([], MAX_MARKS + 1, [1], {}) == ()


def test_the_strip_stands_above_the_values(
    client: Client, signed_in: Callable[[Client, Actor], Client], actor: Actor
) -> None:
    extraction = locate(store_invoice(actor, make_prompt(actor, []), "a.pdf"))
    address = reverse("document", args=(actor.organization.pk, extraction.document_id))
    text = signed_in(client, actor).get(address).content.decode()
    assert 'title="Page 2: no value"' in text
    assert text.index('data-mark="unread"') < text.index('id="values"')
