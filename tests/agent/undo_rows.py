"""A document with an extraction, and calls of the agent on it to undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Organization
from agent.calls import execution
from agent.conversation import threads
from agent.models import Thread, ToolCall, Turn
from agent.toolkit.registry import Registry
from documents import extractions
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft
from documents.models import Document, Extraction, PromptRevision, Reading
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say

Act = Callable[..., ToolCall]


SCHEMA = {
    "type": "json_schema",
    "json_schema": {
        "name": "invoice",
        "schema": {
            "type": "object",
            "properties": {
                "vendor": {"type": "string", "description": "Who sends it."},
                "total": {"type": "number", "description": "What is to be paid."},
            },
        },
    },
}


@pytest.fixture
def document(organization: Organization) -> Document:
    document = Document.objects.create(
        organization=organization,
        name="invoice.pdf",
        sha256="0" * 64,
        size=1,
        media_type="application/pdf",
        file="none",
    )
    Reading.objects.create(document=document, number=1, status="completed", page_count=1, pages_read=1, pages_listed=1)
    return document


@pytest.fixture
def thread(actor: Actor, document: Document, tools: Registry) -> Thread:
    return threads.create(actor, document=document)


@pytest.fixture
def act(actor: Actor, thread: Thread) -> Act:
    """`act("update_extraction_field", path=…)`: the call, approved, after it ran."""

    def run(name: str, /, **arguments: Any) -> ToolCall:
        (call,) = propose_all(Thread.objects.get(pk=thread.pk), (name, arguments))
        if call.status == "pending":
            say(actor, call)
        execution.execute(call.pk, holder="test")
        call.refresh_from_db()
        assert call.status == "succeeded", call.result
        Turn.objects.filter(pk=call.turn_id).update(status="completed")
        return call

    return run


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    schema = schemas.create(actor, name="Invoice", response_format=SCHEMA)
    return prompts.create(actor, name="Invoice", content="Read it.", schema_revision=schema)


def run_of(actor: Actor, document: Document, prompt: PromptRevision, **values: Any) -> Extraction:
    draft = ExtractionDraft(
        document_id=document.pk,
        reading_id=document.readings.get().pk,
        prompt_revision_id=prompt.pk,
        schema_revision_id=prompt.schema_revision_id,
        model="none",
        raw="",
        result=values,
        provenance={},
        coverage=[1],
        page_count=1,
    )
    return extractions.store(actor, draft=draft)


@pytest.fixture
def extraction(actor: Actor, document: Document, prompt: PromptRevision) -> Extraction:
    return run_of(actor, document, prompt, vendor="Tools", total=2)


def vendor(extraction: Extraction) -> Any:
    extraction.refresh_from_db()
    return extraction.current["vendor"]
