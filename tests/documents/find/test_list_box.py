"""The box above the list of documents, and every other filter with words: the text of pages is looked at too."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from documents.find import narrowing
from documents.find.filters import parse_filter
from documents.models import Document
from tests.documents.find.searches import add_document

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def letters(actor: Actor) -> Actor:
    organization = actor.organization
    add_document(organization, ["cover"], ["ACME Fittings", "Rechnung 2026-0815"], name="invoice.pdf")
    add_document(organization, ["Lease of a flat, ACME"], name="draft lease.pdf")
    add_document(organization, ["nothing"], name="acme.pdf")
    return actor


def list_names(actor: Actor, words: str) -> list[str]:
    rows = parse_filter(actor, {"q": [words]}).apply(Document.objects.for_org(actor.organization))
    return sorted(rows.values_list("name", flat=True))


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("rechnung", ["invoice.pdf"]),
        ("acme", ["acme.pdf", "draft lease.pdf", "invoice.pdf"]),
        ("acme -flat", ["acme.pdf", "invoice.pdf"]),
        ("acme -draft", ["acme.pdf", "draft lease.pdf", "invoice.pdf"]),
        ("lease -draft", ["draft lease.pdf"]),
        ("pdf -draft", ["acme.pdf", "invoice.pdf"]),
        ('"acme fittings"', ["invoice.pdf"]),
        ("fitt*", ["invoice.pdf"]),
        ("20260815 kind:pdf", []),
        ("cover rechnung", []),
        ("rech", ["invoice.pdf"]),
        ("rech 2026-0815", []),
        ("%", []),
        ('"', ["acme.pdf", "draft lease.pdf", "invoice.pdf"]),
        ("-acme", []),
    ],
)
def test_words_of_pages_names_and_what_is_left_out(letters: Actor, words: str, names: list[str]) -> None:
    assert list_names(letters, words) == names


def test_many_matches_are_all_found(letters: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narrowing, "FEW", 1)
    assert list_names(letters, "acme") == ["acme.pdf", "draft lease.pdf", "invoice.pdf"]


def test_pages_of_others_and_of_the_trash_are_not_found(letters: Actor, stranger: Actor) -> None:
    add_document(stranger.organization, ["Rechnung 2026-0815"])
    Document.objects.filter(name="invoice.pdf").update(trashed_at="2026-01-01T00:00Z")
    assert list_names(letters, "rechnung") == []
    assert list_names(stranger, "rechnung") == ["a.pdf"]


def test_words_cost_two_queries_more(letters: Actor) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        list_names(letters, "rechnung")
    assert len(queries) <= 6
