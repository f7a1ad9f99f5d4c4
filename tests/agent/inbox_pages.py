"""Rows that wait in the inbox, and its page as a browser reads it."""

from __future__ import annotations

import re
from typing import Any

from accounts.actor import Actor
from agent.conversation import threads
from agent.models import Thread, ToolCall, Turn
from documents.models import (
    AutoSetup,
    Document,
    Prompt,
    PromptRevision,
    Proposal,
)
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import Propose
from tests.agent.test_pages import address, as_member, browser, decision  # noqa: F401 - browser is a fixture
from tests.page_client import PageClient

NOTE = ("note", {"text": "hello"})


def read_inbox(client: PageClient, actor: Actor, query: str = "") -> str:
    return client.get(f"{address('inbox', actor)}?{query}").content.decode()


def keys(html: str) -> list[str]:
    return re.findall(r'id="row-([a-z]+-\w+)"', html)


def badge(client: PageClient, actor: Actor) -> str:
    html = client.get(address("inbox-count", actor)).content.decode()
    return "" if " hidden" in html else re.sub(r"<span class=\"sr\">.*?</span>|<[^>]+>", "", html).strip()


def create_failed_document(actor: Actor, state: str = Document.State.OCR_FAILED, **facts: Any) -> Document:
    return Document.objects.create(
        organization=actor.organization,
        name=facts.pop("name", "broken.pdf"),
        sha256="1" * 64,
        size=1,
        file="none",
        media_type="application/pdf",
        state=state,
        state_reason="The file ends in the middle.",
        **facts,
    )


def create_proposal(actor: Actor, lead: Document) -> Proposal:
    prompt = Prompt.objects.create(organization=actor.organization, name="Cash receipt", created_by=actor.user)
    revision = PromptRevision.objects.create(
        prompt=prompt, number=1, content="Read it.", status="proposed", created_by=actor.user
    )
    proposal = Proposal.objects.create(
        organization=actor.organization, status="proposed", lead=lead, prompt_revision=revision
    )
    AutoSetup.objects.create(document=lead, status="proposed", proposal=proposal, requested_by=actor.user)
    return proposal


def create_paused_turn(thread: Thread, why: str = Turn.Pause.BUDGET, **facts: Any) -> Turn:
    return Turn.objects.create(
        thread=thread,
        number=thread.turns.count() + 1,
        status=Turn.Status.PAUSED,
        pause_reason=why,
        model="none",
        reason="The turn paused at $1.00.",
        max_rounds=10,
        limit_micros=1_000_000,
        spent_micros=1_000_000,
        code_version="test",
        started_by=thread.owner,
        **facts,
    )


def each_kind(actor: Actor, document: Document, propose: Propose) -> dict[str, str]:
    """One of each that waits: kind to key, in the order of the page."""
    (card,) = propose(NOTE)
    (doubt,) = propose_all(threads.create(actor, document=document), ("send", {"to": "x"}))
    ToolCall.objects.filter(pk=doubt.pk).update(status=ToolCall.Status.IN_DOUBT)
    turn = create_paused_turn(threads.create(actor, document=document))
    rows = {
        "card": card,
        "proposal": create_proposal(actor, document),
        "doubt": doubt,
        "paused": turn,
        "unread": create_failed_document(actor),
    }
    return {kind: f"{kind}-{row.pk}" for kind, row in rows.items()}
