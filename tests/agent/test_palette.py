"""Cmd K: what it offers, to whom, and that it costs the same at any size."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from re import findall
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from agent.conversation import threads
from documents.definitions import tags
from documents.find import saved_views
from documents.intake import uploads
from documents.models import Document
from tests.documents.checked_invoice import make_prompt
from tests.page_client import PageClient as Client

SignedIn = Callable[[Client, Actor], Client]
Ask = Callable[..., list[tuple[str, str]]]


@pytest.fixture
def ask(client: Client, signed_in: SignedIn) -> Ask:
    def get(actor: Actor, words: str = "") -> list[tuple[str, str]]:
        """(address, words) of each entry."""
        answer = signed_in(client, actor).get(reverse("palette", args=[actor.organization.pk]), {"q": words})
        assert answer.status_code == 200
        return findall(
            r'href="([^"]*)"[^>]*>.*?<span class="cut">([^<]*)</span>', unescape(answer.text).replace("\n", " ")
        )

    return get


def words_of(entries: list[tuple[str, str]]) -> list[str]:
    return [words for _, words in entries]


def store(actor: Actor, name: str) -> Document:
    return uploads.store(actor, name=name, content=ContentFile(b"Dear Ann", name=name))


def test_it_goes_to_everything_that_has_a_name(ask: Ask, actor: Actor) -> None:
    document = store(actor, "Acme order.txt")
    make_prompt(actor, [])
    tag = tags.create(actor, name="Acme tag")
    saved_views.create(actor, name="Acme view", query="is=waiting")
    thread = threads.create(actor, title="Acme conversation")
    org = actor.organization.pk
    assert dict(ask(actor, "acme")) == {
        reverse("document", args=[org, document.pk]): "Acme order.txt",
        f"/orgs/{org}/documents?is=waiting": "Acme view",
        f"/orgs/{org}/documents?tag={tag.pk}": "Acme tag",
        f"/orgs/{org}/agent/thread?thread={thread.pk}": "Acme conversation",
    }
    assert words_of(ask(actor, "INVOICE")) == ["Invoice", "Invoice"]


def test_documents_of_that_name_come_before_those_with_such_a_tag(ask: Ask, actor: Actor) -> None:
    named, tagged = store(actor, "acme.txt"), store(actor, "other.txt")
    tagged.tags.add(tags.create(actor, name="Acme"))
    assert words_of(ask(actor, "acme"))[:2] == [named.name, tagged.name]


def test_without_words_it_offers_new_documents_pages_and_actions(ask: Ask, actor: Actor) -> None:
    store(actor, "a.txt")
    words = words_of(ask(actor))
    assert words[:2] == ["a.txt", "Documents"] and words[-1] == "New tag"


def test_pages_and_actions_are_those_of_ones_role(ask: Ask, actor: Actor, member: Any) -> None:
    assert words_of(ask(actor, "new sch")) == ["New schema"]
    assert words_of(ask(actor, "trash")) == ["Trash"]
    viewer = member(Role.VIEWER)
    assert words_of(ask(viewer, "new")) == ["New conversation"]
    assert ask(viewer, "trash") == ask(viewer, "audit") == []


def test_nothing_of_others_is_offered(ask: Ask, actor: Actor, member: Any, stranger: Actor) -> None:
    store(actor, "secret.txt")
    threads.create(actor, title="secret thoughts", private=True)
    saved_views.create(actor, name="secret view")
    reviewer = member(Role.REVIEWER)
    assert words_of(ask(reviewer, "secret")) == ["secret.txt"]
    assert ask(stranger, "secret") == []


def test_what_is_no_name_gets_a_sentence(ask: Ask, actor: Actor, client: Client) -> None:
    assert ask(actor, "total > abc") == ask(actor, "x" * 300) == []
    answer = client.get(reverse("palette", args=[actor.organization.pk]), {"q": "<b>"})
    assert "Nothing here is called “&lt;b&gt;”." in answer.text


def test_it_asks_the_database_as_often_however_much_there_is(ask: Ask, actor: Actor) -> None:
    counts = []
    for round_ in range(2):
        for number in range(3):
            store(actor, f"acme {round_} {number}.txt")
            saved_views.create(actor, name=f"acme {round_} {number}")
            tags.create(actor, name=f"acme {round_} {number}")
            threads.create(actor, title=f"acme {round_} {number}")
        ask(actor, "acme")
        with CaptureQueriesContext(connection) as queries:
            ask(actor, "acme")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_what_was_typed_can_be_looked_for_on_all_pages(ask: Ask, actor: Actor, client: Client) -> None:
    ask(actor)
    address = reverse("palette", args=[actor.organization.pk])
    search = reverse("search", args=[actor.organization.pk])
    assert f'href="{search}?q=a%26b"' in client.get(address, {"q": "a&b"}).text
    assert f"{search}?" not in client.get(address).text
