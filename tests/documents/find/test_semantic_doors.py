"""Searches by meaning through `/v0`, the page and a conversation, where an embedding model is set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from accounts.actor import Actor
from documents.index.vectors import query_vectors
from documents.models import QueryVector
from tests.documents.index.vectors.embedded import MODEL, add, keep_query
from tests.page_client import PageClient

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def car(actor: Actor, settings: Any) -> None:
    settings.EMBEDDING_MODEL = MODEL
    add(actor.organization, ["page one"], ["nothing", "the automobile is red"], name="car.pdf")
    keep_query(actor.organization, "vehicle")


@pytest.fixture
def never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is there."""
    monkeypatch.setattr(query_vectors, "WAIT_SECONDS", 0)


@pytest.fixture
def page(client: PageClient, actor: Actor) -> Callable[..., str]:
    client.force_login(actor.user)
    address = reverse("search", args=[actor.organization.pk])
    return lambda query, **more: client.get(address, {"q": query}, **more).text


def search_api(api_as: Callable[[Actor], Any], actor: Actor, **query: str) -> Any:
    return api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/search", query).json()


def test_the_api_says_how_it_was_found(api_as: Callable[[Actor], Any], actor: Actor) -> None:
    answer = search_api(api_as, actor, q="vehicle")
    [result] = answer["results"]
    assert (result["found_by"], result["page_numbers"], answer["note"]) == (["meaning"], [2], "")
    [part] = result["pages"]
    assert part["by_meaning"] and part["text"] == "the automobile is red" and part["cite"].endswith(".2.2")
    assert len(part["boxes"]) == 1


def test_the_api_says_why_words_alone_were_searched(
    api_as: Callable[[Actor], Any], actor: Actor, never_waits: None
) -> None:
    answer = search_api(api_as, actor, q="red")
    assert [result["found_by"] for result in answer["results"]] == [["words"]]
    assert answer["note"] == query_vectors.TOO_SLOW


@pytest.mark.parametrize("query", [{"q": '"red"'}, {"q": "red", "typing": "true"}, {"q": "4711"}])
def test_an_exact_search_asks_no_model(query: dict[str, str], api_as: Callable[[Actor], Any], actor: Actor) -> None:
    assert search_api(api_as, actor, **query)["note"] == "" and QueryVector.objects.count() == 1


def test_the_page_leads_to_the_place(page: Callable[..., str]) -> None:
    text = page("vehicle")
    assert "the automobile is red" in text and "Page 2, by meaning" in text and ".2.2" in text


def test_while_typing_words_alone_are_searched_and_the_way_to_more_is_shown(page: Callable[..., str]) -> None:
    text = page("red", headers=HTMX)
    assert "car.pdf" in text and "searches by meaning as well" in text and QueryVector.objects.count() == 1


def test_what_was_searched_a_moment_ago_stays_while_the_page_is_refreshed(page: Callable[..., str]) -> None:
    text = page("vehicle", headers=HTMX)
    assert "by meaning" in text and "searches by meaning as well" not in text


def test_without_a_model_the_page_speaks_of_none(page: Callable[..., str], settings: Any) -> None:
    settings.EMBEDDING_MODEL = ""
    assert "meaning" not in page("red", headers=HTMX) and "meaning" not in page("red")


def test_the_page_says_why_words_alone_were_searched(page: Callable[..., str], never_waits: None) -> None:
    assert query_vectors.TOO_SLOW in page("red")
