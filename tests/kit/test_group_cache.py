"""What is remembered of an organization, and when it counts no more. Fast reads outside a transaction, so rows commit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.test import override_settings

from accounts.actor import Actor
from documents import document_changes
from documents.catalog import state
from documents.definitions import tags
from documents.intake import uploads
from documents.models import Document, Reading
from tests.conftest import ApiClient

READ = '{"items": [{"field": "state", "operator": "equals", "value": "ocr_completed"}]}'
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("empty_cache"), pytest.mark.servers]


@pytest.fixture
def total(api_as: Callable[[Actor], ApiClient], actor: Actor) -> Callable[..., int]:
    """`total(**query)`: how many documents the list says there are."""
    client = api_as(actor)

    def ask(**query: str) -> int:
        return int(client.get(f"/v0/orgs/{actor.organization.pk}/documents", query).json()["total_count"])

    return ask


def _behind_the_services(actor: Actor, name: str) -> None:
    Document.objects.create(organization=actor.organization, name=name, sha256="", size=1, file="none")


def _read(document: Document) -> None:
    Reading.objects.filter(document=document).update(
        status=Reading.Status.COMPLETED, page_count=1, pages_read=1, pages_listed=1
    )
    state.refresh(document.pk)


def _store(actor: Actor, name: str) -> Document:
    return uploads.store(actor, name=name, content=ContentFile(name.encode()))


def test_a_list_is_counted_once_until_something_changes(actor: Actor, total: Callable[..., int]) -> None:
    document = _store(actor, "a.txt")
    assert total() == total(name_search="a") == 1
    _behind_the_services(actor, "ab.txt")
    assert total() == total(name_search="a") == 1
    document_changes.rename(actor, document=document, name="c.txt")
    assert (total(), total(name_search="a")) == (2, 1)


def test_every_change_of_a_document_is_counted_at_once(actor: Actor, total: Callable[..., int]) -> None:
    one, other, tag = _store(actor, "one.txt"), _store(actor, "other.txt"), tags.create(actor, name="urgent")
    changes: list[tuple[dict[str, str], int, Callable[[], object]]] = [
        ({}, 1, lambda: _store(actor, "new.txt")),
        ({}, -1, lambda: document_changes.trash(actor, document=other)),
        ({}, 1, lambda: document_changes.restore(actor, document=other)),
        ({"name_search": "two"}, 1, lambda: document_changes.rename(actor, document=one, name="two.txt")),
        ({"tag_ids": tag.pk}, 1, lambda: document_changes.update(actor, document=one, tag_ids=[tag.pk])),
        ({"metadata_search": "k=v"}, 1, lambda: document_changes.update(actor, document=one, metadata={"k": "v"})),
        ({"filters": READ}, 1, lambda: _read(one)),
    ]
    for filters, difference, act in changes:
        before = total(**filters)
        act()
        assert total(**filters) == before + difference


def test_organizations_remember_apart(
    actor: Actor, stranger: Actor, api_as: Callable[[Actor], ApiClient], total: Callable[..., int]
) -> None:
    _store(actor, "a.txt")
    theirs = api_as(stranger)
    path = f"/v0/orgs/{stranger.organization.pk}/documents"
    assert (total(), theirs.get(path).json()["total_count"]) == (1, 0)
    _store(stranger, "b.txt")
    _behind_the_services(actor, "c.txt")
    assert (total(), theirs.get(path).json()["total_count"]) == (1, 1)


def test_a_lost_cache_costs_a_count_only(actor: Actor, total: Callable[..., int]) -> None:
    _store(actor, "a.txt")
    assert total() == 1
    _behind_the_services(actor, "b.txt")
    cache.clear()
    assert total() == 2


def test_lists_are_right_while_redis_is_away(actor: Actor, total: Callable[..., int]) -> None:
    _store(actor, "a.txt")
    away = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}}
    with override_settings(CACHES=away):
        assert total() == 1
        _store(actor, "b.txt")
        assert total() == 2
