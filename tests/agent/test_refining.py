"""Refining a proposal in chat: what is approved there changes what the group's proposal stands for."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.calls.undo import undo_call, why_not
from agent.conversation import threads
from agent.models import ToolCall
from agent.turns import refinement_threads
from agent.views.thread import thread_page
from documents.autosetup import proposals
from documents.models import AutoSetup, Extraction, Prompt, Proposal, Schema, SchemaRevision
from kit.errors import Conflict
from tests.agent.refined_proposals import (  # noqa: F401 - some are fixtures
    _accept,
    _proposal,
    extended,
    group,
    kept_rows,
    organization,
    user,
)
from tests.agent.refinements import Run, more_fields, prompt_for_them, refine
from tests.agent.test_headless import (  # noqa: F401 - run is a fixture
    DESIGN,
    INVOICE,
    now,
    response_format,
    run,
    uploaded,
)
from tests.scripted_model import calls

pytestmark = pytest.mark.django_db(transaction=True)


def refine_group(actor: Actor, run: Run, group: list[AutoSetup]) -> Proposal:
    """The group's proposal once its schema and its prompt were changed in chat and its first document was run again."""
    thread = refinement_threads.thread_for(actor, setup=group[0])
    refine(actor, run, thread, more_fields, prompt_for_them, calls(("run_extraction", {})))
    return _proposal(group[0])


def test_the_owner_goes_on_in_the_thread_of_the_run(actor: Actor, group: list[AutoSetup]) -> None:
    for auto in group:
        assert refinement_threads.thread_for(actor, setup=auto).pk == group[0].thread_id


def test_somebody_else_gets_one_thread_that_knows_what_is_proposed(
    actor: Actor, member: Callable[[Role], Actor], group: list[AutoSetup]
) -> None:
    other = member(Role.BUILDER)
    thread = refinement_threads.thread_for(other, setup=group[1])
    proposal = group[1].proposal
    assert proposal and thread.working_state["prompt_revid"] == proposal.prompt_revision_id
    assert (thread.document_id, thread.owner) == (group[1].document_id, other.user)
    assert refinement_threads.thread_for(other, setup=group[1]) == thread


def test_approved_changes_are_proposed_and_acceptance_takes_them_for_the_group(
    actor: Actor,
    run: Run,
    group: list[AutoSetup],
) -> None:
    proposal = refine_group(actor, run, group)
    assert proposal.status == "proposed" and proposal.schema_revision and proposal.prompt_revision
    assert (proposal.schema_revision.number, proposal.schema_revision.status) == (2, "proposed")
    assert proposal.prompt_revision.schema_revision == proposal.schema_revision
    assert Schema.objects.get().latest is None and Prompt.objects.get().latest is None
    assert now(group[0]).extraction == Extraction.objects.filter(document=group[0].document).latest("number")
    proposals.accept(actor, proposal=proposal)
    assert Schema.objects.get().latest == proposal.schema_revision
    assert Prompt.objects.get().latest == proposal.prompt_revision
    run()
    for auto in group:
        newest = Extraction.objects.filter(document=auto.document).latest("number")
        assert (newest.prompt_revision, newest.status) == (proposal.prompt_revision, "completed")
    assert set(SchemaRevision.objects.values_list("number", "status")) == {(1, "rejected"), (2, "accepted")}


def test_a_schema_that_was_refined_alone_takes_its_prompt_along(
    actor: Actor,
    run: Run,
    group: list[AutoSetup],
) -> None:
    refine(actor, run, refinement_threads.thread_for(actor, setup=group[0]), more_fields)
    proposal = now(group[0]).proposal
    assert proposal
    proposals.accept(actor, proposal=proposal)
    latest = Prompt.objects.get().latest
    assert latest and latest.schema_revision == SchemaRevision.objects.get(number=2)


def test_rejecting_removes_what_was_refined_as_well(actor: Actor, run: Run, group: list[AutoSetup]) -> None:
    proposal = refine_group(actor, run, group)
    proposals.reject(actor, proposal=proposal)
    assert not Schema.objects.filter(trashed_at=None).exists() and not Prompt.objects.filter(trashed_at=None).exists()
    assert set(Extraction.objects.values_list("status", flat=True)) == {"withdrawn"}


def test_a_document_that_leaves_keeps_nothing_of_before_the_refinement(
    actor: Actor,
    run: Run,
    group: list[AutoSetup],
) -> None:
    refine_group(actor, run, group)
    proposals.remove_member(actor, setup=now(group[0]))
    runs = Extraction.objects.filter(document=group[0].document)
    assert set(runs.values_list("status", flat=True)) == {"withdrawn"} and runs.count() == 2


def test_taking_a_refinement_back_leaves_it_proposed(actor: Actor, run: Run, group: list[AutoSetup]) -> None:
    refine(actor, run, refinement_threads.thread_for(actor, setup=group[0]), more_fields)
    undo_call(actor, call=ToolCall.objects.filter(tool="update_schema").get(), idempotency_key="u1")
    proposal = now(group[0]).proposal
    assert proposal and proposal.schema_revision and Schema.objects.get().latest is None
    assert (proposal.schema_revision.number, proposal.schema_revision.status) == (3, "proposed")
    assert list(proposal.schema_revision.json_schema["properties"]) == ["total"]


def test_taking_a_refined_prompt_back_puts_nothing_in_force(
    actor: Actor,
    run: Run,
    group: list[AutoSetup],
) -> None:
    again = ("update_prompt", {"prompt_id": Prompt.objects.get().pk, "content": "Take the values, and the tax."})
    refine(actor, run, refinement_threads.thread_for(actor, setup=group[0]), calls(again))
    undo_call(actor, call=ToolCall.objects.filter(tool="update_prompt").get(), idempotency_key="u1")
    proposal = now(group[0]).proposal
    assert proposal and proposal.prompt_revision and Prompt.objects.get().latest is None
    assert (proposal.prompt_revision.number, proposal.prompt_revision.content) == (3, "Take the values.")


def test_nothing_is_refined_after_the_decision(actor: Actor, run: Run, group: list[AutoSetup]) -> None:
    proposal = now(group[0]).proposal
    assert proposal
    proposals.accept(actor, proposal=proposal)
    with pytest.raises(Conflict, match="was accepted"):
        refinement_threads.thread_for(actor, setup=now(group[0]))
    thread = threads.fetch_readable(actor, group[0].thread_id)
    refine(actor, run, thread, more_fields)
    assert Schema.objects.select_related("latest").get().latest == SchemaRevision.objects.get(number=2)


def test_what_the_run_made_offers_no_undo_of_its_own(actor: Actor, group: list[AutoSetup]) -> None:
    conversation = thread_page.build_conversation(threads.fetch_readable(actor, group[0].thread_id), actor)
    cards = [item for item in conversation.items if item.kind == "card"]
    assert [card.call.tool for card in cards] == ["create_schema", "create_prompt", "run_extraction"]
    assert not any(card.may_undo for card in cards)
    for card in cards:
        assert why_not(actor, card.call) == "Accept or reject the proposal as a whole."
        with pytest.raises(Conflict, match="as a whole"):
            undo_call(actor, call=card.call, idempotency_key=card.call.pk)
    proposals.remove_member(actor, setup=now(group[0]))
    assert all(why_not(actor, card.call) for card in cards[:2])
    _accept(actor, group[1])
    assert not any(why_not(actor, card.call) for card in cards[:2])
