"""The tag picker and what it does to a document, as the browser asks for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import prompts, tags
from documents.document_changes import NO_TAG
from documents.models import Document, Tag
from documents.views.tagging.options import MAX_OFFERED
from tests.documents.reading_rows import document_with

SignedIn = Callable[[Client, Actor], Client]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def document(actor: Actor) -> Document:
    return document_with(actor.organization, ["Total | 12.00"], user=actor.user)


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


@pytest.fixture
def tag(actor: Actor) -> Tag:
    return tags.create(actor, name="Invoices")


def change(page: Client, document: Document, **sent: Any) -> str:
    address = reverse("document-tags", args=[document.organization_id, document.pk])
    return unescape(" ".join(page.post(address, sent, headers=HTMX).text.split()))


def list_options(page: Client, document: Document, **query: Any) -> str:
    address = reverse("tag-options", args=[document.organization_id])
    return " ".join(page.get(address, {"document": document.pk, **query}).text.split())


def names_of(document: Document) -> set[str]:
    return set(document.tags.values_list("name", flat=True))


def test_it_offers_tags_with_what_each_starts_those_that_are_set_first(
    page: Client, actor: Actor, document: Document, tag: Tag
) -> None:
    zebra = tags.create(actor, name="Zebra")
    document.tags.add(zebra)
    prompts.create(actor, name="Read invoices", content="Look.", tags=[tag])
    text = list_options(page, document)
    assert re.findall(r'data-name="(\w+)"', text) == ["Zebra", "Invoices"]
    assert "0 documents · runs “Read invoices”, costs nothing" in text
    assert "1 document </small>" in text and text.count("Set, remove") == 1
    Document.objects.filter(pk=document.pk).update(state="uploaded")
    document.readings.update(status="queued")
    assert "runs “Read invoices” when it is read" in list_options(page, document)
    without = page.get(reverse("tag-options", args=[document.organization_id]), {"chosen": tag.pk}).text
    assert "runs “Read invoices”" in without and 'data-name="Invoices"' in without.split("Set, remove")[0]


def test_it_finds_by_name_and_offers_to_make_what_is_not_there(
    page: Client, actor: Actor, document: Document, tag: Tag, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    text = list_options(page, document, q="invo")
    assert 'data-name="Invoices"' in text and "New tag “invo”" in text
    assert "New tag" not in list_options(page, document, q="Invoices")
    reviewer = signed_in(type(page)(), member(Role.REVIEWER))
    assert "No tag has “zzz” in its name." in list_options(reviewer, document, q="zzz")


def test_a_long_list_says_how_many_it_hides(page: Client, actor: Actor, document: Document) -> None:
    Tag.objects.bulk_create(
        Tag(organization=actor.organization, name=f"{at}", name_folded=f"{at}") for at in range(MAX_OFFERED + 3)
    )
    assert "3 more tags: type a part of the name." in list_options(page, document)


def test_a_press_sets_the_tag_runs_its_prompts_and_can_be_undone(
    page: Client, actor: Actor, document: Document, tag: Tag
) -> None:
    prompts.create(actor, name="Read invoices", content="Look.", tags=[tag])
    text = change(page, document, add=tag.pk)
    run = document.extractions.get()
    assert "“Invoices” is set on invoice.pdf. It runs “Read invoices”." in text
    assert f'id="tags-{document.pk}" hx-swap-oob="true"' in text
    undo, runs = re.findall(r'"undo": "([^"]*)", "runs": "([^"]*)"', text)[0]
    text = change(page, document, undo=undo, runs=runs)
    assert "is removed from invoice.pdf" in text and "Undo" not in text
    run.refresh_from_db()
    assert (names_of(document), run.status) == (set(), "withdrawn")


def test_a_removed_tag_comes_back_and_starts_nothing(page: Client, actor: Actor, document: Document, tag: Tag) -> None:
    prompts.create(actor, name="Read invoices", content="Look.", tags=[tag])
    document.tags.add(tag)
    text = change(page, document, remove=tag.pk)
    assert f'"add": ["{tag.pk}"], "again": "1"' in text
    change(page, document, add=tag.pk, again="1")
    assert (names_of(document), document.extractions.count()) == ({"Invoices"}, 0)


def test_a_builder_makes_a_tag_there_and_a_reviewer_does_not(
    page: Client, document: Document, tag: Tag, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    assert "“Paid” is set on" in change(page, document, new_name=" Paid ")
    assert "Tag with name 'Paid' already exists" in change(page, document, new_name="Paid")
    assert Tag.objects.get(name="Paid").color != tag.color
    reviewer = signed_in(type(page)(), member(Role.REVIEWER))
    change(reviewer, document, new_name="Mine")
    assert names_of(document) == {"Paid"}
    change(reviewer, document, add=tag.pk)
    assert names_of(document) == {"Paid", "Invoices"}


def test_a_tag_deleted_meanwhile_is_a_sentence(page: Client, actor: Actor, document: Document, tag: Tag) -> None:
    tags.delete(actor, tag=tag)
    assert NO_TAG in change(page, document, add=tag.pk)


def test_a_viewer_sees_the_tags_and_no_controls(
    document: Document, tag: Tag, client: Client, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    document.tags.add(tag)
    viewer = signed_in(client, member(Role.VIEWER))
    for name, arguments in (("documents", []), ("document", [document.pk])):
        text = viewer.get(reverse(name, args=[document.organization_id, *arguments])).text
        assert "Invoices" in text
        assert not re.search("chip-x|data-tag-document|tag-picker", text)
