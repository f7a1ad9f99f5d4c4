"""The list sorted by tags: the column behind it is true after every change of them."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.actor import Actor
from documents import document_changes
from documents.definitions import tags
from documents.find.filters import parse_filter
from documents.find.filters.orders import NEWEST_FIRST
from documents.intake import uploads
from documents.models import Document
from tests.documents.bulk.bulk_rows import make_documents

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def list_names(actor: Actor, order: str = "tags") -> list[str]:
    parsed = parse_filter(actor, {"order_by": [order]})
    assert not parsed.refusals and order != NEWEST_FIRST
    return [document.name for document in parsed.sort(parsed.apply(Document.objects.for_org(actor.organization)))]


def test_documents_are_sorted_by_their_first_tag_whatever_changes_it(
    actor: Actor, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    first, second, _ = make_documents(actor, 3)
    bills, acme = tags.create(actor, name="bills"), tags.create(actor, name="Acme")
    document_changes.change_tags(actor, document=first, add=[bills.pk])
    document_changes.update(actor, document=second, tag_ids=[acme.pk, bills.pk])
    assert list_names(actor) == ["2.txt", "1.txt", "0.txt"]
    assert list_names(actor, "-tags") == ["0.txt", "1.txt", "2.txt"]
    with django_capture_on_commit_callbacks(execute=True):
        tags.update(actor, tag=acme, name="Zebra")
    document_changes.change_tags(actor, document=second, remove=[bills.pk])
    assert list_names(actor) == ["2.txt", "0.txt", "1.txt"]
    document_changes.change_tags(actor, document=first, remove=[bills.pk])
    assert list_names(actor, "-tags")[0] == "1.txt"


def test_a_tag_that_is_deleted_leaves_the_order_of_what_lies_in_the_trash(actor: Actor) -> None:
    [document] = make_documents(actor, 1)
    bills, zebra = tags.create(actor, name="Bills"), tags.create(actor, name="Zebra")
    document_changes.change_tags(actor, document=document, add=[bills.pk, zebra.pk])
    document_changes.trash(actor, document=document)
    tags.delete(actor, tag=bills)
    assert Document.objects.get().first_tag == "zebra"


def test_an_upload_with_tags_has_its_place_at_once(actor: Actor) -> None:
    tag = tags.create(actor, name="Ännchen")
    uploads.store(actor, name="a.txt", content=ContentFile(b"Dear Ann", name="a.txt"), tag_ids=[tag.pk])
    assert Document.objects.get().first_tag == tag.name_folded


def test_the_order_walks_an_index(actor: Actor) -> None:
    parsed = parse_filter(actor, {"order_by": ["tags"]})
    plan = parsed.sort(parsed.apply(Document.objects.for_org(actor.organization))).values("pk")[:50].explain()
    assert "document_by_tag" in plan or connection.vendor != "sqlite", plan
