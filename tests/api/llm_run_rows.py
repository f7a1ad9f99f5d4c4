"""A document and a prompt for runs over /v0."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from documents.models import Document, PromptRevision
from tests.conftest import ApiClient
from tests.documents.extraction_rows import PAGE, make_prompt
from tests.documents.reading_rows import document_with


@pytest.fixture
def document(actor: Actor) -> Document:
    return document_with(actor.organization, PAGE, user=actor.user)


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    return make_prompt(actor)


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def path(document: Document, prompt: PromptRevision) -> str:
    return f"/v0/orgs/{document.organization_id}/llm/run/{document.pk}?prompt_revid={prompt.pk}"
