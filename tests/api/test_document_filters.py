"""The list of documents under `/v0`, narrowed and sorted as the page is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from tests.conftest import ApiClient
from tests.documents.checked_invoice import make_prompt, store_invoice

pytestmark = pytest.mark.servers

Ask = Callable[..., Any]


@pytest.fixture
def ask(actor: Actor, api_as: Callable[[Actor], ApiClient]) -> Ask:
    prompt = make_prompt(actor, [])
    for name, total in (("a.pdf", "42.00"), ("b.pdf", "1200.50"), ("c.pdf", "7.00")):
        store_invoice(actor, prompt, name, total=total)
    client = api_as(actor)
    return lambda **query: client.get(f"/v0/orgs/{actor.organization.pk}/documents", query)


def names(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [document["document_name"] for document in answer.json()["documents"]]


def test_documents_are_found_by_values_and_sorted_by_them(ask: Ask) -> None:
    assert names(ask(value="total > 10")) == ["b.pdf", "a.pdf"]
    assert names(ask(value="total > 0", order_by="value")) == ["c.pdf", "a.pdf", "b.pdf"]
    assert names(ask(value="total > 0", order_by="value", skip=1, limit=1)) == ["a.pdf"]
    assert names(ask(value=["total > 10", "total < 100"])) == ["a.pdf"]
    assert names(ask(q="is:waiting c", order_by="name")) == ["c.pdf"]


def test_it_says_what_is_wrong_with_a_filter(ask: Ask) -> None:
    answer = ask(value="total >")
    assert answer.status_code == 400
    sentence = "“total >” lacks a value. Write one after the sign, such as total > 1000, or “is empty”."
    assert answer.json()["detail"] == sentence


def test_a_request_over_many_takes_the_text_of_the_box(actor: Actor, api_as: Any, ask: Ask) -> None:
    path = f"/v0/orgs/{actor.organization.pk}/ocr/bulk-analyze"
    sent = {"mode": "all", "document_filters": {"q": "total > x"}}
    assert api_as(actor).post(path, sent).status_code == 400
