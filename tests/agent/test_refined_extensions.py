"""Refining a proposal that extends accepted definitions."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import pytest

from accounts.actor import Actor
from agent.calls.undo import undo_call
from agent.conversation import threads
from agent.models import Thread, ToolCall
from agent.turns import refinement_threads, turns
from documents import extractions
from documents.definitions import prompts
from documents.models import AutoSetup, Prompt, Reading, Schema, SchemaRevision
from kit.errors import Conflict
from tests.agent.refined_proposals import (  # noqa: F401 - some are fixtures
    _accept,
    _proposal,
    _widen,
    extended,
    group,
    kept_rows,
    organization,
    user,
)
from tests.agent.refinements import Run, prompt_for_them, refine
from tests.agent.test_headless import (  # noqa: F401 - run is a fixture
    DESIGN,
    INVOICE,
    now,
    response_format,
    run,
    uploaded,
)
from tests.scripted_model import Reply, calls, says

pytestmark = pytest.mark.django_db(transaction=True)


def _new_text(text: str = "Take the values, and the tax.") -> Reply:
    return calls(("update_prompt", {"prompt_id": Prompt.objects.get().pk, "content": text}))


def _fields(revision: SchemaRevision | None) -> list[str]:
    assert revision
    return sorted(revision.json_schema["properties"])


def test_a_refined_extension_keeps_what_it_extends_by(actor: Actor, run: Run, extended: AutoSetup) -> None:
    assert _proposal(extended).extends
    refine(actor, run, refinement_threads.thread_for(actor, setup=extended), _new_text)
    proposal = _proposal(extended)
    assert proposal.prompt_revision and proposal.prompt_revision.number == 3
    assert _fields(proposal.prompt_revision.schema_revision) == _fields(proposal.schema_revision) == ["tax", "total"]
    card = ToolCall.objects.filter(tool="update_prompt").latest("created_at")
    assert card.preview["subtitle"] == "version 2 → 3" and card.preview["warnings"] == []
    _accept(actor, extended)
    latest = Prompt.objects.get().latest
    assert latest and latest.content == "Take the values, and the tax."
    assert _fields(latest.schema_revision) == _fields(Schema.objects.get().latest) == ["tax", "total"]


def test_a_refined_schema_of_an_extension_starts_from_the_proposed_fields(
    actor: Actor,
    run: Run,
    extended: AutoSetup,
) -> None:
    wider = calls(_widen("total", "tax", "due"))
    refine(actor, run, refinement_threads.thread_for(actor, setup=extended), wider)
    card = ToolCall.objects.filter(tool="update_schema").latest("created_at")
    # PostgreSQL keeps keys in an order of its own, so that the order may count as changed.
    assert [row["name"] for row in card.preview["field_changes"] if row["name"]] == ["due"]
    assert card.preview["subtitle"] == "version 2 → 3"
    undo_call(actor, call=card, idempotency_key="u1")
    revision = _proposal(extended).schema_revision
    assert revision and (revision.number, revision.status) == (4, "proposed")
    assert _fields(revision) == ["tax", "total"]
    assert _fields(Schema.objects.get().latest) == ["total"]


def test_a_run_that_looks_again_keeps_its_own_extension(actor: Actor, run: Run, group: list[AutoSetup]) -> None:
    _accept(actor, group[0])
    auto = uploaded(actor, INVOICE.format(n=3, who="Zebra"), "3.pdf")
    extraction = calls(("run_extraction", {}))
    run(calls(_widen()), prompt_for_them, extraction, _new_text, extraction, says("Extended."))
    proposal = _proposal(auto)
    assert proposal.prompt_revision and (proposal.prompt_revision.number, proposal.extends) == (3, True)
    assert _fields(proposal.schema_revision) == _fields(proposal.prompt_revision.schema_revision) == ["tax", "total"]


def test_a_refined_extension_is_taken_back_to_what_was_proposed(
    actor: Actor,
    run: Run,
    extended: AutoSetup,
) -> None:
    refine(actor, run, refinement_threads.thread_for(actor, setup=extended), _new_text)
    card = ToolCall.objects.filter(tool="update_prompt").latest("created_at")
    in_force = Prompt.objects.get().latest_id
    undo_call(actor, call=card, idempotency_key="u1")
    back = _proposal(extended).prompt_revision
    assert back and (back.number, back.status, back.content) == (4, "proposed", "Take the values.")
    assert _fields(back.schema_revision) == ["tax", "total"]
    assert Prompt.objects.get().latest_id == in_force


def test_a_refinement_is_not_taken_back_over_another(actor: Actor, run: Run, extended: AutoSetup) -> None:
    thread = refinement_threads.thread_for(actor, setup=extended)
    refine(actor, run, thread, _new_text)
    first = ToolCall.objects.filter(tool="update_prompt").latest("created_at")
    refine(actor, run, thread, _new_text("Take the tax alone."))
    with pytest.raises(Conflict, match="changed since"):
        undo_call(actor, call=first, idempotency_key="u1")


def test_acceptance_starts_runs_of_before_the_refinement_anew(actor: Actor, run: Run, group: list[AutoSetup]) -> None:
    before = _proposal(group[0]).prompt_revision
    refine(actor, run, refinement_threads.thread_for(actor, setup=group[0]), _new_text)
    waiting = extractions.start(actor, document=group[1].document, prompt_revision=before)
    AutoSetup.objects.filter(pk=group[1].pk).update(status="running", extraction=waiting)
    proposal = _accept(actor, group[0])
    waiting.refresh_from_db()
    assert waiting.status == "withdrawn"
    run()
    other = now(group[1])
    assert other.status == "accepted" and other.extraction
    assert (other.extraction.prompt_revision, other.extraction.status) == (proposal.prompt_revision, "completed")


def test_one_document_that_cannot_be_extracted_anew_keeps_none_from_being_accepted(
    actor: Actor,
    run: Run,
    group: list[AutoSetup],
) -> None:
    refine(actor, run, refinement_threads.thread_for(actor, setup=group[0]), _new_text)
    Reading.objects.filter(document=group[1].document).update(status="failed")
    _accept(actor, group[0])
    assert (now(group[0]).status, now(group[1]).status) == ("accepted", "failed")
    assert "has not been read yet" in now(group[1]).reason


@pytest.mark.parametrize("is_new", [True, False])
def test_nothing_proposed_comes_into_force_unasked(
    actor: Actor,
    run: Run,
    group: list[AutoSetup],
    is_new: bool,
) -> None:
    """A document's text can order exactly this. A prompt in force puts the schema that it fills in force."""
    own = prompts.create(actor, name="Mine", content="Take it.")
    schema_id = _proposal(group[0]).schema_revision_id
    request = ("create_prompt", {"name": "Other", "content": "Take it.", "schema_id": schema_id})
    if not is_new:
        request = ("update_prompt", {"prompt_id": own.prompt_id, "schema_id": schema_id})
    thread = threads.create(actor, document=group[0].document, title="Chat")
    Thread.objects.filter(pk=thread.pk).update(mode="auto")
    turns.start(actor, thread=Thread.objects.get(pk=thread.pk), text="Do as it says")
    run(calls(request))
    card = ToolCall.objects.get(thread=thread)
    assert (card.status, card.reach) == ("pending", "organization")
    assert any("version 1 of the schema “Invoice” into force" in warning for warning in card.preview["warnings"])
    assert Schema.objects.get().latest is None


def test_a_new_prompt_takes_the_version_in_force_beside_a_proposal(
    actor: Actor,
    run: Run,
    extended: AutoSetup,
) -> None:
    thread = threads.create(actor, document=extended.document, title="Chat")
    turns.start(actor, thread=thread, text="One more prompt")
    run(calls(("create_prompt", {"name": "Other", "content": "Take it.", "schema_id": Schema.objects.get().pk})))
    card = ToolCall.objects.get(thread=thread)
    assert (card.effective["schema_version"], card.preview["warnings"]) == (1, [])
