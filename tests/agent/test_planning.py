from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from accounts.models import AuditEntry
from agent.calls import decisions, execution, plans, proposed_calls
from agent.calls.call_drafts import RequestedCall
from agent.conversation import threads
from agent.models import Message, Rule, Thread, ToolCall, Turn
from agent.toolkit.registry import Registry
from agent.turns import loop, turns
from agent.views.thread import thread_page
from documents.definitions import prompts
from documents.models import Prompt, PromptRevision, Schema, SchemaRevision
from tests.agent.conftest import notes
from tests.agent.decision_rows import say
from tests.scripted_model import Reply, ScriptedModel, calls, says

pytestmark = pytest.mark.django_db(transaction=True)
Work = Callable[[], None]
FORMAT = {
    "type": "json_schema",
    "json_schema": {
        "name": "invoice",
        "schema": {"type": "object", "properties": {"total": {"type": "number", "description": "The amount due"}}},
    },
}
SCHEMA = ("create_schema", {"name": "Invoice", "response_format": FORMAT})


@pytest.fixture
def planning_thread(actor: Actor, thread: Thread) -> Thread:
    return threads.set_mode(actor, thread=thread, mode="plan")


@pytest.fixture
def plan(actor: Actor, planning_thread: Thread, scripted_model: ScriptedModel, work: Work) -> Callable[..., Turn]:
    """`plan(calls(…), says(…))`: the turn after the model has told its plan."""

    def tell(*replies: Reply) -> Turn:
        scripted_model.will(*replies)
        turn = turns.start(actor, thread=planning_thread, text="Set it up")
        work()
        return Turn.objects.get(pk=turn.pk)

    return tell


@pytest.fixture
def two_steps(actor: Actor, planning_thread: Thread, scripted_model: ScriptedModel, work: Work) -> Turn:
    """A told plan of two steps: a schema, and a prompt that names the schema which is not there yet."""
    scripted_model.will(calls(SCHEMA))
    turn = turns.start(actor, thread=planning_thread, text="Set it up")
    loop.run_round(turn.pk, holder="test")
    schema_id = (ToolCall.objects.get().result or {})["schema_id"]
    prompt = {"name": "Invoice", "content": "Take the values.", "schema_id": schema_id}
    scripted_model.will(calls(("create_prompt", prompt)), says("Two steps."))
    work()
    turn.refresh_from_db()
    return turn


def steps() -> list[ToolCall]:
    return list(ToolCall.objects.order_by("planned_step", "version"))


def test_steps_are_tried_and_nothing_of_them_stays(
    plan: Callable[..., Turn], scripted_model: ScriptedModel, planning_thread: Thread
) -> None:
    audited = AuditEntry.objects.filter(action="created").count()
    turn = plan(calls(SCHEMA), says("One step."))
    step = ToolCall.objects.get()
    assert (turn.status, step.status, step.planned_step) == ("awaiting_approval", "pending", 1)
    result = json.loads(scripted_model.requests[1]["messages"][-1]["content"])
    assert result["planned"].startswith("Step 1 of the plan.") and result["schema_revid"] in step.preassigned_ids
    assert not Schema.objects.exists()
    assert AuditEntry.objects.filter(action="created").count() == audited


def test_an_approved_plan_gives_the_ids_it_has_named_and_ends_the_turn(
    actor: Actor, plan: Callable[..., Turn], work: Work, scripted_model: ScriptedModel
) -> None:
    turn = plan(calls(SCHEMA), says("One step."))
    result = json.loads(scripted_model.requests[1]["messages"][-1]["content"])
    say(actor, ToolCall.objects.get())
    work()
    turn.refresh_from_db()
    assert SchemaRevision.objects.get().pk == result["schema_revid"]
    assert (turn.status, turn.reason, len(scripted_model.requests)) == ("completed", "The plan was carried out.", 2)


def test_a_later_step_names_what_an_earlier_one_would_make(actor: Actor, two_steps: Turn, work: Work) -> None:
    schema, prompt = steps()
    assert [step.status for step in steps()] == ["pending", "pending"]
    assert {"name": "Schema", "value": "Invoice, version 1"} in prompt.preview["rows"]
    say(actor, prompt)
    work_done = [call for call in steps() if call.status == "succeeded"]
    assert not work_done
    say(actor, schema)
    for call in (prompt, schema, prompt):  # whatever order the wake-ups come in
        execution.execute(call.pk, holder="test")
    assert [step.status for step in steps()] == ["succeeded", "succeeded"]
    revision = PromptRevision.objects.get()
    assert revision.schema_revision_id == SchemaRevision.objects.get().pk
    two_steps.refresh_from_db()
    assert two_steps.status == "completed"
    assert Thread.objects.get().working_state == {
        "schema_revid": revision.schema_revision_id,
        "prompt_revid": revision.pk,
    }


