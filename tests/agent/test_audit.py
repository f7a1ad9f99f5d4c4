from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from accounts.services import audit
from agent.audit import trail
from agent.audit.trail import AuditFilter
from agent.calls import execution
from agent.models import ToolCall
from documents.models import Document, Prompt, PromptRevision, Proposal
from tests.agent.decision_rows import say

pytestmark = pytest.mark.servers

Propose = Callable[..., list[ToolCall]]
SignedIn = Callable[[Client, Actor], Client]


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def at(actor: Actor, name: str = "audit") -> str:
    return reverse(name, args=[actor.organization.pk])


def ran(actor: Actor, propose: Propose) -> ToolCall:
    (call,) = propose(("note", {"text": "hello"}))
    say(actor, call)
    execution.execute(call.pk, holder="test")
    return call


def read_export(page: Client, actor: Actor, query: str = "") -> list[dict[str, str]]:
    answer: Any = page.get(f"{at(actor, 'audit-export')}?{query}")

    async def whole() -> bytes:
        return b"".join([piece async for piece in answer.streaming_content])

    return list(csv.DictReader(io.StringIO(async_to_sync(whole)().decode())))


@pytest.mark.django_db(transaction=True)
def test_what_the_agent_did_names_its_call_and_who_approved_it(actor: Actor, propose: Propose, page: Client) -> None:
    call = ran(actor, propose)
    noted, approved = (AuditEntry.objects.get(action=action) for action in ("noted", "approved"))
    assert (noted.call_id, noted.origin, approved.target_id) == (call.pk, "agent_approved", call.pk)
    html = page.get(at(actor)).text
    assert "Agent, approved by a person" in html and "Write a note" in html
    assert ">Shown</h3>" in html and ">Ran</h3>" in html and "hello" in html
    rows = {row["action"]: row for row in read_export(page, actor)}
    assert '"text": "hello"' in rows["noted"]["ran"] and rows["noted"]["who"] == actor.user.shown_name


@pytest.mark.django_db(transaction=True)
def test_what_a_mode_allowed_says_which(actor: Actor, propose: Propose, page: Client) -> None:
    (call,) = propose(("note", {"text": "hello"}), mode="auto")
    execution.execute(call.pk, holder="test")
    assert "Agent, allowed by mode auto" in page.get(f"{at(actor)}?text=noted").text


def test_filters_narrow_the_page_and_the_file_alike(actor: Actor, page: Client, document: Document) -> None:
    audit.record(actor, "read again", document)
    audit.record(actor, "renamed", actor.organization)
    audit.record_outside(None, "swept", actor.organization, organization=actor.organization)
    day = AuditEntry.objects.latest("created_at").created_at.date()
    for query, actions in {
        "text=renam": ["renamed"],
        "origin=system": ["swept"],
        "kind=thread": [],
        f"text={document.name.upper()}": ["read again"],
        "since=2999-01-01": [],
        f"user_id={actor.user.pk}&text=renamed&since={day}&until={day}": ["renamed"],
    }.items():
        assert [row["action"] for row in read_export(page, actor, query)] == actions, query
        assert ("No entries match these filters." in page.get(f"{at(actor)}?{query}").text) == (not actions)


def test_a_filter_that_is_no_date_is_named(actor: Actor, page: Client) -> None:
    answer = page.get(f"{at(actor)}?since=yesterday")
    assert answer.status_code == 400 and "The filter since cannot be used" in answer.text


def test_pages_follow_each_other_without_gaps_or_doubles(actor: Actor, page: Client, stranger: Actor) -> None:
    AuditEntry.objects.all().delete()
    entries = [audit.record(actor, f"act {number}", actor.organization) for number in range(250)]
    AuditEntry.objects.filter(pk__in=[row.pk for row in entries[:120]]).update(created_at=entries[0].created_at)
    audit.record(stranger, "elsewhere", stranger.organization)
    seen: list[str] = []
    address = at(actor)
    while True:
        context = page.get(address).context
        seen += [line.entry.pk for row in context["rows"] for line in row.lines]
        if not context["older"]:
            break
        address = f"{at(actor)}?before={context['older']}"
    assert sorted(seen) == sorted(row.pk for row in entries) and len(set(seen)) == 250
    assert len(read_export(page, actor)) == 250


def test_a_cell_is_text_and_no_formula(actor: Actor, page: Client) -> None:
    audit.record(actor, "=1+1", actor.organization)
    assert read_export(page, actor, "text=1%2B1")[0]["action"] == "'=1+1"


def test_a_page_of_entries_takes_as_many_queries_as_one(actor: Actor, propose: Propose) -> None:
    def count(entries: list[AuditEntry]) -> int:
        with CaptureQueriesContext(connection) as seen:
            trail.build_lines(entries)
        return len(seen)

    propose(("note", {"text": "a"}), ("note", {"text": "b"}))
    for call in ToolCall.objects.all():
        audit.record(actor, "looked", call)
    rows = list(trail.list_entries(actor, AuditFilter(text="looked")))
    assert count(rows) == count(rows[:1])


def test_what_was_rejected_says_that_it_was_only_asked_for_and_why(
    actor: Actor, propose: Propose, page: Client
) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    say(actor, call, "rejected", reason="Not this one.")
    html = page.get(f"{at(actor)}?text=rejected&kind=tool+call").text
    assert "Asked for (rejected)</h3>" in html and "“Not this one.”" in html and ">Ran</h3>" not in html


def test_a_proposal_is_named_and_found_by_its_kind(actor: Actor, document: Document, page: Client) -> None:
    prompt = Prompt.objects.create(organization=actor.organization, name="Cash receipt", created_by=actor.user)
    revision = PromptRevision.objects.create(prompt=prompt, number=1, content="x", created_by=actor.user)
    offer = Proposal.objects.create(organization=actor.organization, lead=document, prompt_revision=revision)
    audit.record(actor, "rejected", offer)
    html = page.get(f"{at(actor)}?kind=proposal").text
    assert f'{reverse("document-agent", args=[actor.organization.pk, document.pk])}">Cash receipt</a>' in html


def test_admins_find_it_from_the_settings_whose_place_in_the_navigation_it_shares(
    actor: Actor, member: Callable[[Role], Actor], page: Client, client: Client, signed_in: SignedIn
) -> None:
    for name in ("audit", "rules", "agent-settings", "settings"):
        assert re.search(r'title="Settings" aria-current="page"', page.get(at(actor, name)).text), name
    assert at(actor) in page.get(at(actor, "settings")).text
    assert at(actor) not in signed_in(client, member(Role.BUILDER)).get(at(actor, "settings")).text


@pytest.mark.parametrize("day", ["0001-01-01", "1969-12-31", "3000-01-01", "9999-12-31"])
@pytest.mark.parametrize("name", ["since", "until"])
@pytest.mark.parametrize("route", ["audit", "audit-export"])
def test_it_says_that_a_day_is_out_of_range(page: Client, actor: Actor, route: str, name: str, day: str) -> None:
    answer = page.get(at(actor, route), {name: day})
    assert answer.status_code == 400
    assert f"The filter {name} cannot be used" in answer.text
