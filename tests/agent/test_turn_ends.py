"""Where a model says that its answer is the last: no further round unless something that came of it wants one."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from agent.models import Thread, ToolCall, Turn
from documents.models import Schema
from tests.agent.conversation_items import list_items
from tests.agent.decision_rows import say
from tests.agent.test_planning import SCHEMA, plan, planning_thread  # noqa: F401 - fixtures
from tests.agent.turn_rows import LOOK, NOTE, Work, last_text, now
from tests.scripted_model import Reply, ScriptedModel, calls, says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]
END = ("end_turn", {})
NOTED = calls(NOTE, END, text="I note it.")


def decide_all(actor: Actor, kind: str = "approved", **more: Any) -> None:
    for call in ToolCall.objects.filter(status="pending").order_by("position"):
        say(actor, call, kind, **more)


def test_the_turn_ends_with_its_calls(
    actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel, thread: Any
) -> None:
    turn = ask("Note it", NOTED)
    work()
    assert now(turn).status == "awaiting_approval"
    decide_all(actor)
    work()
    assert (now(turn).status, last_text(), len(scripted_model.requests)) == ("completed", "I note it.", 1)
    assert not list_items(thread, actor, "ran")


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (NOTED, "rejected"),
        (calls(("note", {"text": "half done"}), END), "approved"),
        (calls(("note", {"text": "smudged"}), END), "approved"),
        (calls(NOTE, ("note", {"text": "taken", "key": "b"}), END), "approved"),
        (calls(LOOK, NOTE, END), "approved"),
        (calls(("send", {"to": "x"}), END), "approved"),
    ],
    ids=["rejected", "failed", "doubted", "one of two failed", "something read", "answered from outside"],
)
def test_it_goes_on_where_there_is_something_to_look_at(
    actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel, reply: Reply, kind: str
) -> None:
    turn = ask("Note it", reply, says("Looked."))
    work()
    decide_all(actor, kind)
    work()
    assert (now(turn).status, last_text(), len(scripted_model.requests)) == ("completed", "Looked.", 2)


def test_an_edited_call_ends_it_too(actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    turn = ask("Note it", NOTED)
    work()
    decide_all(actor, arguments={"text": "z"})
    work()
    assert (now(turn).status, len(scripted_model.requests)) == ("completed", 1)


def test_what_runs_without_a_card_ends_it_too(ask: Any, work: Work, scripted_model: ScriptedModel, thread: Any) -> None:
    thread.mode = "auto"
    thread.save()
    turn = ask("Note it", NOTED)
    work()
    assert (now(turn).status, len(scripted_model.requests)) == ("completed", 1)


def test_alone_it_is_an_answer_without_calls(ask: Any, work: Work) -> None:
    turn = ask("?", calls(END, text="An invoice."))
    work()
    assert (now(turn).status, last_text(), ToolCall.objects.count()) == ("completed", "An invoice.", 0)


STEPS = ("set_steps", {"steps": ["Look", "Note"], "done": [1, 2]})


@pytest.mark.parametrize(("others", "cards"), [((), 0), ((NOTE,), 1)])
def test_beside_the_steps_that_it_ticks_off_it_ends_too(
    actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel, thread: Any, others: Any, cards: int
) -> None:
    turn = ask("Note it", calls(*others, STEPS, END, text="Both are done. The total is 41.00."))
    work()
    assert ToolCall.objects.filter(status="pending").count() == cards
    decide_all(actor)
    work()
    assert (now(turn).status, len(scripted_model.requests)) == ("completed", 1)
    assert [step["done"] for step in Thread.objects.get(pk=thread.pk).steps] == [True, True]
    [checked] = [block for block in turn.messages.latest("number").blocks if block["type"] in ("checked", "on_the_way")]
    assert checked["type"] == ("on_the_way" if others else "checked") and checked["unsupported"]


def test_steps_that_are_refused_are_looked_at(ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    turn = ask("Note it", calls(("set_steps", {"done": [7]}), END, text="Done."), says("Looked."))
    work()
    assert (now(turn).status, len(scripted_model.requests)) == ("completed", 2)


def test_it_is_no_repetition(actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel) -> None:
    replies = [calls(("note", {"text": "taken", "key": str(number)}), END) for number in range(4)]
    turn = ask("Note it", *replies, says("I cannot."))
    for _ in replies:
        work()
        decide_all(actor)
    work()
    assert (now(turn).status, len(scripted_model.requests)) == ("completed", 5)


def test_it_presents_a_plan(actor: Actor, plan: Callable[..., Turn], work: Work, scripted_model: ScriptedModel) -> None:
    turn = plan(calls(SCHEMA, END, text="One step."))
    step = ToolCall.objects.get(tool="create_schema")
    assert (turn.status, step.status, len(scripted_model.requests)) == ("awaiting_approval", "pending", 1)
    say(actor, step)
    work()
    assert (now(turn).status, Schema.objects.count(), len(scripted_model.requests)) == ("completed", 1, 1)


def test_it_presents_a_plan_beside_steps(plan: Callable[..., Turn], scripted_model: ScriptedModel) -> None:
    turn = plan(calls(SCHEMA, STEPS, END, text="One step."))
    assert (turn.status, ToolCall.objects.get(tool="create_schema").status) == ("awaiting_approval", "pending")


def test_a_plan_with_a_step_that_cannot_be_is_not_presented(
    plan: Callable[..., Turn], scripted_model: ScriptedModel
) -> None:
    turn = plan(calls(SCHEMA, ("create_schema", {"name": ""}), END), says("One step."))
    assert (turn.status, len(scripted_model.requests)) == ("awaiting_approval", 2)


@pytest.mark.parametrize(("builds_on", "rounds"), [([], 1), ([1], 2)])
def test_what_a_new_definition_gives_is_looked_at(
    actor: Actor, ask: Any, work: Work, scripted_model: ScriptedModel, builds_on: list[int], rounds: int
) -> None:
    ask("Note it", calls(NOTE, ("draft", {"text": "y"}), END), says("Looked."))
    work()
    ToolCall.objects.filter(tool="note").update(chain=1, chain_step=1)
    ToolCall.objects.filter(tool="draft").update(chain=1, chain_step=2, builds_on=builds_on)
    decide_all(actor)
    work()
    assert len(scripted_model.requests) == rounds
