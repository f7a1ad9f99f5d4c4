"""The runs of a document, and provenance beside results and in the saved file, over /v0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from documents.definitions import prompts
from documents.extractions import edits
from documents.models import Document, Extraction, PromptRevision
from tests.api.proven_rows import path_of, run_located
from tests.conftest import ApiClient
from tests.documents.extraction_rows import PAGE, RESULT, make_prompt, run_prompt
from tests.documents.reading_rows import document_with

pytestmark = pytest.mark.servers


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
def path(document: Document) -> str:
    return f"/v0/orgs/{document.organization_id}/documents/{document.pk}/extractions"


def test_it_lists_all_runs_and_says_which_are_current(
    client: ApiClient, path: str, document: Document, prompt: PromptRevision, actor: Actor
) -> None:
    older = run_prompt(document, prompt)
    newer_revision = prompts.save_version(actor, prompt=prompt.prompt, content="Better.")
    newer = run_prompt(document, newer_revision)
    again = run_prompt(document, prompt)
    summary = run_prompt(document, None, {"text": "An invoice."})
    failed = run_prompt(document, newer_revision)
    Extraction.objects.filter(pk=failed.pk).update(status="failed", reason="The model gave no JSON.")
    edits.set_path(actor, extraction=newer, path="total", value=31)
    edits.verify(actor, extraction=newer)
    body = client.get(path).json()
    rows = {row["extraction_id"]: row for row in body["extractions"]}
    assert list(rows) == [run.pk for run in (failed, summary, again, newer, older)]
    assert [row["is_current"] for row in rows.values()] == [False, True, False, True, False]
    current = client.get(f"/v0/orgs/{document.organization_id}/llm/result/{document.pk}?prompt_id={prompt.prompt_id}")
    assert current.json()["extraction_id"] == newer.pk
    assert (rows[newer.pk]["is_edited"], rows[newer.pk]["is_verified"], rows[newer.pk]["prompt_version"]) == (
        True,
        True,
        2,
    )
    assert (rows[failed.pk]["status"], rows[failed.pk]["reason"]) == ("failed", "The model gave no JSON.")
    assert (rows[summary.pk]["prompt_id"], rows[summary.pk]["schema_revid"]) == ("default", None)
    assert (body["total_count"], body["skip"]) == (5, 0)


def test_it_narrows_to_a_prompt_or_a_state_and_pages(
    client: ApiClient, path: str, document: Document, prompt: PromptRevision, stranger: Actor
) -> None:
    for _ in range(2):
        run_prompt(document, prompt)
    summary = run_prompt(document, None)
    assert client.get(path, {"prompt_id": prompt.prompt_id}).json()["total_count"] == 2
    only = client.get(path, {"prompt_id": "default"}).json()["extractions"]
    assert [row["extraction_id"] for row in only] == [summary.pk]
    for none in ({"prompt_id": "x"}, {"prompt_id": "0" * 24}, {"status": "failed"}, {"skip": "3"}):
        assert client.get(path, none).json()["extractions"] == [], none
    assert len(client.get(path, {"limit": "2"}).json()["extractions"]) == 2
    for wrong in ({"status": "lost"}, {"limit": "0"}, {"skip": "x"}):
        assert client.get(path, wrong).status_code == 422, wrong
    foreign = document_with(stranger.organization, PAGE)
    assert client.get(path.replace(document.pk, foreign.pk)).status_code == 404


def test_it_costs_the_same_statements_for_many_runs(
    client: ApiClient, path: str, document: Document, prompt: PromptRevision, django_assert_max_num_queries: Any
) -> None:
    for _ in range(5):
        run_prompt(document, prompt)
    with django_assert_max_num_queries(6):
        assert len(client.get(path).json()["extractions"]) == 5


def test_one_run_is_given_whole_also_when_a_newer_one_has_replaced_it(
    client: ApiClient, document: Document, prompt: PromptRevision
) -> None:
    older = run_located(document, prompt)
    run_prompt(document, prompt)
    answer = client.get(path_of(older))
    assert answer.json()["updated_llm_result"] == RESULT and "provenance" not in answer.json()
    assert client.get(path_of(older), headers={"If-None-Match": answer["ETag"]}).status_code == 304
    proven = client.get(path_of(older), {"include": "provenance"})
    assert proven["ETag"] != answer["ETag"] and proven.json()["provenance"]["total"]["page"] == 1
    Extraction.objects.filter(pk=older.pk).update(status="failed")
    assert client.get(path_of(older)).status_code == 404, "it has no values"


def test_a_result_says_by_the_path_of_each_value_what_it_rests_on(
    client: ApiClient, document: Document, prompt: PromptRevision
) -> None:
    extraction = run_located(document, prompt)
    result = f"/v0/orgs/{document.organization_id}/llm/result/{document.pk}"
    extraction.check_results = [
        {"check": 1, "kind": "sum", "status": "failed", "message": "It is wrong.", "places": ["total"]},
        {"check": 2, "kind": "sum", "status": "passed", "message": "It is right.", "places": ["total"]},
    ]
    extraction.save(update_fields=["check_results"])
    body = client.get(result, {"prompt_revid": prompt.pk, "include": "provenance"}).json()
    fields = client.get(f"{path_of(extraction)}/fields").json()["fields"]
    assert body["provenance"] == {field["path"]: field for field in fields}
    assert body["provenance"]["total"]["failed_checks"] == [{"check": 1, "kind": "sum", "message": "It is wrong."}]
    assert "provenance_next_skip" not in body
    assert "provenance" not in client.get(result, {"prompt_revid": prompt.pk, "include": ""}).json()
    for wrong in ("proof", "provenance,values"):
        answer = client.get(result, {"prompt_revid": prompt.pk, "include": wrong})
        assert answer.status_code == 422 and answer.json()["detail"][0]["loc"] == ["query", "include"]


def test_the_saved_file_has_the_provenance_of_all_prompts_in_as_many_statements(
    client: ApiClient, document: Document, prompt: PromptRevision, django_assert_max_num_queries: Any
) -> None:
    run_located(document, prompt)
    run_prompt(document, None, {"text": "An invoice."})
    file = f"/v0/orgs/{document.organization_id}/llm/results/{document.pk}/download"
    assert all("provenance" not in result for result in client.get(file).json()["results"])
    with django_assert_max_num_queries(10):
        summary, lines = client.get(file, {"include": "provenance"}).json()["results"]
    assert lines["provenance"]["number"]["words"] == "INV-7"
    assert summary["provenance"]["text"]["state"] == "prose"
    assert client.get(file, {"include": "x"}).status_code == 422
