"""Refining a proposal in chat: what is approved there changes what the group's proposal stands for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.models import Thread, ToolCall
from agent.services import conversation, refining, threads, turns
from agent.services.decisions import decide
from agent.services.undo import undo
from docrouter.kit.errors import Conflict
from documents.models import AutoCreate, Extraction, Prompt, Schema, SchemaRevision
from documents.services import auto_create, proposals
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
Run = Callable[..., None]


@pytest.fixture
def group(actor: Actor, run: Run) -> list[AutoCreate]:  # noqa: F811
    """Two look-alikes with one proposal."""
    both = [uploaded(actor, INVOICE.format(n=n, who=f"Firm{n}"), f"{n}.pdf") for n in (1, 2)]
    auto_create.assign_waiting()
    run(*DESIGN)
    return [now(each) for each in both]


def more_fields() -> Reply:
    wanted = response_format("total", "tax")
    return calls(("update_schema", {"schema_id": Schema.objects.get().pk, "response_format": wanted}))


def prompt_for_them() -> Reply:
    revision = SchemaRevision.objects.latest("number")
    return calls(("update_prompt", {"prompt_id": Prompt.objects.get().pk, "schema_id": revision.pk}))


def approve_all(actor: Actor) -> None:
    for call in ToolCall.objects.filter(status="pending"):
        decide(
            actor, call=call, kind="approved", idempotency_key=f"k{call.pk}", version=call.version,
            shown_hash=call.shown_hash,
        )  # fmt: skip


def refine(actor: Actor, run: Run, thread: Thread, *replies: Reply | Callable[[], Reply]) -> None:  # noqa: F811
    """One message, and each card that comes of it approved."""
    turns.start(actor, thread=thread, text="Also take the tax")
    for reply in replies:
        run(reply)
        approve_all(actor)
    run(says("Done."))


def test_the_owner_goes_on_in_the_thread_of_the_run(actor: Actor, group: list[AutoCreate]) -> None:
    for auto in group:
        assert refining.thread_for(actor, auto=auto).pk == group[0].thread_id


def test_somebody_else_gets_one_thread_that_knows_what_is_proposed(
    actor: Actor, member: Callable[[Role], Actor], group: list[AutoCreate]
) -> None:
    other = member(Role.BUILDER)
    thread = refining.thread_for(other, auto=group[1])
    proposal = group[1].proposal
    assert proposal and thread.working_state["prompt_revid"] == proposal.prompt_revision_id
    assert (thread.document_id, thread.owner) == (group[1].document_id, other.user)
    assert refining.thread_for(other, auto=group[1]) == thread


def test_approved_changes_are_proposed_and_acceptance_takes_them_for_the_group(
    actor: Actor,
    run: Run,  # noqa: F811
    group: list[AutoCreate],
) -> None:
    thread = refining.thread_for(actor, auto=group[0])
    refine(actor, run, thread, more_fields, prompt_for_them, calls(("run_extraction", {})))
    held = now(group[0]).proposal
    assert held and held.status == "proposed" and held.schema_revision and held.prompt_revision
    assert (held.schema_revision.number, held.schema_revision.status) == (2, "proposed")
    assert held.prompt_revision.schema_revision == held.schema_revision
    assert Schema.objects.get().latest is None and Prompt.objects.get().latest is None
    assert now(group[0]).extraction == Extraction.objects.filter(document=group[0].document).latest("number")
    proposals.accept(actor, proposal=held)
    assert Schema.objects.get().latest == held.schema_revision
    assert Prompt.objects.get().latest == held.prompt_revision
    run()
    for auto in group:
        newest = Extraction.objects.filter(document=auto.document).latest("number")
        assert (newest.prompt_revision, newest.status) == (held.prompt_revision, "completed")
    assert set(SchemaRevision.objects.values_list("number", "status")) == {(1, "rejected"), (2, "accepted")}


def test_a_schema_that_was_refined_alone_takes_its_prompt_along(
    actor: Actor,
    run: Run,  # noqa: F811
    group: list[AutoCreate],
) -> None:
    refine(actor, run, refining.thread_for(actor, auto=group[0]), more_fields)
    held = now(group[0]).proposal
    assert held
    proposals.accept(actor, proposal=held)
    latest = Prompt.objects.get().latest
    assert latest and latest.schema_revision == SchemaRevision.objects.get(number=2)


def test_rejecting_removes_what_was_refined_as_well(actor: Actor, run: Run, group: list[AutoCreate]) -> None:  # noqa: F811
    thread = refining.thread_for(actor, auto=group[0])
    refine(actor, run, thread, more_fields, prompt_for_them, calls(("run_extraction", {})))
    held = now(group[0]).proposal
    assert held
    proposals.reject(actor, proposal=held)
    assert not Schema.objects.filter(trashed_at=None).exists() and not Prompt.objects.filter(trashed_at=None).exists()
    assert set(Extraction.objects.values_list("status", flat=True)) == {"withdrawn"}


def test_a_document_that_leaves_keeps_nothing_of_before_the_refinement(
    actor: Actor,
    run: Run,  # noqa: F811
    group: list[AutoCreate],
) -> None:
    thread = refining.thread_for(actor, auto=group[0])
    refine(actor, run, thread, more_fields, prompt_for_them, calls(("run_extraction", {})))
    proposals.take_out(actor, auto=now(group[0]))
    runs = Extraction.objects.filter(document=group[0].document)
    assert set(runs.values_list("status", flat=True)) == {"withdrawn"} and runs.count() == 2


def test_taking_a_refinement_back_leaves_it_proposed(actor: Actor, run: Run, group: list[AutoCreate]) -> None:  # noqa: F811
    refine(actor, run, refining.thread_for(actor, auto=group[0]), more_fields)
    undo(actor, call=ToolCall.objects.filter(tool="update_schema").get(), idempotency_key="u1")
    held = now(group[0]).proposal
    assert held and held.schema_revision and Schema.objects.get().latest is None
    assert (held.schema_revision.number, held.schema_revision.status) == (3, "proposed")
    assert list(held.schema_revision.json_schema["properties"]) == ["total"]


def test_taking_a_refined_prompt_back_puts_nothing_in_force(
    actor: Actor,
    run: Run,  # noqa: F811
    group: list[AutoCreate],
) -> None:
    again = ("update_prompt", {"prompt_id": Prompt.objects.get().pk, "content": "Take the values, and the tax."})
    refine(actor, run, refining.thread_for(actor, auto=group[0]), calls(again))
    undo(actor, call=ToolCall.objects.filter(tool="update_prompt").get(), idempotency_key="u1")
    held = now(group[0]).proposal
    assert held and held.prompt_revision and Prompt.objects.get().latest is None
    assert (held.prompt_revision.number, held.prompt_revision.content) == (3, "Take the values.")


def test_nothing_is_refined_after_the_decision(actor: Actor, run: Run, group: list[AutoCreate]) -> None:  # noqa: F811
    held = now(group[0]).proposal
    assert held
    proposals.accept(actor, proposal=held)
    with pytest.raises(Conflict, match="was accepted"):
        refining.thread_for(actor, auto=now(group[0]))
    thread = threads.readable(actor, group[0].thread_id)
    refine(actor, run, thread, more_fields)
    assert Schema.objects.select_related("latest").get().latest == SchemaRevision.objects.get(number=2)


def test_what_the_run_made_offers_no_undo_of_its_own(actor: Actor, group: list[AutoCreate]) -> None:
    shown = conversation.present(threads.readable(actor, group[0].thread_id), actor)
    cards = [item for item in shown.items if item.kind == "card"]
    assert [card.call.tool for card in cards] == ["create_schema", "create_prompt", "run_extraction"]
    assert not any(card.may_undo for card in cards)
