"""How a run ends that does not go well: with a proposal and a note after its first extraction, else with nothing left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Member, Role, User
from accounts.services import organizations
from agent.calls import execution
from agent.models import ToolCall, Turn
from agent.policy import agent_settings
from agent.turns import headless, loop, turns
from documents import document_changes
from documents.autosetup import auto_setup, proposals, run_results
from documents.definitions import schemas
from documents.models import Budget, Prompt, Proposal, Schema
from tests.agent.test_headless import DESIGN, DONE, SCHEMA, run
from tests.documents.proposal_rows import group_of, make_auto_setup, now, response_format, states
from tests.scripted_model import Reply, ScriptedModel, calls, fails, refuses, says, streams

__all__ = ["run"]
pytestmark = pytest.mark.django_db(transaction=True)
Run = Callable[..., None]
STOPPED = "An admin has stopped the agent in this organization."


def is_nothing_left() -> bool:
    left = [Schema.objects.filter(trashed_at=None), Prompt.objects.filter(trashed_at=None)]
    open_ones = [Turn.objects.filter(status__in=Turn.LIVE), ToolCall.objects.exclude(status__in=ToolCall.TERMINAL)]
    return not any(rows.exists() for rows in [*left, *open_ones])


def drive() -> None:
    """A round of the one turn, at once although it was to wait."""
    Turn.objects.filter(status="queued").update(not_before=None)
    loop.run_round(Turn.objects.get().pk, holder="test")


def execute() -> None:
    for call_id in ToolCall.objects.filter(status="approved").values_list("pk", flat=True):
        execution.execute(call_id, holder="test")


def begin_run(actor: Actor, scripted_model: ScriptedModel, number: int = 1) -> None:
    """A run for a group of so many that has made a schema and is to be asked again."""
    group_of(actor, number)
    headless.sweep()
    scripted_model.will(calls(SCHEMA))
    drive()
    execute()
    assert Schema.objects.count() == 1


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (fails(401, "no"), "key"),
        (says('{"fields": ["number"]}'), "It said: “{"),
        (says(""), "The model answered with nothing."),
        (refuses("I would rather not."), "I would rather not."),
        (streams({"content": "half"}, finish="length"), "length limit"),
        (says("Nothing can be extracted here."), "It said: “Nothing can be extracted here.”"),
    ],
)
def test_an_answer_that_leads_nowhere_fails_with_its_reason(actor: Actor, run: Run, reply: Reply, reason: str) -> None:
    auto = make_auto_setup(actor)
    run(calls(SCHEMA), reply)
    assert now(auto).status == "failed" and reason in now(auto).reason
    assert is_nothing_left()


def test_a_provider_that_stays_away_ends_it(actor: Actor, scripted_model: ScriptedModel) -> None:
    begin_run(actor, scripted_model)
    for _ in range(loop.MAX_WAITS + 1):
        headless.sweep()
        assert Proposal.objects.get().status == "designing"
        scripted_model.will(fails(503), fails(503), fails(503))
        drive()
    headless.sweep()
    assert Proposal.objects.get().status == "failed" and "could not be reached" in Proposal.objects.get().note
    assert is_nothing_left()


def test_a_provider_that_answers_nothing_is_left_when_the_time_is_over(
    actor: Actor, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.HEADLESS_LIMIT_SECONDS = 1
    make_auto_setup(actor)
    headless.sweep()
    while Turn.objects.get().status == "queued":
        scripted_model.will(says("I").with_hang(), says("I").with_hang())
        drive()
    headless.sweep()
    assert Proposal.objects.get().note == "It took 1 s, the most that automatic setup may take."


def test_a_model_that_never_finishes_ends_at_its_limits(actor: Actor, run: Run, settings: Any) -> None:
    settings.HEADLESS_MAX_ROUNDS = 2
    auto = make_auto_setup(actor)
    run(*(calls(("list_schemas", {"skip": n})) for n in range(4)))
    assert now(auto).reason == "It took 2 rounds, the most that automatic setup may take."
    settings.HEADLESS_MAX_ROUNDS = 10
    again = make_auto_setup(actor, name="b.pdf")
    run(*(calls(("list_schemas", {})) for _ in range(4)))
    assert now(again).reason == "The agent asked for the same thing three times."
    assert is_nothing_left()


@pytest.mark.usefixtures("unpriced")
def test_the_budget_ends_it_before_and_after_the_first_extraction(actor: Actor, run: Run, settings: Any) -> None:
    settings.HEADLESS_BUDGET_USD = 0
    auto = make_auto_setup(actor)
    run()
    assert now(auto).reason == (
        "It spent $0.00; automatic setup may spend $0.00. The operator can raise that with HEADLESS_BUDGET_USD."
    )
    settings.HEADLESS_BUDGET_USD = 5

    def used_up() -> Reply:
        Turn.objects.filter(status="queued").update(limit_micros=0)
        return DONE

    again = make_auto_setup(actor, name="b.pdf")
    run(*DESIGN[:3], used_up)
    proposal = now(again).proposal
    assert proposal and (proposal.status, now(again).status) == ("proposed", "proposed")
    assert proposal.note.startswith("It stopped early. It spent $")


@pytest.mark.usefixtures("unpriced")
def test_an_organization_without_budget_says_so(actor: Actor, run: Run) -> None:
    Budget.objects.update_or_create(organization=actor.organization, defaults={"limit_micros": 0})
    auto = make_auto_setup(actor)
    run(DONE)
    assert now(auto).status == "failed" and "budget" in now(auto).reason
    assert is_nothing_left()


def test_no_model_that_can_be_used_says_which_setting_is_missing(actor: Actor, settings: Any) -> None:
    settings.DEFAULT_MODEL = "anthropic/claude-sonnet-4-6"
    auto = make_auto_setup(actor)
    headless.sweep()
    assert now(auto).status == "failed" and "ANTHROPIC_API_KEY" in now(auto).reason
    assert not Turn.objects.exists()


def test_a_tool_that_an_admin_took_away_is_named_to_the_model(actor: Actor, run: Run) -> None:
    agent_settings.change(actor, disabled_tools=["create_schema"])
    auto = make_auto_setup(actor)
    run(calls(SCHEMA), says("I may not create a schema."))
    assert "has taken create_schema from the agent" in ToolCall.objects.get().result["error"]
    assert now(auto).reason.endswith("It said: “I may not create a schema.”")


def test_an_agent_that_is_stopped_begins_nothing_and_ends_what_is_under_way(
    actor: Actor, scripted_model: ScriptedModel
) -> None:
    begin_run(actor, scripted_model)
    organizations.stop_agent(actor, stopped=True)
    late = make_auto_setup(actor, "Quite another page about the weather", "late.pdf")
    headless.sweep()
    headless.sweep()
    assert [proposal.note for proposal in Proposal.objects.all()] == [STOPPED, STOPPED]
    assert now(late).reason == STOPPED and is_nothing_left()
    organizations.stop_agent(actor, stopped=False)
    proposals.retry(actor, setup=now(late))
    headless.sweep()
    assert now(late).status == "running"


def test_a_person_who_stops_the_turn_is_told_of(actor: Actor, scripted_model: ScriptedModel) -> None:
    begin_run(actor, scripted_model)
    turns.cancel(actor, turn=Turn.objects.get())
    headless.sweep()
    assert Proposal.objects.get().note == "The user stopped the turn." and is_nothing_left()


def test_a_rejection_stops_the_run_although_no_message_arrives(actor: Actor, scripted_model: ScriptedModel) -> None:
    begin_run(actor, scripted_model, number=2)
    proposals.reject(actor, proposal=Proposal.objects.get())
    headless.sweep()
    headless.sweep()
    assert Turn.objects.get().status == "cancelled" and is_nothing_left()
    assert list(headless._due()) == []


def test_a_rejection_whose_turn_is_gone_keeps_no_later_one_waiting(actor: Actor, scripted_model: ScriptedModel) -> None:
    begin_run(actor, scripted_model)
    proposals.reject(actor, proposal=Proposal.objects.get())
    assert list(headless._due()) == [Proposal.objects.get()]
    Turn.objects.all().delete()
    assert list(headless._due()) == []


def test_a_call_that_still_runs_is_waited_for(actor: Actor, scripted_model: ScriptedModel) -> None:
    begin_run(actor, scripted_model)
    scripted_model.will(calls(("create_schema", {"name": "Other", "response_format": response_format("sum")})))
    drive()
    call = execution.claim_call(ToolCall.objects.get(status="approved").pk)
    assert call
    proposals.reject(actor, proposal=Proposal.objects.get())
    for _ in ("stopped", "waited for", "waited for"):
        headless.sweep()
    assert Turn.objects.get().status == "cancelled" and Schema.objects.filter(trashed_at=None).exists()
    execution._run_call(call)
    headless.sweep()
    assert Schema.objects.count() == 2 and is_nothing_left()


def test_a_name_that_is_taken_in_between_is_told_to_the_model(actor: Actor, scripted_model: ScriptedModel) -> None:
    make_auto_setup(actor)
    headless.sweep()
    scripted_model.will(calls(SCHEMA))
    drive()
    schemas.create(actor, name="Invoice", response_format=response_format("sum"))
    execute()
    call = ToolCall.objects.get()
    assert (call.status, Turn.objects.get().status) == ("failed", "queued")
    assert "There is a schema named “Invoice” already" in call.result["error"]


def test_a_change_by_a_person_in_between_leaves_no_card_that_nobody_sees(
    actor: Actor, scripted_model: ScriptedModel
) -> None:
    begin_run(actor, scripted_model)
    schema = Schema.objects.get()
    more = {"schema_id": schema.pk, "response_format": response_format("total", "tax")}
    scripted_model.will(calls(("update_schema", more)))
    drive()
    edited = schemas.save_version(actor, schema=schema, response_format=response_format("total", "sum"))
    execute()
    assert set(ToolCall.objects.values_list("status", flat=True)) == {"succeeded"}
    assert Turn.objects.get().status == "queued" and Schema.objects.get().latest == edited


def test_when_its_document_goes_to_the_trash_the_next_of_the_group_leads(
    actor: Actor, run: Run, scripted_model: ScriptedModel
) -> None:
    members = group_of(actor)
    headless.sweep()
    scripted_model.will(calls(SCHEMA))
    drive()
    execute()
    document_changes.trash(actor, document=members[0].document)
    for _ in ("stopped", "handed over", "begun"):
        headless.sweep()
    assert Proposal.objects.get().lead == members[1].document
    assert states(members) == ["queued", "running", "queued"] and not Schema.objects.filter(trashed_at=None).exists()
    run(*DESIGN)
    assert states(members) == ["queued", "proposed", "proposed"]
    document_changes.restore(actor, document=members[0].document)
    run()
    assert states(members) == ["proposed"] * 3
    assert Proposal.objects.count() == 1 and Schema.objects.filter(trashed_at=None).count() == 1


def test_the_only_document_in_the_trash_ends_it_and_restored_begins_anew(
    actor: Actor, scripted_model: ScriptedModel
) -> None:
    begin_run(actor, scripted_model)
    auto = Proposal.objects.get().members.get()
    document_changes.trash(actor, document=auto.document)
    headless.sweep()
    headless.sweep()
    assert Proposal.objects.get().note == run_results.TRASHED and is_nothing_left()
    assert (now(auto).status, now(auto).proposal) == ("queued", None)
    document_changes.restore(actor, document=auto.document)
    headless.sweep()
    assert now(auto).status == "running"


def test_whoever_asked_and_left_ends_only_their_own(actor: Actor, member: Callable[[Role], Actor]) -> None:
    reviewer, other = member(Role.REVIEWER), member(Role.REVIEWER)
    left, gone = make_auto_setup(reviewer), make_auto_setup(other, "Quite another page about the weather", "b.pdf")
    stays = make_auto_setup(actor, "A third one without any likeness", "c.pdf")
    Member.objects.filter(user=reviewer.user).delete()
    User.objects.filter(pk=other.user.pk).delete()
    headless.sweep()
    assert states([left, gone, stays]) == ["failed", "failed", "running"]
    assert now(left).reason == now(gone).reason == auto_setup.NOBODY


def test_whoever_asked_and_is_deleted_while_it_runs_ends_it(actor: Actor, member: Callable[[Role], Actor]) -> None:
    reviewer = member(Role.REVIEWER)
    auto = make_auto_setup(reviewer)
    headless.sweep()
    User.objects.filter(pk=reviewer.user.pk).delete()
    headless.sweep()
    assert (now(auto).status, now(auto).reason) == ("failed", auto_setup.NOBODY)
