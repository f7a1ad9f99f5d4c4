"""The page that gives a document its tags."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import tags
from documents.models import Document, Tag
from tests.documents.reading_rows import document_with

SignedIn = Callable[[Client, Actor], Client]


@pytest.fixture
def document(actor: Actor) -> Document:
    return document_with(actor.organization, ["Total | 12.00"])


def address(document: Document) -> str:
    return reverse("document-tags", args=[document.organization_id, document.pk])


def names_of(document: Document) -> set[str]:
    return set(document.tags.values_list("name", flat=True))


def test_the_document_carries_what_is_ticked_and_what_was_not_offered(
    client: Client, actor: Actor, signed_in: SignedIn, document: Document
) -> None:
    old, new, of_another = (tags.create(actor, name=name) for name in ("Old", "New", "Of another"))
    document.tags.set([old, of_another])
    page = signed_in(client, actor)
    assert f'value="{old.pk}" checked' in " ".join(page.get(address(document)).text.split())
    answer = page.post(address(document), {"offered": [old.pk, new.pk], "tag": [new.pk]})
    assert answer.url == reverse("document", args=[document.organization_id, document.pk])
    assert names_of(document) == {"New", "Of another"}


def test_the_tags_it_carries_come_first(client: Client, actor: Actor, signed_in: SignedIn, document: Document) -> None:
    for name in ("Alpha", "Beta", "Gamma"):
        tags.create(actor, name=name)
    document.tags.set(Tag.objects.filter(name="Gamma"))
    offered = signed_in(client, actor).get(address(document)).context["offered"]
    assert [(tag.name, is_ticked) for tag, is_ticked in offered] == [("Gamma", True), ("Alpha", False), ("Beta", False)]


def test_a_builder_makes_the_first_tag_there_and_goes_back_to_the_list(
    client: Client, actor: Actor, signed_in: SignedIn, document: Document
) -> None:
    answer = signed_in(client, actor).post(f"{address(document)}?back=list", {"new_name": " Invoices "})
    assert answer.url == reverse("documents", args=[document.organization_id])
    assert "Read, not extracted" in client.get(answer.url).text
    assert names_of(document) == {"Invoices"}


def test_a_refused_name_changes_nothing_and_keeps_the_ticks(
    client: Client, actor: Actor, signed_in: SignedIn, document: Document
) -> None:
    known = tags.create(actor, name="Invoices")
    sent = {"offered": [known.pk], "tag": [known.pk], "new_name": "Invoices"}
    answer = signed_in(client, actor).post(address(document), sent)
    assert answer.status_code == 422
    assert f'value="{known.pk}" checked' in " ".join(answer.text.split()) and 'value="Invoices"' in answer.text
    assert names_of(document) == set()


def test_a_reviewer_chooses_tags_and_makes_none(
    client: Client, signed_in: SignedIn, document: Document, member: Callable[[Role], Actor]
) -> None:
    page = signed_in(client, member(Role.REVIEWER))
    assert "new_name" not in page.get(address(document)).text
    assert page.post(address(document), {"new_name": "Mine"}).status_code == 422
    assert not Tag.objects.exists()
