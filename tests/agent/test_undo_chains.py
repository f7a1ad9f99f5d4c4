"""Undo of runs and of several calls, one after the other."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls import undo
from documents.definitions import prompts
from documents.extractions import edits
from documents.models import Document, Extraction, Prompt, PromptRevision, Schema
from kit.errors import Conflict
from tests.agent.chain_rows import NEW_PROMPT, NEW_SCHEMA, run
from tests.agent.decision_rows import Propose, say
from tests.agent.undo_rows import (  # noqa: F401 - some are fixtures
    SCHEMA,
    Act,
    act,
    document,
    extraction,
    prompt,
    run_of,
    thread,
    vendor,
)
from tests.conftest import ApiClient
from tests.scripted_model import ScriptedModel, answers

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("work", ["correct", "verify", "run again"])
def test_a_run_that_people_worked_on_stays(
    scripted_model: ScriptedModel, act: Act, actor: Actor, prompt: PromptRevision, work: str
) -> None:
    scripted_model.will(answers({"vendor": "Second", "total": 3}))
    call = act("run_extraction", prompt_revid=prompt.pk)
    run = Extraction.objects.get(call_id=call.pk)
    if work == "correct":
        edits.set_path(actor, extraction=run, path="vendor", value="Mine")
    elif work == "verify":
        edits.verify(actor, extraction=run, where="vendor")
    else:
        run_of(actor, call.thread.document, prompt, vendor="Third", total=3)
    with pytest.raises(Conflict):
        undo.undo_call(actor, call=call, idempotency_key="click")
    run.refresh_from_db()
    assert run.status == "completed"


def with_description(words: str) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(SCHEMA))
    changed["json_schema"]["schema"]["properties"]["vendor"]["description"] = words
    return changed


Chain = tuple[str, Callable[[PromptRevision, str], dict[str, Any]], Callable[[PromptRevision], Any]]


CHAINS: dict[str, Chain] = {
    "schema": (
        "update_schema",
        lambda prompt, words: {
            "schema_id": prompt.schema_revision.schema_id,
            "response_format": with_description(words),
        },
        lambda prompt: Schema.objects.get(pk=prompt.schema_revision.schema_id).latest.response_format,
    ),
    "prompt": (
        "update_prompt",
        lambda prompt, words: {"prompt_id": prompt.prompt_id, "content": words},
        lambda prompt: Prompt.objects.get(pk=prompt.prompt_id).latest.content,
    ),
    "value": (
        "update_extraction_field",
        lambda prompt, words: {"path": "vendor", "value": words},
        lambda prompt: Extraction.objects.get(prompt_revision=prompt).current["vendor"],
    ),
    "document": (
        "update_document",
        lambda prompt, words: {"document_name": f"{words}.pdf"},
        lambda prompt: Document.objects.get().name,
    ),
}


@pytest.mark.parametrize("kind", CHAINS)
def test_a_chain_is_taken_back_step_by_step_the_last_one_first(
    act: Act,
    extraction: Extraction,
    prompt: PromptRevision,
    actor: Actor,
    api_as: Callable[[Actor], ApiClient],
    kind: str,
) -> None:
    tool, arguments, read = CHAINS[kind]
    done, before = [], []
    for words in ("One", "Two", "Three"):
        before.append(read(prompt))
        done.append(act(tool, **arguments(prompt, words)))
    api = api_as(actor)
    paths = [f"/v0/orgs/{actor.organization.pk}/tool_calls/{call.pk}/undo" for call in done]
    assert api.post(paths[0]).status_code == 409
    for path, former in reversed(list(zip(paths, before, strict=True))):
        answer = api.post(path)
        assert answer.status_code == 200, answer.json()
        assert read(prompt) == former
    assert {api.post(path).status_code for path in paths} == {409}


def test_a_call_chain_is_taken_back_over_the_api_and_the_same_key_gives_the_same(
    propose: Propose, actor: Actor, stranger: Actor, api_as: Callable[[Actor], ApiClient]
) -> None:
    chain = propose(NEW_SCHEMA, NEW_PROMPT)
    for call in chain:
        say(actor, call)
    run(*chain)
    path = f"/v0/orgs/{actor.organization.pk}/tool_calls/{chain[0].pk}/undo_chain"
    foreign = path.replace(actor.organization.pk, stranger.organization.pk)
    assert api_as(stranger).post(foreign).status_code == 404
    first, second = (api_as(actor).post(path, headers={"Idempotency-Key": "once"}) for _ in range(2))
    assert first.status_code == 200 and first.json() == second.json()
    assert [each["undoes"] for each in first.json()["undone"]] == [chain[1].pk, chain[0].pk]
    assert not Schema.objects.filter(trashed_at=None).exists() and not Prompt.objects.filter(trashed_at=None).exists()
    assert api_as(actor).post(path).json() == {"detail": "No step of this chain can be taken back."}


def test_what_a_person_changed_between_two_steps_stays(
    act: Act, extraction: Extraction, prompt: PromptRevision, actor: Actor
) -> None:
    first, second = (act("update_prompt", prompt_id=prompt.prompt_id, content=words) for words in ("One", "Two"))
    undo.undo_call(actor, call=second, idempotency_key="a")
    prompts.save_version(actor, prompt=prompt.prompt, content="Mine.")
    with pytest.raises(Conflict, match="changed since"):
        undo.undo_call(actor, call=first, idempotency_key="b")
    assert Prompt.objects.get().latest.content == "Mine."


@pytest.mark.parametrize("kind", ["schema", "prompt"])
def test_what_was_made_and_changed_is_taken_back_to_the_trash(act: Act, actor: Actor, kind: str) -> None:
    creation = {
        "schema": lambda: act("create_schema", name="Bill", response_format=SCHEMA),
        "prompt": lambda: act("create_prompt", name="Bill", content="Read."),
    }[kind]()
    row_id = {f"{kind}_id": creation.result[f"{kind}_id"]}
    change = {"schema": {"response_format": with_description("Who.")}, "prompt": {"content": "Read all."}}[kind]
    changed = act(f"update_{kind}", **row_id, **change)
    for call in (changed, creation):
        undo.undo_call(actor, call=call, idempotency_key=call.pk)
    assert {"schema": Schema, "prompt": Prompt}[kind].objects.get().trashed_at


def test_of_two_calls_on_one_thing_the_later_one_is_taken_back_first(act: Act, extraction: Extraction) -> None:
    first = act("update_extraction_field", path="vendor", value="Ostrava")
    other = act("update_extraction_field", path="total", value=7)
    last = act("update_extraction_field", path="vendor", value="Ostrava s.r.o.")
    assert undo.find_changed_again([first, other, last]) == {first.pk}
