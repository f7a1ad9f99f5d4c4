"""The page on which questions over many documents are asked, and found again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from agent.conversation import threads
from agent.models import Thread, Turn
from documents.models import Document, SavedView, Tag
from tests.documents.reading_rows import document_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def visit(signed_in: Callable[..., Any], actor: Actor) -> Callable[..., str]:
    client = signed_in(Client(), actor)

    def open_page(actor: Actor = actor, headers: dict[str, str] | None = None, **query: str) -> str:
        where = reverse("research", args=[actor.organization.pk])
        answer = signed_in(client, actor).get(where, query, headers=headers or {})
        assert answer.status_code == 200
        return " ".join(answer.content.decode().split())

    return open_page


def ask(actor: Actor, title: str, **more: Any) -> Thread:
    return threads.create(actor, title=title, **more)


def test_it_lists_the_questions_of_everybody_and_no_private_one(
    visit: Callable[..., str], actor: Actor, member: Callable[[Role], Actor], stranger: Actor
) -> None:
    colleague = member(Role.VIEWER)
    for person, title, more in (
        (actor, "Rates of Acme", {}),
        (colleague, "Open invoices", {}),
        (colleague, "Between me and me", {"private": True}),
        (stranger, "Elsewhere", {}),
        (actor, "On one document", {"document": document_with(actor.organization, ["Invoice"])}),
    ):
        ask(person, title, **more)
    page = visit()
    assert "Rates of Acme" in page and "Open invoices" in page
    assert not any(title in page for title in ("Between me and me", "Elsewhere", "On one document"))
    assert "Between me and me" in visit(colleague)


def test_a_search_narrows_the_questions_alone(visit: Callable[..., str], actor: Actor) -> None:
    ask(actor, "Rates of Acme")
    ask(actor, "Open invoices")
    rows = visit(headers={"HX-Request": "true"}, q="rates")
    assert "Rates of Acme" in rows and "Open invoices" not in rows and "<html" not in rows


def test_tags_and_saved_filters_are_offered_as_scopes_that_the_server_takes(
    visit: Callable[..., str], signed_in: Callable[..., Any], actor: Actor
) -> None:
    tag = Tag.objects.create(organization=actor.organization, name="Contracts")
    SavedView.objects.create(organization=actor.organization, name="Unpaid", query="state=extracted")
    page = visit()
    assert "<b>Contracts</b><small>Tag</small>" in page and "<b>Unpaid</b><small>Saved filter</small>" in page
    assert page.index("<b>Unpaid") < page.index("<b>Contracts")
    offered = {"query": f"tag={tag.pk}"}
    assert json.dumps(offered).replace('"', "&quot;") in page
    sent = {"text": "What is due?", "scope": json.dumps(offered), "about": json.dumps(offered)}
    client = signed_in(Client(), actor)
    assert client.post(reverse("agent-begin", args=[actor.organization.pk]), sent).status_code == 200
    turn = Turn.objects.get()
    assert turn.scope == offered
    again = client.get(reverse("agent-thread", args=[actor.organization.pk]), {"thread": turn.thread_id})
    assert "data-picked>Contracts</span>" in " ".join(again.content.decode().split())


def test_a_document_leads_to_questions_across_documents(
    signed_in: Callable[..., Any], actor: Actor, document: Document
) -> None:
    tab = signed_in(Client(), actor).get(reverse("document-agent", args=[actor.organization.pk, document.pk]))
    assert reverse("research", args=[actor.organization.pk]) in tab.content.decode()
    assert "Ask across documents" in " ".join(tab.content.decode().split())
