"""How runs over /v0 end, and which model does them."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from documents import extractions
from documents.definitions import prompts
from documents.models import Document, Extraction, PromptRevision
from documents.reading import reading
from documents.retention import purging
from kit.errors import NotFound
from tests.api.llm_run_rows import (  # noqa: F401 - some are fixtures
    client,
    document,
    path,
    prompt,
)
from tests.conftest import ApiClient
from tests.documents.extraction_rows import PAGE
from tests.documents.reading_rows import document_with
from tests.scripted_model import ScriptedModel

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


UNKNOWN = "0123456789abcdef01234567"


def test_a_clients_default_model_stands_for_the_organizations(
    client: ApiClient, actor: Actor, document: Document, scripted_model: ScriptedModel, monkeypatch
) -> None:
    revision = prompts.create(actor, name="From a client", content="Read it.", model="claude-sonnet-4-6")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    path = f"/v0/orgs/{document.organization_id}/llm/run/{document.pk}?prompt_revid={revision.pk}&wait=0"
    run = client.get(client.post(path, {})["Location"]).json()
    assert run["model"] == "openai/scripted"


def test_it_takes_no_unknown_prompt_for_the_default_one(
    client: ApiClient, path: str, document: Document, prompt: PromptRevision, actor: Actor
) -> None:
    whole = path.partition("?")[0]
    for unknown in (UNKNOWN, "nonsense", "Default"):
        answer = client.post(f"{whole}?prompt_revid={unknown}", {})
        assert (answer.status_code, answer.json()) == (404, {"detail": "Prompt not found"}), unknown
    prompts.trash(actor, head=prompt.prompt)
    assert client.post(path, {}).status_code == 404
    missing = client.post(path.replace(document.pk, UNKNOWN), {})
    assert (missing.status_code, missing.json()["detail"]) == (404, "Document not found")
    assert not Extraction.objects.exists()


def test_it_runs_nothing_on_what_was_not_read(client: ApiClient, path: str, document: Document) -> None:
    document.readings.update(status="failed")
    answer = client.post(path, {})
    assert (answer.status_code, answer.json()["detail"]) == (404, "OCR required but not run for this document")


def test_it_finds_prompts_documents_and_runs_of_its_own_organization_only(
    client: ApiClient, path: str, stranger: Actor, prompt: PromptRevision, document: Document, api_as
) -> None:
    theirs = document_with(stranger.organization, PAGE, user=stranger.user)
    foreign = prompts.create(stranger, name="Theirs", content="Read it.")
    whole = path.partition("?")[0]
    assert client.post(f"{whole}?prompt_revid={foreign.pk}", {}).json()["detail"] == "Prompt not found"
    assert client.post(path.replace(document.pk, theirs.pk), {}).json()["detail"] == "Document not found"
    run = client.post(f"{path}&wait=0", {}).json()["run_id"]
    other = api_as(stranger).get(f"/v0/orgs/{stranger.organization.pk}/llm/runs/{run}")
    assert (other.status_code, other.json()["detail"]) == (404, "Run not found")


def test_viewers_run_nothing(api_as, member: Callable[[Role], Actor], path: str) -> None:
    answer = api_as(member(Role.VIEWER)).post(path, {})
    assert answer.status_code == 403
    assert not Extraction.objects.exists()


def test_a_document_that_is_deleted_for_good_meanwhile_is_not_there(
    actor: Actor, document: Document, prompt: PromptRevision
) -> None:
    run = extractions.request(actor, document=document, prompt_revision=prompt)
    for rows in purging.iterate_parts(document):
        rows.delete()
    purging.delete_row(document)
    with pytest.raises(NotFound, match="deleted for good"):
        extractions.wait_for(run, seconds=60)
    with pytest.raises(NotFound):
        extractions.request(actor, document=document, prompt_revision=prompt)
    with pytest.raises(NotFound):
        reading.start(actor, document=document)
