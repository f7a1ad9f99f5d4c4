"""The name and the metadata of a document, edited in place."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents import document_changes
from documents.models import Document, MetadataPair
from tests.documents.reading_rows import document_with

SignedIn = Callable[[Client, Actor], Client]


@pytest.fixture
def document(actor: Actor) -> Document:
    return document_with(actor.organization, ["Total | 12.00"], user=actor.user)


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def send(page: Client, document: Document, what: str, **sent: Any) -> tuple[int, str]:
    address = reverse(f"document-{what}", args=[document.organization_id, document.pk])
    answer = page.post(address, sent, headers={"HX-Request": "true"})
    document.refresh_from_db()
    return answer.status_code, unescape(" ".join(answer.text.split()))


def test_the_name_is_a_field_in_the_head_and_is_saved_from_there(page: Client, document: Document) -> None:
    field = page.get(reverse("document-name", args=[document.organization_id, document.pk])).text
    assert "data-name-field" in field and 'name="seen" value="invoice.pdf"' in field
    status, text = send(page, document, "name", name="Rechnung 7.pdf", seen="invoice.pdf")
    assert (status, document.name) == (200, "Rechnung 7.pdf")
    assert "data-name-field" not in text and "Rechnung 7.pdf" in text


def test_a_name_that_somebody_has_changed_meanwhile_is_not_overwritten_unseen(page: Client, document: Document) -> None:
    Document.objects.filter(pk=document.pk).update(name="theirs.pdf")
    status, text = send(page, document, "name", name="mine.pdf", seen="invoice.pdf")
    assert (status, document.name) == (422, "theirs.pdf")
    assert "Somebody has renamed it to “theirs.pdf” meanwhile." in text
    assert 'value="mine.pdf"' in text and 'name="seen" value="theirs.pdf"' in text
    assert send(page, document, "name", name="mine.pdf", seen="theirs.pdf")[0] == 200
    assert document.name == "mine.pdf"


@pytest.mark.parametrize(("name", "sentence"), [("  ", "File name is required"), ("x" * 256, "255 is the most")])
def test_a_name_that_cannot_be_stays_in_the_field(page: Client, document: Document, name: str, sentence: str) -> None:
    status, text = send(page, document, "name", name=name, seen="invoice.pdf")
    assert (status, document.name, sentence in text) == (422, "invoice.pdf", True)
    assert 'name="seen" value="invoice.pdf"' in text


def test_a_pair_is_added_changed_removed_and_each_can_be_undone(page: Client, document: Document) -> None:
    _, text = send(page, document, "metadata", key=" case ", value=" 4711 ")
    assert document.metadata == {"case": "4711"}
    assert '{"key": "case", "seen": "4711", "remove": "1", "undo": "1"}' in text
    assert MetadataPair.objects.filter(document=document).count() == 1
    _, text = send(page, document, "metadata", key="case", value="4712", seen="4711")
    assert document.metadata == {"case": "4712"}
    assert '{"key": "case", "seen": "4712", "value": "4711", "undo": "1"}' in text
    _, text = send(page, document, "metadata", key="case", remove="1", seen="4712")
    assert document.metadata == {} and '{"key": "case", "value": "4712", "undo": "1"}' in text
    _, text = send(page, document, "metadata", key="case", value="4712", undo="1")
    assert document.metadata == {"case": "4712"} and "Undo" not in text


def test_a_pair_that_has_changed_meanwhile_stays_and_what_was_typed_is_kept(
    page: Client, actor: Actor, document: Document
) -> None:
    document_changes.update(actor, document=document, metadata={"case": "theirs", "other": "1"})
    status, text = send(page, document, "metadata", key="case", value="mine", seen="old")
    assert (status, document.metadata) == (422, {"case": "theirs", "other": "1"})
    assert "There is “case” already, and it says “theirs”. Nothing was changed." in text
    assert 'value="mine"' in text
    assert send(page, document, "metadata", key="case", value="mine")[0] == 422, "a new pair of a name that is there"
    document_changes.update(actor, document=document, metadata={})
    assert "Somebody has removed “case” meanwhile." in send(page, document, "metadata", key="case", seen="theirs")[1]


def test_other_pairs_are_left_alone_and_what_is_too_much_is_refused(
    page: Client, actor: Actor, document: Document
) -> None:
    document_changes.update(actor, document=document, metadata={f"{at}": "x" for at in range(200)})
    assert "200 are the most" in send(page, document, "metadata", key="one more", value="x")[1]
    assert send(page, document, "metadata", key="7", value="y", seen="x")[0] == 200
    assert (len(document.metadata), document.metadata["7"], document.metadata["8"]) == (200, "y", "x")
    assert "needs a name" in send(page, document, "metadata", key=" ", value="x")[1]
    assert "longer than 10,000" in send(page, document, "metadata", key="8", value="x" * 10_001, seen="x")[1]


def test_a_viewer_reads_the_metadata_and_changes_nothing(
    client: Client, actor: Actor, document: Document, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    document_changes.update(actor, document=document, metadata={"case": "4711"})
    viewer = signed_in(client, member(Role.VIEWER))
    text = viewer.get(reverse("document-metadata", args=[document.organization_id, document.pk])).text
    assert 'value="4711"' in text and "readonly" in text and "Remove" not in text
    assert send(viewer, document, "metadata", key="case", value="x", seen="4711")[0] == 403
    page = viewer.get(reverse("document", args=[document.organization_id, document.pk])).text
    assert "data-rename-document" not in page and "data-metadata" in page
