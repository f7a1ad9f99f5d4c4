"""Taking back what a call did: by whom, once, and only while it is still as it was left."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, Role
from agent.calls import execution, undo
from agent.conversation import threads
from agent.models import Decision, Thread, ToolCall, Turn
from agent.toolkit.registry import Registry
from documents import extractions
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft, edits
from documents.models import Document, Extraction, Prompt, PromptRevision, Reading, Schema, Usage
from kit.errors import Conflict, Denied, Invalid
from tests.agent.conftest import propose_all
from tests.agent.test_decisions import say
from tests.agent.wire import wire_messages
from tests.conftest import ApiClient
from tests.scripted_model import ScriptedModel, answers

pytestmark = pytest.mark.django_db
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


def test_it_takes_a_change_back_and_tells_the_model(act: Act, extraction: Extraction, actor: Actor) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    assert vendor(extraction) == "Ostrava"

    undo_row = undo.undo_call(actor, call=call, idempotency_key="click")

    assert vendor(extraction) == "Tools"
    assert (undo_row.undoes, undo_row.status, undo_row.tool) == (call, "succeeded", "undo")
    assert Decision.objects.get(call=undo_row).user == actor.user
    assert AuditEntry.objects.filter(action="undid", target_id=call.pk, origin="person").exists()
    *_, result = wire_messages(call.thread)
    assert "took this back" in result["content"]
    assert sum(message["role"] == "tool" for message in wire_messages(call.thread)) == 1


def test_two_clicks_are_one_undo(act: Act, extraction: Extraction, actor: Actor) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    first, second = (undo.undo_call(actor, call=call, idempotency_key="click") for _ in range(2))
    assert first == second and extraction.edits.count() == 2
    with pytest.raises(Conflict, match="taken back already"):
        undo.undo_call(actor, call=call, idempotency_key="another")


def test_the_key_of_one_person_is_no_undo_of_another(
    act: Act, extraction: Extraction, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    undo.undo_call(actor, call=call, idempotency_key="click")
    with pytest.raises(Conflict, match="taken back already"):
        undo.undo_call(member(Role.REVIEWER), call=call, idempotency_key="click")


@pytest.mark.parametrize(
    ("since", "sentence"),
    [("edit", "has changed this value"), ("verify", "has verified this value since"), ("run", "newer run")],
)
def test_it_refuses_once_somebody_was_there(
    act: Act, extraction: Extraction, actor: Actor, prompt: PromptRevision, since: str, sentence: str
) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    if since == "edit":
        edits.set_path(actor, extraction=extraction, path="vendor", value="Mine")
    elif since == "verify":
        edits.verify(actor, extraction=extraction, where="vendor")
    else:
        run_of(actor, call.thread.document, prompt, vendor="New", total=1)
    before = vendor(extraction)
    with pytest.raises(Conflict, match=sentence):
        undo.undo_call(actor, call=call, idempotency_key="click")
    assert vendor(extraction) == before and not ToolCall.objects.filter(undoes=call).exists()


def test_a_change_elsewhere_does_not_stand_in_the_way(act: Act, extraction: Extraction, actor: Actor) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    edits.set_path(actor, extraction=extraction, path="total", value=5)
    undo.undo_call(actor, call=call, idempotency_key="click")
    assert vendor(extraction) == "Tools" and extraction.current["total"] == 5


def test_it_needs_the_role_that_the_call_needed(
    act: Act, extraction: Extraction, member: Callable[[Role], Actor]
) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    viewer = member(Role.VIEWER)
    with pytest.raises(Denied):
        undo.undo_call(viewer, call=call, idempotency_key="click")
    assert "needs the role reviewer" in undo.why_not(viewer, call)
    assert undo.undo_call(member(Role.REVIEWER), call=call, idempotency_key="click").undoes == call


def test_a_call_without_an_inverse_has_no_undo(act: Act, actor: Actor) -> None:
    call = act("note", text="x")
    assert undo.why_not(actor, call) == undo.NEVER
    with pytest.raises(Invalid):
        undo.undo_call(actor, call=call, idempotency_key="click")


@pytest.mark.django_db(transaction=True)
def test_a_withdrawn_run_makes_the_earlier_one_current_and_the_money_stays_spent(
    scripted_model: ScriptedModel, act: Act, extraction: Extraction, actor: Actor, prompt: PromptRevision
) -> None:
    scripted_model.will(answers({"vendor": "Second", "total": 3}))
    call = act("run_extraction", prompt_revid=prompt.pk)
    spent = Usage.objects.count()
    assert extractions.get_newest(call.thread.document, prompt) != extraction

    undo.undo_call(actor, call=call, idempotency_key="click")

    assert extractions.get_newest(call.thread.document, prompt) == extraction
    assert Usage.objects.count() == spent == 1
    thread = Thread.objects.get()
    assert "extraction_id" not in thread.working_state and thread.working_state["prompt_revid"] == prompt.pk


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