def test_a_part_of_a_plan_can_be_approved(
    actor: Actor, two_steps: Turn, work: Work, scripted_model: ScriptedModel
) -> None:
    schema, prompt = steps()
    scripted_model.will(says("The schema stays without a prompt."))
    say(actor, schema)
    say(actor, prompt, "rejected", reason="No prompt yet")
    work()
    assert (Schema.objects.count(), Prompt.objects.count()) == (1, 0)
    two_steps.refresh_from_db()
    assert two_steps.status == "completed"


def test_an_edited_step_keeps_the_ids_that_later_steps_name(actor: Actor, two_steps: Turn, work: Work) -> None:
    schema, prompt = steps()
    say(actor, schema, arguments={"name": "Supplier invoice", "response_format": FORMAT})
    say(actor, prompt, arguments={**prompt.effective, "content": "Take every value."})
    work()
    revision = PromptRevision.objects.select_related("schema_revision__schema").get()
    assert (revision.content, revision.schema_revision.schema.name) == ("Take every value.", "Supplier invoice")


def test_stopping_in_the_middle_withdraws_the_steps(
    actor: Actor, planning_thread: Thread, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(SCHEMA))
    turn = turns.start(actor, thread=planning_thread, text="Set it up")
    loop.run_round(turn.pk, holder="test")
    assert steps()[0].status == "planned"
    turns.cancel(actor, turn=turn)
    assert steps()[0].status == "cancelled"


def test_a_step_that_no_service_would_take_is_told_to_the_model(
    plan: Callable[..., Turn], scripted_model: ScriptedModel
) -> None:
    turn = plan(calls(SCHEMA, SCHEMA), says("Twice was wrong."))
    first, second = (json.loads(m["content"]) for m in scripted_model.requests[1]["messages"][-2:])
    assert "planned" in first and "error" in second
    assert [step.status for step in turn.calls.all()] == ["pending", "invalid"]


def test_a_step_that_costs_is_not_tried_and_the_model_looks_at_what_came_of_it(
    actor: Actor, plan: Callable[..., Turn], work: Work, scripted_model: ScriptedModel
) -> None:
    turn = plan(calls(("draft", {"text": "dear"})), says("One step."))
    assert "it has not been tried" in scripted_model.requests[1]["messages"][-1]["content"]
    assert notes().count() == 0
    scripted_model.will(says("It is noted."))
    say(actor, steps()[0])
    work()
    turn.refresh_from_db()
    assert (notes().count(), turn.status, len(scripted_model.requests)) == (1, "completed", 3)
    *_, result, _, words = (message.get("content") for message in scripted_model.requests[-1]["messages"])
    assert json.loads(result) == {"noted": "dear"} and "Look at the values that came of it" in words


def test_what_it_plans_after_its_look_ends_without_another_one(
    actor: Actor, plan: Callable[..., Turn], work: Work, scripted_model: ScriptedModel, tools: Registry
) -> None:
    turn = plan(calls(("draft", {"text": "dear"})), says("One step."))
    scripted_model.will(calls(("note", {"text": "more"})), says("One more step."))
    for number in range(2):
        say(actor, steps()[number], key=str(number))
        work()
    turn.refresh_from_db()
    assert (turn.status, turn.reason, len(scripted_model.requests)) == ("completed", plans.CARRIED_OUT, 4)


def test_each_step_of_a_round_is_tried_twice_however_many_there_are(plan: Callable[..., Turn], tools: Registry) -> None:
    with CaptureQueriesContext(connection) as queries:
        plan(calls(*(("note", {"text": str(number)}) for number in range(20))), says("Twenty steps."))
    inserts = [query for query in queries if "'noted'" in query["sql"] and query["sql"].startswith("INSERT")]
    assert [step.status for step in steps()] == ["pending"] * 20
    assert len(inserts) == 2 * 20


