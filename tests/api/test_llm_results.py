from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import prompts
from documents.extractions import edits
from documents.models import Document, PromptRevision, Verification
from tests.conftest import ApiClient
from tests.documents.extraction_rows import PAGE, RESULT, make_prompt, run_prompt
from tests.documents.reading_rows import document_with

pytestmark = pytest.mark.servers

UNKNOWN = "0123456789abcdef01234567"


@pytest.fixture
def document(actor: Actor) -> Document:
    return document_with(actor.organization, PAGE, user=actor.user)


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    return make_prompt(actor, "Take the lines. " * 10)


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def path(document: Document) -> str:
    return f"/v0/orgs/{document.organization_id}/llm/result/{document.pk}"


def test_it_shows_a_result_as_the_contract_says(
    client: ApiClient, path: str, document: Document, prompt: PromptRevision
) -> None:
    extraction = run_prompt(document, prompt)
    answer = client.get(path, {"prompt_revid": prompt.pk})
    assert answer.status_code == 200
    body = answer.json()
    assert body.pop("created_at").endswith("Z") and body.pop("updated_at").endswith("Z")
    assert body == {
        "prompt_revid": prompt.pk,
        "prompt_id": prompt.prompt_id,
        "prompt_version": 1,
        "prompt_display_name": "Read invoices",
        "document_id": document.pk,
        "llm_result": RESULT,
        "updated_llm_result": RESULT,
        "check_results": [],
        "is_edited": False,
        "is_verified": False,
        "extraction_id": extraction.pk,
        "model": "offline/rules",
        "pages_seen": [1],
        "page_count": 1,
        "pages_missing": [],
        "notes": [],
    }


def test_it_finds_the_newest_version_by_prompt_and_falls_back_when_asked(
    client: ApiClient, path: str, document: Document, prompt: PromptRevision, actor: Actor
) -> None:
    run_prompt(document, prompt)
    second = prompts.save_version(actor, prompt=prompt.prompt, content="Better.")
    third = prompts.save_version(actor, prompt=prompt.prompt, content="Best.")
    newest = run_prompt(document, second)
    run_prompt(document, prompt)
    assert client.get(path, {"prompt_id": prompt.prompt_id}).json()["extraction_id"] == newest.pk
    assert client.get(path, {"prompt_revid": third.pk}).status_code == 404
    for name in ("prompt_revid_fallback", "fallback"):
        answer = client.get(path, {"prompt_revid": third.pk, name: "True"})
        assert answer.json()["extraction_id"] == newest.pk, name


def test_it_shows_the_summary_under_the_name_default(client: ApiClient, path: str, document: Document) -> None:
    run_prompt(document, None, {"text": "An invoice."})
    for name in ("prompt_id", "prompt_revid"):
        body = client.get(path, {name: "default"}).json()
        assert (body["prompt_id"], body["updated_llm_result"]) == ("default", {"text": "An invoice."}), name


def test_it_wants_a_prompt_and_says_what_is_missing(
    client: ApiClient, path: str, prompt: PromptRevision, stranger: Actor
) -> None:
    for method in (client.get, client.put, client.delete):
        assert method(path).status_code == 422
    assert client.get(path).json() == {"detail": "Either prompt_id or prompt_revid is required"}
    assert "LLM result not found" in client.get(path, {"prompt_revid": prompt.pk}).json()["detail"]
    foreign = prompts.create(stranger, name="Theirs", content="Read it.")
    for unknown in (UNKNOWN, "nonsense", foreign.pk):
        assert client.get(path, {"prompt_revid": unknown}).status_code == 404
    for unknown in (UNKNOWN, "nonsense", foreign.prompt_id):
        assert client.get(path, {"prompt_id": unknown}).status_code == 404


