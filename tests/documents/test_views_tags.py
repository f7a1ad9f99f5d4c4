"""The pages of tags through their real URLs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents.models import Tag
from documents.services import prompts, tags

SignedIn = Callable[[Client, Actor], Client]


def at(name: str, actor: Actor, *ids: str) -> str:
    return reverse(name, args=[actor.organization.pk, *ids])


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def test_it_makes_a_tag_and_lists_it_with_its_colour(page: Client, actor: Actor) -> None:
    given = {"name": "invoice", "color": "#2f9f86", "description": "Bills"}
    text = page.post(at("tag-new", actor), given, follow=True).text
    assert 'fill="#2f9f86"' in text
    assert "Bills" in text


def test_it_renames_a_tag_and_keeps_a_colour_that_the_field_cannot_show(page: Client, actor: Actor) -> None:
    tag = tags.create(actor, name="invoice", color="#2f9f8680")
    shown = page.get(at("tag", actor, tag.pk)).context["form"]["color"].value()
    assert shown == "#2f9f86"
    page.post(at("tag", actor, tag.pk), {"name": "bill", "color": shown, "description": ""})
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
    assert "1 prompt (old versions count)" in page.get(at("tag", actor, tag.pk)).text
    assert page.post(at("tag-delete", actor, tag.pk)).status_code == 400
    prompts.trash(actor, prompt=first.prompt)
    assert "is deleted" in page.post(at("tag-delete", actor, tag.pk), follow=True).text
    assert not Tag.objects.exists()


def test_a_viewer_sees_tags_and_cannot_change_them(
    client: Client, actor: Actor, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    tag = tags.create(actor, name="invoice")
    text = signed_in(client, member(Role.VIEWER)).get(at("tags", actor)).text
    assert "invoice" in text
    assert tag.pk not in text
    assert "New tag" not in text