@pytest.mark.parametrize(("mode", "per_call"), [("ask", 52), ("plan", 46)])
def test_a_further_change_of_a_round_takes_so_many_statements(
    actor: Actor, thread: Thread, mode: str, per_call: int
) -> None:
    threads.set_mode(actor, thread=thread, mode=mode)
    prompt = prompts.create(actor, name="Invoice", content="Take all values.").prompt
    few, many = (propose_changes(thread, prompt, count) for count in (2, 6))
    assert len(many) - len(few) <= 4 * per_call
    # What waits as a proposal on the document is the same for all of them.
    assert sum('FROM "documents_autosetup"' in statement for statement in many) == 1


def propose_changes(thread: Thread, prompt: Prompt, count: int) -> list[str]:
    """The statements of a round that asks for so many changes of a prompt."""
    number = thread.turns.count() + 1
    turn = Turn.objects.create(
        thread=thread,
        number=number,
        model="m",
        max_rounds=1,
        limit_micros=1,
        code_version="0",
        tainted=False,
    )
    message = Message.objects.create(thread=thread, turn=turn, number=number, role="assistant")
    arguments = [{"prompt_id": prompt.pk, "content": f"Take value {number}."} for number in range(count)]
    requested = [RequestedCall("update_prompt", json.dumps(each)) for each in arguments]
    with CaptureQueriesContext(connection) as captured:
        proposed = proposed_calls.propose_round(turn, message=message, requested=requested)
    assert {call.status for call in proposed} <= {"pending", "planned"}
    Turn.objects.filter(pk=turn.pk).update(status="completed")
    return [query["sql"] for query in captured]


def test_a_plan_takes_fifty_steps_and_no_more(
    plan: Callable[..., Turn], tools: Registry, scripted_model: ScriptedModel
) -> None:
    rounds = [calls(*(("note", {"text": f"{number} of {a_round}"}) for number in range(30))) for a_round in range(2)]
    turn = plan(*rounds, says("Fifty steps."))
    assert [turn.calls.filter(status=status).count() for status in ("pending", "invalid")] == [50, 10]
    assert [step.planned_step for step in steps()][-50:] == list(range(1, 51))
    assert "A plan has at most 50 steps" in scripted_model.requests[2]["messages"][-1]["content"]
    assert notes().count() == 0


def test_rules_and_beforehand_approvals_make_no_more_of_a_plan(
    actor: Actor, planning_thread: Thread, scripted_model: ScriptedModel, work: Work
) -> None:
    Rule.objects.create(organization=actor.organization, scope="organization", tool="create_schema", verdict="allow")
    scripted_model.will(calls(SCHEMA), says("One step."))
    turns.start(actor, thread=planning_thread, text="Set it up", auto_approved=["*"])
    work()
    assert steps()[0].status == "pending" and not Schema.objects.exists()


def test_a_plan_rejected_whole_gives_each_step_the_same_reason(
    actor: Actor, two_steps: Turn, work: Work, scripted_model: ScriptedModel
) -> None:
    faces = [decisions.CardSnapshot(step.pk, step.version, step.shown_hash) for step in steps()]
    scripted_model.will(says("Understood."))
    thread = two_steps.thread
    left = decisions.decide_all(
        actor, thread=thread, kind="rejected", cards=faces, idempotency_key="k", reason="Not now"
    )
    work()
    assert left == []
    assert [(step.status, step.result) for step in steps()] == [("rejected", {"reason": "Not now"})] * 2


def test_the_page_presents_the_steps_as_one_plan(actor: Actor, two_steps: Turn) -> None:
    def list_items() -> list[Any]:
        thread = Thread.objects.select_related("owner", "organization").get()
        return [item for item in thread_page.build_conversation(thread, actor).items if item.kind in ("plan", "card")]

    head, schema, prompt = list_items()
    assert head.sentence == "Nothing has changed. Approve the plan whole, or decide each step."
    assert [(card.position, card.uses, card.takes_along) for card in (schema, prompt)] == [
        ("Step 1 of 2", "", "step 2"),
        ("Step 2 of 2", "step 1", ""),
    ]
    say(actor, prompt.call)
    head, _, prompt = list_items()
    assert head.sentence == "1 to decide · 1 approved"
    assert prompt.outcome.endswith("It runs after step 1.") and not prompt.running
    say(actor, schema.call, "rejected")
    head, _, prompt = list_items()
    assert head.sentence == "1 rejected · 1 superseded"
    assert prompt.problem == "It builds on step 1 (create_schema), which was rejected."
