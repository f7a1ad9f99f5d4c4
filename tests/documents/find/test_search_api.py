"""The search over `/v0`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from documents.models import Tag
from documents.types.catalogue import find_type
from documents.types.telling import set_type
from tests.documents.find.searches import add_document

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def search(actor: Actor, api_as: Callable[[Actor], Any]) -> Callable[..., Any]:
    client = api_as(actor)
    return lambda **query: client.get(f"/v0/orgs/{actor.organization.pk}/search", query)


def test_it_answers_documents_with_the_words_boxed(actor: Actor, search: Callable[..., Any]) -> None:
    document = add_document(actor.organization, ["nothing"], ["ACME Fittings", "HRB 4711"], name="scan.pdf")
    answer = search(q="4711").json()
    [result] = answer["results"]
    assert (result["document_id"], result["page_numbers"], answer["total_count"]) == (document.pk, [2], 1)
    [page] = result["pages"]
    [[start, end]] = page["marks"]
    assert page["text"][start:end] == "4711" and page["cite"].endswith(".2.2")
    assert len(page["boxes"]) == 1 and all(0 <= edge <= 1 for edge in page["boxes"][0])


def test_filters_of_the_list_narrow_it(actor: Actor, search: Callable[..., Any]) -> None:
    first, _ = (add_document(actor.organization, ["HRB 4711"], name=name) for name in ("a.pdf", "b.pdf"))
    first.tags.add(Tag.objects.create(organization=actor.organization, name="Legal"))
    set_type(actor, document=first, document_type=find_type(actor.organization, "contract"))
    by_name = {row["document_name"]: row["document_type"] for row in search(q="4711").json()["results"]}
    assert by_name == {"a.pdf": "contract", "b.pdf": None}
    for query in ({"q": "4711", "tag": "Legal"}, {"q": "4711 tag:legal"}, {"tag": "Legal"}):
        assert [result["document_name"] for result in search(**query).json()["results"]] == ["a.pdf"]


@pytest.mark.parametrize(
    "query",
    [
        "x" * 100_000,
        "* * *",
        "-",
        '"',
        "-fittings",
        "tag:nobody",
        "total >",
        ".*",
        "fit" * 150,
        "\0",
        "a " * 21,
        "' OR 1=1 --",
        'NEAR("a" "b")',
        "{terms} : x",
        "(((((",
        "AND OR NOT",
        "zzzz:* & !x",
        "😀",
    ],
)
def test_what_makes_no_sense_gets_a_sentence_or_nothing(actor: Actor, search: Callable[..., Any], query: str) -> None:
    add_document(actor.organization, ["ACME Fittings"])
    answer = search(q=query)
    if answer.status_code == 200:
        assert answer.json()["results"] == []
    elif answer.status_code != 422:
        assert answer.status_code == 400 and answer.json()["detail"].endswith((".", "?"))


def test_a_filter_opens_no_documents_of_others(actor: Actor, stranger: Actor, search: Callable[..., Any]) -> None:
    add_document(actor.organization, ["HRB 4711"], name="own.pdf")
    add_document(stranger.organization, ["HRB 4711"], name="4711.pdf")
    for query in ({"q": "4711", "since": "2020-01-01"}, {"q": "4711 since:2020-01-01"}):
        assert [result["document_name"] for result in search(**query).json()["results"]] == ["own.pdf"]
