"""The published Python client against a real server: every method of its llm module, a worker beside, no key needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from docrouter_sdk import DocRouterClient

from accounts.actor import Actor
from accounts.services import tokens
from documents import extractions
from documents.models import Document, LanguageModel, PromptRevision
from tests.documents.extraction_rows import make_prompt
from tests.documents.reading_rows import document_with
from tests.worker_thread import keep_working

PAGE = ["Acme Supplies Ltd", "Invoice number: INV-7", "Grand total: 30.50"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def document(actor: Actor) -> Document:
    return document_with(actor.organization, PAGE, user=actor.user)


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    return make_prompt(actor)


@pytest.fixture
def worker(db: None, settings: Any) -> Iterator[None]:
    settings.RUN_WAIT_SECONDS = 600  # a busy machine takes its time
    with keep_working(lambda: extractions.run_next(holder="test")):
        yield


@pytest.fixture
def client(actor: Actor, live_server) -> Iterator[DocRouterClient]:
    _, secret = tokens.create(actor.user, name="Client")
    new_client = DocRouterClient(base_url=live_server.url, api_token=secret)
    yield new_client
    new_client.session.close()


def test_it_runs_reads_corrects_and_deletes(
    client: DocRouterClient, worker: None, actor: Actor, document: Document, prompt: PromptRevision
) -> None:
    at = (actor.organization.pk, document.pk)
    ran = client.llm.run(*at, prompt_revid=prompt.pk)
    assert ran.status == "success"
    assert ran.result["number"] == "INV-7"
    assert client.llm.run(*at, prompt_revid=prompt.pk).result == ran.result
    result = client.llm.get_result(*at, prompt_revid=prompt.pk)
    assert (result.prompt_id, result.document_id, result.is_edited) == (prompt.prompt_id, document.pk, False)
    corrected = {**result.updated_llm_result, "number": "INV-8"}
    changed = client.llm.update_result(*at, corrected, prompt_revid=prompt.pk, is_verified=True)
    assert (changed.updated_llm_result, changed.is_edited, changed.is_verified) == (corrected, True, True)
    assert changed.updated_at > changed.created_at
    again = client.llm.run(*at, prompt_revid=prompt.pk, force=True)
    assert again.result == corrected
    assert client.llm.delete_result(*at, prompt_revid=prompt.pk)["status"] == "success"
    with pytest.raises(Exception, match=r"API Error \(404\): LLM result not found"):
        client.llm.get_result(*at, prompt_revid=prompt.pk)


def test_its_own_defaults_summarize(client: DocRouterClient, worker: None, actor: Actor, document: Document) -> None:
    at = (actor.organization.pk, document.pk)
    assert "text" in client.llm.run(*at).result
    assert client.llm.get_result(*at, fallback=True).prompt_id == "default"


def test_it_takes_a_run_that_goes_on_for_no_result(
    client: DocRouterClient, actor: Actor, document: Document, prompt: PromptRevision, settings: Any
) -> None:
    settings.RUN_WAIT_SECONDS = 0
    with pytest.raises(ValueError, match="result"):
        client.llm.run(actor.organization.pk, document.pk, prompt_revid=prompt.pk)


def test_it_lists_models(client: DocRouterClient) -> None:
    LanguageModel.objects.create(name="offline/rules", provider="offline", available=True, max_output_tokens=4000)
    (model,) = client.llm.list_models().models
    assert (model.id, model.provider, model.max_tokens) == ("offline/rules", "offline", 4000)


def test_it_hears_the_sentence_of_a_refusal(
    client: DocRouterClient, actor: Actor, document: Document, prompt: PromptRevision
) -> None:
    with pytest.raises(Exception, match=r"API Error \(404\): Prompt not found"):
        client.llm.run(actor.organization.pk, document.pk, prompt_revid="0123456789abcdef01234567")
    document.readings.update(status="queued")
    with pytest.raises(Exception, match="OCR required but not run for this document"):
        client.llm.run(actor.organization.pk, document.pk, prompt_revid=prompt.pk)
