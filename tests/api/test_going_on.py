"""Going on with a result that misses pages, over /v0."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.models import Extraction, PromptRevision
from tests.api.llm_run_rows import client, prompt  # noqa: F401 - fixtures
from tests.conftest import ApiClient
from tests.documents.partial_runs import give, model, run_all_extractions, run_partially  # noqa: F401 - model is one
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def partial(actor: Actor, prompt: PromptRevision, model: ScriptedModel) -> Extraction:
    return run_partially(actor, prompt, model)


@pytest.fixture
def path(partial: Extraction, prompt: PromptRevision) -> str:
    return f"/v0/orgs/{partial.document.organization_id}/llm/run/{partial.document_id}?prompt_revid={prompt.pk}&wait=0"


def test_only_the_missing_pages_are_run_and_once(
    client: ApiClient, path: str, partial: Extraction, model: ScriptedModel
) -> None:
    stored = client.post(path, {}).json()["extraction"]
    assert (stored["pages_missing"], [note[:7] for note in stored["notes"]]) == ([2, 4], ["Page 2:", "Page 4:"])
    model.will(give(31), give(91))
    begun = [client.post(f"{path}&go_on=true", {}) for _ in range(2)]
    assert [answer.status_code for answer in begun] == [202, 202]
    assert begun[0].json()["run_id"] == begun[1].json()["run_id"] != partial.pk
    run_all_extractions()
    whole = client.post(f"{path}&go_on=true", {}).json()["extraction"]
    assert (whole["pages_missing"], whole["notes"], whole["extraction_id"]) == ([], [], begun[0].json()["run_id"])
    assert [row["sku"][-2:] for row in whole["llm_result"]["items"]] == ["01", "02", "31", "61", "62", "91"]
    assert len(model.requests) == 2


def test_named_pages_are_asked_for_again(
    client: ApiClient, path: str, model: ScriptedModel, partial: Extraction
) -> None:
    model.will(give(75))
    run = client.post(f"{path}&go_on=true&pages=3", {}).json()["run_id"]
    run_all_extractions()
    assert Extraction.objects.get(pk=run).asked_pages == [3]
    assert [row["value"]["sku"] for row in Extraction.objects.get(pk=run).current["items"]][-1] == "P-00075"


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("go_on=true&force=true", 400, "not both"),
        ("pages=3", 400, "go with go_on=true"),
        ("go_on=true&pages=three", 422, "page numbers"),
        ("go_on=true&pages=7", 400, "no page 7"),
    ],
)
def test_it_says_what_does_not_go(client: ApiClient, path: str, query: str, status: int, words: str) -> None:
    answer = client.post(f"{path}&{query}", {})
    assert answer.status_code == status and words in answer.content.decode()


def test_a_key_is_that_of_one_request(client: ApiClient, path: str, partial: Extraction) -> None:
    key = {"Idempotency-Key": "k"}
    assert client.post(f"{path}&go_on=true", {}, headers=key).status_code == 202
    assert client.post(f"{path}&go_on=true", {}, headers=key).json()["run_id"] == partial.continuations.get().pk
    assert client.post(f"{path}&force=true", {}, headers=key).status_code == 409
