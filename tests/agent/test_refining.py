"""Refining a proposal in chat: what is approved there changes what the group's proposal stands for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Organization, Role, User
from accounts.services import organizations, users
from agent.calls.undo import undo_call, why_not
from agent.conversation import threads
from agent.models import Thread, ToolCall
from agent.turns import refinement_threads, turns
from agent.views import thread_page
from documents import extractions
from documents.autosetup import auto_setup, proposals
from documents.definitions import prompts
from documents.models import AutoSetup, Extraction, Prompt, Proposal, Reading, Schema, SchemaRevision
from kit.errors import Conflict
from tests.agent.refinements import Run, more_fields, prompt_for_them, refine
from tests.agent.test_headless import (  # noqa: F401 - run is a fixture
    DESIGN,
    INVOICE,
    now,
    response_format,
    run,
    uploaded,
)
from tests.kept_rows import KeptRows
from tests.scripted_model import Reply, calls, says

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def kept_rows() -> dict[str, KeptRows]:
    """Of each start that the tests have in common: the model is asked for it once."""
    return {"group": KeptRows(), "extended": KeptRows()}


@pytest.fixture
def group(run: Run, kept_rows: dict[str, KeptRows]) -> list[AutoSetup]:  # noqa: F811
    """Two look-alikes with one proposal, in an organization of their own."""

    def make() -> None:
        user = users.create(None, email="admin@acme.example", password=None, name="Admin")
        actor = enter(user, organizations.create(user, name="Acme", type="team").pk)
        for number in (1, 2):
            uploaded(actor, INVOICE.format(n=number, who=f"Firm{number}"), f"{number}.pdf")
        auto_setup.assign_waiting()
        run(*DESIGN)

    kept_rows["group"].make_or_put_back(make)
    return [now(auto) for auto in AutoSetup.objects.order_by("document__name")]


@pytest.fixture
def user(group: list[AutoSetup]) -> User:
    return User.objects.get()


@pytest.fixture
def organization(group: list[AutoSetup]) -> Organization:
    return Organization.objects.get()


def refine_group(actor: Actor, run: Run, group: list[AutoSetup]) -> Proposal:  # noqa: F811
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
    run: Run,  # noqa: F811
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
    run: Run,  # noqa: F811
    group: list[AutoSetup],
) -> None:
    refine(actor, run, refinement_threads.thread_for(actor, setup=group[0]), more_fields)
    proposal = now(group[0]).proposal
    assert proposal
    proposals.accept(actor, proposal=proposal)
    latest = Prompt.objects.get().latest
    assert latest and latest.schema_revision == SchemaRevision.objects.get(number=2)


def test_rejecting_removes_what_was_refined_as_well(actor: Actor, run: Run, group: list[AutoSetup]) -> None:  # noqa: F811
    proposal = refine_group(actor, run, group)
    proposals.reject(actor, proposal=proposal)
    assert not Schema.objects.filter(trashed_at=None).exists() and not Prompt.objects.filter(trashed_at=None).exists()
    assert set(Extraction.objects.values_list("status", flat=True)) == {"withdrawn"}


def test_a_document_that_leaves_keeps_nothing_of_before_the_refinement(
    actor: Actor,
    run: Run,  # noqa: F811
    group: list[AutoSetup],
) -> None:
    refine_group(actor, run, group)
    proposals.remove_member(actor, setup=now(group[0]))
    runs = Extraction.objects.filter(document=group[0].document)
    assert set(runs.values_list("status", flat=True)) == {"withdrawn"} and runs.count() == 2


def test_taking_a_refinement_back_leaves_it_proposed(actor: Actor, run: Run, group: list[AutoSetup]) -> None:  # noqa: F811
    refine(actor, run, refinement_threads.thread_for(actor, setup=group[0]), more_fields)
    undo_call(actor, call=ToolCall.objects.filter(tool="update_schema").get(), idempotency_key="u1")
    proposal = now(group[0]).proposal
    assert proposal and proposal.schema_revision and Schema.objects.get().latest is None
    assert (proposal.schema_revision.number, proposal.schema_revision.status) == (3, "proposed")
    assert list(proposal.schema_revision.json_schema["properties"]) == ["total"]


def test_taking_a_refined_prompt_back_puts_nothing_in_force(
    actor: Actor,
    run: Run,  # noqa: F811
    group: list[AutoSetup],
) -> None:
    again = ("update_prompt", {"prompt_id": Prompt.objects.get().pk, "content": "Take the values, and the tax."})
    refine(actor, run, refinement_threads.thread_for(actor, setup=group[0]), calls(again))
    undo_call(actor, call=ToolCall.objects.filter(tool="update_prompt").get(), idempotency_key="u1")
    proposal = now(group[0]).proposal
    assert proposal and proposal.prompt_revision and Prompt.objects.get().latest is None
    assert (proposal.prompt_revision.number, proposal.prompt_revision.content) == (3, "Take the values.")


def test_nothing_is_refined_after_the_decision(actor: Actor, run: Run, group: list[AutoSetup]) -> None:  # noqa: F811
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


@pytest.fixture
def extended(actor: Actor, run: Run, group: list[AutoSetup], kept_rows: dict[str, KeptRows]) -> AutoSetup:  # noqa: F811
    """Version 1 is in force, and version 2 with one more field is proposed for a third document."""

    def make() -> None:
        _accept(actor, group[0])
        uploaded(actor, INVOICE.format(n=3, who="Zebra"), "3.pdf")
        run(calls(_widen()), prompt_for_them, calls(("run_extraction", {})), says("Extended."))

    kept_rows["extended"].make_or_put_back(make)
    return now(AutoSetup.objects.get(document__name="3.pdf"))


def _widen(*names: str) -> tuple[str, dict[str, object]]:
    new_format = response_format(*(names or ("total", "tax")))
    return "update_schema", {"schema_id": Schema.objects.get().pk, "response_format": new_format}


def _new_text(text: str = "Take the values, and the tax.") -> Reply:
    return calls(("update_prompt", {"prompt_id": Prompt.objects.get().pk, "content": text}))


def _proposal(auto: AutoSetup) -> Proposal:
    proposal = now(auto).proposal
    assert proposal and proposal.schema_revision and proposal.prompt_revision
    return proposal


def _accept(actor: Actor, auto: AutoSetup) -> Proposal:
    proposals.accept(actor, proposal=_proposal(auto))
    return _proposal(auto)


def _fields(revision: SchemaRevision | None) -> list[str]:
    assert revision
    return sorted(revision.json_schema["properties"])


def test_a_refined_extension_keeps_what_it_extends_by(actor: Actor, run: Run, extended: AutoSetup) -> None:  # noqa: F811
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
    run: Run,  # noqa: F811
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


def test_a_run_that_looks_again_keeps_its_own_extension(actor: Actor, run: Run, group: list[AutoSetup]) -> None:  # noqa: F811
    _accept(actor, group[0])
    auto = uploaded(actor, INVOICE.format(n=3, who="Zebra"), "3.pdf")
    extraction = calls(("run_extraction", {}))
    run(calls(_widen()), prompt_for_them, extraction, _new_text, extraction, says("Extended."))
    proposal = _proposal(auto)
    assert proposal.prompt_revision and (proposal.prompt_revision.number, proposal.extends) == (3, True)
    assert _fields(proposal.schema_revision) == _fields(proposal.prompt_revision.schema_revision) == ["tax", "total"]


def test_a_refined_extension_is_taken_back_to_what_was_proposed(
    actor: Actor,
    run: Run,  # noqa: F811
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


def test_a_refinement_is_not_taken_back_over_another(actor: Actor, run: Run, extended: AutoSetup) -> None:  # noqa: F811
    thread = refinement_threads.thread_for(actor, setup=extended)
    refine(actor, run, thread, _new_text)
    first = ToolCall.objects.filter(tool="update_prompt").latest("created_at")
    refine(actor, run, thread, _new_text("Take the tax alone."))
    with pytest.raises(Conflict, match="changed since"):
        undo_call(actor, call=first, idempotency_key="u1")


def test_acceptance_starts_runs_of_before_the_refinement_anew(actor: Actor, run: Run, group: list[AutoSetup]) -> None:  # noqa: F811
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
    run: Run,  # noqa: F811
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
    run: Run,  # noqa: F811
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
    run: Run,  # noqa: F811
    extended: AutoSetup,
) -> None:
    thread = threads.create(actor, document=extended.document, title="Chat")
    turns.start(actor, thread=thread, text="One more prompt")
    run(calls(("create_prompt", {"name": "Other", "content": "Take it.", "schema_id": Schema.objects.get().pk})))
    card = ToolCall.objects.get(thread=thread)
    assert (card.effective["schema_version"], card.preview["warnings"]) == (1, [])
