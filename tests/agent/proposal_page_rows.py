"""A proposal with its document, and the pages that show it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from agent.models import Thread, Turn
from documents.definitions import prompts, schemas
from documents.models import (
    AutoSetup,
    Document,
    Extraction,
    PromptRevision,
    Proposal,
    Reading,
)
from tests.page_client import PageClient

HTMX = {"HTTP_HX_REQUEST": "true"}


FIELD = {"type": "string", "description": "As printed"}


FORMAT = {
    "type": "json_schema",
    "json_schema": {"name": "invoice", "schema": {"type": "object", "properties": {"total": FIELD, "number": FIELD}}},
}


Client_ = Callable[[Actor], PageClient]


@pytest.fixture
def browse() -> Client_:
    def open_client(actor: Actor) -> PageClient:
        client = PageClient()
        client.force_login(actor.user)
        return client

    return open_client


def address(name: str, actor: Actor, *ids: str) -> str:
    return reverse(name, args=(actor.organization.pk, *ids))


def document_of(actor: Actor, name: str = "a.pdf") -> Document:
    document = Document.objects.create(
        organization=actor.organization,
        name=name,
        sha256="0" * 64,
        size=1,
        media_type="application/pdf",
        file="none",
        state=Document.State.LLM_COMPLETED,
        uploaded_by=actor.user,
        uploaded_by_name=actor.user.shown_name,
    )
    Reading.objects.create(document=document, number=1, status="completed", page_count=1, pages_read=1, pages_listed=1)
    return document


def create_extraction(document: Document, revision: PromptRevision) -> Extraction:
    values = {"total": "80.90", "number": "A-1"}
    provenance = {"total": {"state": "exact", "boxes": [[1, 0.1, 0.1, 0.2, 0.2]]}, "number": {"state": "not_located"}}
    return Extraction.objects.create(
        document=document,
        prompt_revision=revision,
        schema_revision=revision.schema_revision,
        number=1,
        status="completed",
        reading=document.readings.get(),
        model="offline/rules",
        raw={},
        result=values,
        current=values,
        provenance=provenance,
        coverage=[1],
    )


@pytest.fixture
def auto(actor: Actor) -> AutoSetup:
    """A document whose setup left a proposal."""
    document = document_of(actor)
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT, proposed=True)
    prompt = prompts.create(actor, name="Read an invoice", content="Take it.", schema_revision=schema, proposed=True)
    created = {
        "schemas": [schema.schema_id],
        "prompts": [prompt.prompt_id],
        "schema_revisions": [schema.pk],
        "prompt_revisions": [prompt.pk],
    }
    proposal = Proposal.objects.create(
        organization=actor.organization,
        status="proposed",
        lead=document,
        schema_revision=schema,
        prompt_revision=prompt,
        created_ids=created,
    )
    thread = Thread.objects.create(organization=actor.organization, document=document, owner=actor.user, title="Setup")
    turn = Turn.objects.create(
        thread=thread,
        number=1,
        model="none",
        max_rounds=10,
        limit_micros=1,
        status="completed",
        origin="headless",
        code_version="test",
        spent_micros=12_000,
        round=4,
        finished_at=timezone.now() + timedelta(seconds=38),
    )
    return AutoSetup.objects.create(
        document=document,
        status="proposed",
        proposal=proposal,
        requested_by=actor.user,
        thread_id=thread.pk,
        turn_id=turn.pk,
        extraction=create_extraction(document, prompt),
    )


def post(browse: Client_, actor: Actor, name: str, row: str, **sent: Any) -> tuple[int, str]:
    answer = browse(actor).post(address(name, actor, row), sent, **HTMX)
    return answer.status_code, " ".join(answer.content.decode().split())
