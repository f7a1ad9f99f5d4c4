"""Running prompts over /v0. A worker thread runs what was asked for, as in life, with a scripted or the offline model."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Role
from documents import extractions
from documents.definitions import prompts
from documents.extractions import edits, requesting
from documents.models import Document, Extraction, PromptRevision, Usage
from llm.money import budgets
from tests.api.llm_run_rows import (  # noqa: F401 - some are fixtures
    client,
    document,
    path,
    prompt,
)
from tests.conftest import ApiClient
from tests.documents.extraction_rows import RESULT
from tests.scripted_model import ScriptedModel, answers, fails, says
from tests.worker_thread import keep_working

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def worker(scripted_model: ScriptedModel, settings: Any) -> Iterator[None]:
    # A busy machine takes its time, for importing litellm alone; what is tested here is not how fast it is.
    settings.RUN_WAIT_SECONDS = 600
    with keep_working(lambda: extractions.run_next(holder="test")):
        yield


def run_now() -> None:
    assert extractions.run_next(holder="test")


def test_it_waits_for_the_worker_and_answers_with_the_result(
    client: ApiClient,
    path: str,
    prompt: PromptRevision,
    document: Document,
    scripted_model: ScriptedModel,
    worker: None,
) -> None:
    scripted_model.will(answers(RESULT))
    answer = client.post(path, {})
    assert answer.status_code == 200, answer.content
    assert (answer.json()["status"], answer.json()["result"]) == ("success", RESULT)
    extraction = answer.json()["extraction"]
    assert (extraction["llm_result"], extraction["prompt_revid"]) == (RESULT, prompt.pk)
    assert extraction["model"] == "openai/scripted"
    assert extraction == client.get(path.replace("/run/", "/result/")).json()
    again = client.post(path, {})
    assert again.json() == answer.json()
    assert Extraction.objects.count() == 1
    assert len(scripted_model.requests) == 1


def test_it_gives_the_id_of_the_run_when_nobody_wants_to_wait(
    client: ApiClient, path: str, scripted_model: ScriptedModel
) -> None:
    answer = client.post(f"{path}&wait=0", {})
    run = Extraction.objects.get()
    assert (answer.status_code, answer.json()) == (
        202,
        {
            "status": "queued",
            "run_id": run.pk,
            "result": None,
            "extraction": None,
            "reason": "",
            "detail": f"There is no result yet: the run is queued. GET {answer['Location']} gives it once the run "
            "has ended.",
        },
    )
    status = client.get(answer["Location"])
    assert (status.json()["status"], status.json()["model"], status.json()["finished_at"]) == (
        "queued",
        "openai/scripted",
        None,
    )
    assert (status.json()["result"], status.json()["extraction"]) == (None, None)
    scripted_model.will(answers(RESULT))
    run_now()
    ended = client.get(answer["Location"]).json()
    assert (ended["result"], ended["extraction"]["extraction_id"]) == (RESULT, run.pk)


def test_it_stops_waiting_before_the_client_gives_up(client: ApiClient, path: str, settings) -> None:
    settings.RUN_WAIT_SECONDS = 0
    assert client.post(path, {}).status_code == 202
    assert client.post(f"{path}&wait=1", {}).status_code == 422
    assert Extraction.objects.get().status == "queued"


def test_it_joins_an_identical_run_that_is_under_way(client: ApiClient, path: str) -> None:
    first = client.post(f"{path}&wait=0", {}).json()["run_id"]
    assert client.post(f"{path}&wait=0&force=True", {}).json()["run_id"] == first
    assert Extraction.objects.count() == 1


def test_a_forced_run_keeps_the_earlier_result_until_it_has_succeeded(
    client: ApiClient,
    path: str,
    actor: Actor,
    document: Document,
    prompt: PromptRevision,
    scripted_model: ScriptedModel,
) -> None:
    stored = client.post(f"{path}&wait=0", {}).json()["run_id"]
    scripted_model.will(answers(RESULT))
    run_now()
    edits.set_path(actor, extraction=Extraction.objects.get(), path="total", value=31)
    client.post(f"{path}&wait=0&force=true", {})
    result_path = path.replace("/run/", "/result/")
    assert client.get(result_path).json()["updated_llm_result"]["total"] == 31
    scripted_model.will(fails(400, "no such thing"), fails(400, "no such thing"), fails(400, "no such thing"))
    run_now()
    assert Extraction.objects.get(number=2).status == "failed"
    assert client.get(result_path).json()["extraction_id"] == stored
    client.post(f"{path}&wait=0&force=true", {})
    scripted_model.will(answers({**RESULT, "number": "INV-8"}))
    run_now()
    newest = client.get(result_path).json()
    assert (newest["llm_result"]["number"], newest["updated_llm_result"]["total"]) == ("INV-8", 31)
    assert Extraction.objects.get(pk=stored).edits.count() == 1
    assert client.post(path, {}).json()["result"] == {**RESULT, "number": "INV-8", "total": 31}


def test_the_same_key_gets_the_same_run_and_another_key_another(
    client: ApiClient, path: str, scripted_model: ScriptedModel
) -> None:
    def start_forced(key: str) -> str:
        answer = client.post(f"{path}&wait=0&force=1", {}, headers={"Idempotency-Key": key})
        return answer.json()["run_id"]

    first = start_forced("a")
    scripted_model.will(answers(RESULT))
    run_now()
    assert start_forced("a") == first
    assert start_forced("b") != first
    assert client.post(path, {}, headers={"Idempotency-Key": "x" * 256}).status_code == 422


def test_the_same_key_with_another_request_gets_no_answer_of_the_first(
    client: ApiClient,
    path: str,
    actor: Actor,
    api_as: Callable[[Actor], ApiClient],
    member: Callable[[Role], Actor],
    prompt: PromptRevision,
    scripted_model: ScriptedModel,
) -> None:
    def start_run(by: ApiClient, address: str) -> str:
        run_id = by.post(f"{address}&wait=0", {}, headers={"Idempotency-Key": "a"}).json()["run_id"]
        if Extraction.objects.filter(status="queued").exists():
            scripted_model.will(answers(RESULT))
            run_now()
        return str(run_id)

    other = prompts.create(actor, name="Read totals", content="Take it.", schema_revision=prompt.schema_revision)
    first = start_run(client, path)
    for address in (f"{path}&force=1", path.replace(prompt.pk, other.pk)):
        refused = client.post(f"{address}&wait=0", {}, headers={"Idempotency-Key": "a"})
        assert refused.status_code == 409 and refused.json()["code"] == "key_used"
        assert refused.json()["detail"] == requesting.KEY_USED
    assert Extraction.objects.count() == 1 and start_run(client, path) == first
    assert start_run(api_as(member(Role.REVIEWER)), f"{path}&force=1") != first


def test_a_run_that_was_called_off_has_no_result_and_its_key_gets_another(client: ApiClient, path: str) -> None:
    start_run = client.post(f"{path}&wait=0", {}, headers={"Idempotency-Key": "a"})
    extractions.cancel_run(Extraction.objects.get(), reason="The proposal was rejected.")
    ended = client.get(start_run["Location"]).json()
    assert (ended["status"], ended["reason"], ended["result"]) == ("withdrawn", "The proposal was rejected.", None)
    again = client.post(f"{path}&wait=0", {}, headers={"Idempotency-Key": "a"}).json()
    assert again["status"] == "queued" and again["run_id"] != start_run.json()["run_id"]


def test_it_says_what_the_provider_said(
    client: ApiClient, path: str, scripted_model: ScriptedModel, worker: None
) -> None:
    scripted_model.will(*[fails(401, "bad key")] * 3)
    answer = client.post(path, {})
    assert answer.status_code == 500
    assert answer.json()["detail"].startswith("Error processing document: ")
    assert answer.json()["detail"].endswith(Extraction.objects.get().reason)


@pytest.mark.usefixtures("unpriced")
def test_it_says_402_while_there_is_no_money_and_goes_on_when_there_is(
    client: ApiClient, path: str, actor: Actor, scripted_model: ScriptedModel, worker: None
) -> None:
    budgets.set_limit(actor, limit_usd=0)
    answer = client.post(path, {})
    assert answer.status_code == 402
    assert answer.json()["detail"].startswith("Insufficient SPU credits: This call may cost ")
    assert not Usage.objects.exists()
    budgets.set_limit(actor, limit_usd=5)
    scripted_model.will(answers(RESULT))
    answer = client.post(path, {})
    assert (answer.status_code, Extraction.objects.count()) == (200, 1)


def test_it_summarizes_by_the_default_prompt(
    client: ApiClient, document: Document, scripted_model: ScriptedModel, worker: None
) -> None:
    scripted_model.will(says("An invoice."))
    answer = client.post(f"/v0/orgs/{document.organization_id}/llm/run/{document.pk}", {})
    extraction = answer.json()["extraction"]
    assert (extraction["prompt_revid"], extraction["prompt_id"], extraction["prompt_display_name"]) == (
        "default",
        "default",
        "Document Summary",
    )
    assert answer.json()["result"] == extraction["llm_result"] == {"text": "An invoice."}
