"""The page of a new question: before there is anything to ask about, and with a message of any length."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.models import Message, Thread
from documents.definitions import schemas
from tests.agent.research.test_research_page import answer, show, visit  # noqa: F401 - one is a fixture
from tests.documents.checked_invoice import make_prompt, store_invoice
from tests.documents.reading_rows import document_with

pytestmark = pytest.mark.django_db


def test_without_documents_it_says_so_and_leads_to_them(visit: Callable[..., str], actor: Actor) -> None:
    assert "No documents yet" in visit()
    document_with(actor.organization, ["Invoice 7"])
    assert "No documents yet" not in visit()


def test_a_message_of_any_length_is_sent_and_refused_by_a_sentence_not_cut(
    visit: Callable[..., str], signed_in: Callable[..., Any], actor: Actor
) -> None:
    assert "maxlength" not in visit().split('id="say"')[1].split(">")[0]
    begin, client = reverse("agent-begin", args=[actor.organization.pk]), signed_in(Client(), actor)
    refused = client.post(begin, {"text": "x" * 50_001}, headers={"HX-Request": "true"})
    assert refused.status_code == 400 and "50001 characters; 50000 is the most" in refused.content.decode()
    assert client.post(begin, {"text": "roof " * 9_000}).status_code == 200
    page = show(signed_in, actor, Thread.objects.get())
    assert 'class="user-text user-long"' in page and 'tabindex="0"' in page


def test_an_answer_that_was_stopped_names_no_lines(signed_in: Callable[..., Any], actor: Actor) -> None:
    thread = answer(actor, "It is 39.80 [D1:1.2]. And the")
    Message.objects.filter(role="assistant").update(complete=False)
    page = show(signed_in, actor, thread)
    assert "It is 39.80" in page and "D1:1.2" not in page and "Stopped here." in page


def test_a_new_question_is_suggested_from_ones_own_schemas(
    visit: Callable[..., str], actor: Actor, stranger: Actor, settings: Any
) -> None:
    texts: dict[str, Any] = {"name": {"type": "string"}}
    days = {"due_on": {"type": "string", "format": "date"}}
    numbers = {"net": {"type": ["number", "null"]}, "total": {"type": "number", "title": "Total <b>"}}
    for owner, name, properties in (
        (actor, "Letter", texts),
        (actor, "Lease", texts | days),
        (actor, "Invoice", numbers | texts | days),
        (
            actor,
            "Empty",
            {"rows": {"type": "array", "items": {"type": "object", "properties": texts, "required": ["name"]}}},
        ),
        (stranger, "Secret", numbers),
    ):
        schema = {"type": "object", "properties": properties, "additionalProperties": False}
        form = {"type": "json_schema", "json_schema": {"name": name.lower(), "schema": schema}}
        schemas.create(owner, name=name, response_format=form, descriptions=False)
    settings.DEFAULT_MODEL = "openai/some"
    page = visit()
    assert "What is the sum of “Total &lt;b&gt;” over all Invoice documents?" in page
    assert "Which Lease documents have a “Due on” this month?" in page
    assert "Which values does “Name” have in the Letter documents?" in page
    assert "Secret" not in page and "Empty" not in page
    settings.DEFAULT_MODEL = "offline/rules"
    assert "over all Invoice documents" not in visit() and "Which schemas and prompts" not in visit()


def test_what_the_offline_model_cannot_answer_of_many_documents_their_list_does(
    visit: Callable[..., str], actor: Actor
) -> None:
    store_invoice(actor, make_prompt(actor, []), "a.pdf")
    page = visit()
    assert "Show Invoice documents" in page and "Which documents have Subtotal over 10?" in page
