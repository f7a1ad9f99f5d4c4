"""Who verifies which document: seen by others, and not handed to two people."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.actor import Actor
from accounts.models import Role
from documents.models import Document
from documents.review import presence
from tests.documents.review.review_rows import HTMX, address_of, make_documents, verify_address

SignedIn = Callable[[Client, Actor], Client]


@pytest.fixture
def ann(member: Callable[..., Actor]) -> Actor:
    return member(Role.REVIEWER, "ann@acme.example")


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


@pytest.fixture
def page_of_ann(ann: Actor, signed_in: SignedIn) -> Client:
    return signed_in(Client(), ann)


@pytest.fixture
def documents(actor: Actor) -> list[Document]:
    return make_documents(actor, ["a.txt", "b.txt", "c.txt"])


def test_another_sees_who_is_there_until_the_page_closes(
    page: Client, page_of_ann: Client, documents: list[Document]
) -> None:
    here = address_of("document-presence", documents[0])
    assert " hidden" in page_of_ann.post(here).text
    assert "Ann verifies this" in page.get(address_of("document", documents[0])).text
    assert "Ann verifies this" in page.post(here).text
    assert page_of_ann.post(here, {"leaving": "1"}).status_code == 204
    assert "Ann verifies this" not in page.post(here).text
    # Who was second is the one who is there now.
    assert "Admin verifies this" in page_of_ann.post(here).text


def test_a_second_person_neither_drives_the_first_away_nor_frees_the_document(
    actor: Actor, ann: Actor, documents: list[Document]
) -> None:
    key = documents[0].pk
    assert presence.claim(ann, key) and not presence.claim(actor, key)
    presence.release(actor, key)
    assert presence.find_others(actor, [key]) == {key: "Ann"}


def test_next_hands_each_document_to_one_person(page: Client, page_of_ann: Client, documents: list[Document]) -> None:
    first, second, third = documents
    assert page_of_ann.get(address_of("document-next", first)).url == address_of("document", second)
    assert page.get(address_of("document-next", first)).url == address_of("document", third)
    # The same person gets the same one again.
    assert page_of_ann.get(address_of("document-next", first)).url == address_of("document", second)


def test_verifying_hands_out_what_nobody_else_is_at(page: Client, ann: Actor, documents: list[Document]) -> None:
    first, second, third = documents
    presence.claim(ann, second.pk)
    answer = page.post(verify_address(first), {"on": "true", "next": "1"}, headers=HTMX)
    assert answer.headers["HX-Redirect"].startswith(address_of("document", third))


def test_of_many_at_once_no_two_get_the_same(actor: Actor, member: Callable[..., Actor]) -> None:
    people = [member(Role.REVIEWER, f"p{number}@acme.example") for number in range(6)]
    ids = [f"{number:024x}" for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        handed = list(pool.map(lambda person: presence.hand_out(person, ids), people))
    assert sorted(filter(None, handed)) == ids


def test_only_time_with_the_page_in_sight_counts(actor: Actor, documents: list[Document]) -> None:
    key = documents[0].pk
    presence.claim(actor, key)
    _age(key, 5)
    presence.claim(actor, key)
    _age(key, 3600)
    assert presence.release(actor, key) == pytest.approx(5 + 30, abs=1)
    assert presence.find_others(actor, [key]) == {}


def test_a_viewer_is_not_at_a_document(
    client: Client, member: Callable[[Role], Actor], signed_in: SignedIn, documents: list[Document]
) -> None:
    viewer = signed_in(client, member(Role.VIEWER))
    assert viewer.post(address_of("document-presence", documents[0])).status_code == 403
    assert "data-presence" not in viewer.get(address_of("document", documents[0])).text


def _age(document_id: str, seconds: float) -> None:
    """As if the last sign had come so long ago."""
    key = f"review:{document_id}"
    kept = cache.get(key)
    cache.set(key, {**kept, "seen_at": kept["seen_at"] - seconds}, presence.KEPT_SECONDS)
