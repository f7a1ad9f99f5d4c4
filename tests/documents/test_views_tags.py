"""The pages of tags through their real URLs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents import document_changes
from documents.definitions import prompts, tags
from documents.intake import uploads
from documents.models import Document, Tag

SignedIn = Callable[[Client, Actor], Client]


def at(name: str, actor: Actor, *ids: str) -> str:
    return reverse(name, args=[actor.organization.pk, *ids])


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def test_it_makes_a_tag_and_lists_it_with_its_colour(page: Client, actor: Actor) -> None:
    form = {"name": "invoice", "color": "#2f9f86", "description": "Bills"}
    text = page.post(at("tag-new", actor), form, follow=True).text
    assert 'fill="#2f9f86"' in text
    assert "Bills" in text


def test_the_head_counts_the_matches_of_a_search(page: Client, actor: Actor) -> None:
    for name in ("invoice", "bill"):
        tags.create(actor, name=name, color="#2f9f86")
    part = page.get(at("tags", actor), {"q": "inv"}, headers={"HX-Request": "true"}).text
    assert 'id="count" hx-swap-oob="true">1 of 2<' in part


def test_it_renames_a_tag_and_keeps_a_colour_that_the_field_cannot_show(page: Client, actor: Actor) -> None:
    tag = tags.create(actor, name="invoice", color="#2f9f8680")
    color = page.get(at("tag", actor, tag.pk)).context["form"]["color"].value()
    assert color == "#2f9f86"
    page.post(at("tag", actor, tag.pk), {"name": "bill", "color": color, "description": ""})
    assert list(Tag.objects.values_list("name", "color")) == [("bill", "#2f9f8680")]
    page.post(at("tag", actor, tag.pk), {"name": "bill", "color": "#ff0000", "description": ""})
    assert Tag.objects.get().color == "#ff0000"


def test_it_keeps_what_was_typed_when_a_name_is_taken_or_a_colour_is_none(page: Client, actor: Actor) -> None:
    tags.create(actor, name="invoice")
    for name, color in (("invoice", "#2f9f86"), ("bill", "green")):
        answer = page.post(at("tag-new", actor), {"name": name, "color": color, "description": "My words"})
        assert answer.status_code == 422
        assert "My words" in answer.text
        assert 'role="alert"' in answer.text


def test_a_tag_in_use_stays_and_the_page_says_why(page: Client, actor: Actor) -> None:
    tag = tags.create(actor, name="invoice")
    first = prompts.create(actor, name="Reader", content="Read it.", tags=[tag])
    prompts.save_version(actor, prompt=first.prompt, tags=[])
    assert "1 prompt (old versions included)" in page.get(at("tag", actor, tag.pk)).text
    assert page.post(at("tag-delete", actor, tag.pk)).status_code == 400
    prompts.trash(actor, head=first.prompt)
    text = page.post(at("tag-delete", actor, tag.pk), follow=True).text
    assert "is deleted" in text and at("tag-restore", actor, tag.pk) in text
    assert not Tag.objects.exists()
    # The undo brings back the one of this id; there is none for an id that was never here.
    values = {"name": tag.name, "color": tag.color}
    assert page.post(at("tag-restore", actor, "0" * 24), values).status_code == 404
    assert "is back" in page.post(at("tag-restore", actor, tag.pk), values, follow=True).text
    assert Tag.objects.get() == tag
    assert page.post(at("tag-restore", actor, tag.pk), values).status_code == 404


def test_a_viewer_sees_tags_and_cannot_change_them(
    client: Client, actor: Actor, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    tag = tags.create(actor, name="invoice")
    text = signed_in(client, member(Role.VIEWER)).get(at("tags", actor)).text
    assert "invoice" in text
    assert at("tag", actor, tag.pk) not in text
    assert "New tag" not in text


def test_it_counts_documents_and_prompts_apart(page: Client, actor: Actor) -> None:
    tag = tags.create(actor, name="invoice")
    for number in range(4):
        uploads.store(actor, name=f"{number}.txt", content=ContentFile(b"Dear Ann", name="x")).tags.add(tag)
    document_changes.trash(actor, document=Document.objects.get(name="3.txt"))
    first = prompts.create(actor, name="Reader", content="Read it.", tags=[tag])
    prompts.save_version(actor, prompt=first.prompt, content="Read it well.")
    prompts.create(actor, name="Other", content="Read it.", tags=[tag])
    text = page.get(at("tags", actor)).text
    assert "3 documents" in text
    assert "2 prompts" in text


def test_it_finds_tags_by_name_and_shows_more_on_request(page: Client, actor: Actor) -> None:
    for number in range(60):
        tags.create(actor, name=f"Größe {number:02}")
    tags.create(actor, name="other")
    whole = page.get(at("tags", actor)).text
    assert (whole.count("<tr data-row"), "Größe 49" in whole, "shown=100" in whole) == (50, True, True)
    more = page.get(at("tags", actor), {"shown": "100"}, headers={"hx-request": "true"}).text
    assert (more.count("<tr data-row"), "Show more" in more, "<html" in more) == (61, False, False)
    html = page.get(at("tags", actor), {"q": "GRÖSSE 07"}).text
    assert (html.count("<tr data-row"), "Größe 07" in html) == (1, True)
    none = page.get(at("tags", actor), {"q": "<b>"}).text
    assert "No tag has “&lt;b&gt;” in its name." in none
    assert page.get(at("tags", actor), {"shown": "x"}).text.count("<tr data-row") == 50