def test_it_keeps_corrections_as_edits_of_the_person(
    client: ApiClient, path: str, document: Document, prompt: PromptRevision, actor: Actor
) -> None:
    extraction = run_prompt(document, prompt)
    corrected = {**RESULT, "total": 31.0, "items": [*RESULT["items"], {"sku": "C-3", "amount": 0.5}]}
    sent = {"updated_llm_result": corrected, "is_verified": True}
    answer = client.put(f"{path}?prompt_revid={prompt.pk}", sent)
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert (body["is_edited"], body["is_verified"]) == (True, True)
    assert (body["llm_result"], body["updated_llm_result"]) == (RESULT, corrected)
    assert client.get(path, {"prompt_revid": prompt.pk}).json() == body
    assert {(edit.kind, edit.user_id, edit.origin) for edit in extraction.edits.all()} == {
        ("set", actor.user.pk, "person"),
        ("add_row", actor.user.pk, "person"),
    }
    sent["is_verified"] = False
    assert client.put(f"{path}?prompt_revid={prompt.pk}", sent).json()["is_verified"] is False
    assert extraction.edits.count() == 2
    assert Verification.objects.get().cleared_by == actor.user


def test_it_changes_nothing_when_a_correction_does_not_fit(
    client: ApiClient, path: str, document: Document, prompt: PromptRevision
) -> None:
    where = f"{path}?prompt_revid={prompt.pk}"
    none_yet = client.put(where, {"updated_llm_result": RESULT})
    assert (none_yet.status_code, none_yet.json()["detail"][:20]) == (400, "LLM result not found")
    extraction = run_prompt(document, prompt)
    for wrong in ({"total": 1}, {**RESULT, "more": 1}):
        answer = client.put(where, {"updated_llm_result": wrong})
        assert answer.status_code == 400
        assert answer.json()["detail"].startswith("Updated result signature does not match original")
    misfit = client.put(where, {"updated_llm_result": {**RESULT, "number": "INV-8", "total": "much"}})
    assert misfit.status_code == 400
    assert client.put(where, {"updated_llm_result": [1]}).status_code == 422
    assert not extraction.edits.exists()


def test_it_withdraws_all_results_of_the_prompt(
    client: ApiClient, path: str, document: Document, prompt: PromptRevision
) -> None:
    run_prompt(document, prompt), run_prompt(document, prompt), run_prompt(document, None, {"text": "Kept."})
    where = f"{path}?prompt_revid={prompt.pk}"
    answer = client.delete(where)
    assert (answer.status_code, answer.json()) == (200, {"status": "success", "message": "LLM result deleted"})
    assert client.get(where).status_code == 404
    again = client.delete(where)
    assert (again.status_code, again.json()) == (404, {"detail": "LLM result not found"})
    assert client.get(path, {"prompt_revid": "default"}).status_code == 200


def test_viewers_change_no_result(api_as, member: Callable[[Role], Actor], path, document, prompt) -> None:
    run_prompt(document, prompt)
    viewer, where = api_as(member(Role.VIEWER)), f"{path}?prompt_revid={prompt.pk}"
    assert viewer.get(where).status_code == 200
    assert viewer.put(where, {"updated_llm_result": RESULT}).status_code == 403
    assert viewer.delete(where).status_code == 403


def test_it_gives_the_current_results_as_a_file(
    client: ApiClient, path: str, document: Document, prompt: PromptRevision, actor: Actor
) -> None:
    where = path.replace("/result/", "/results/") + "/download"
    assert client.get(where).status_code == 404
    run_prompt(document, prompt, {"number": "old"})
    extraction = run_prompt(document, prompt)
    run_prompt(document, None, {"text": "An invoice."})
    edits.set_path(actor, extraction=extraction, path="total", value=31)
    answer = client.get(where)
    assert answer["Content-Disposition"].startswith("attachment; ")
    whole = json.loads(answer.content)
    summary, invoice = whole["results"]
    assert (whole["document_id"], whole["document_name"]) == (document.pk, "invoice.pdf")
    assert summary["prompt_revid"] == "default"
    assert (invoice["extraction_result"]["total"], invoice["metadata"]["is_edited"]) == (31, True)
    assert len(invoice["prompt_name"]) == 100
