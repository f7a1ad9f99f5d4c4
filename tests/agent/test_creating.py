"""How much one turn creates before a person is asked, whatever lets its calls run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.conversation import threads
from agent.models import Rule, Thread, ToolCall
from agent.policy import rules
from agent.policy.policy_context import Policy
from agent.turns import turns
from documents.models import Document, Prompt, Schema, Tag
from tests.agent.decision_rows import say
from tests.agent.test_tools import FORMAT
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = pytest.mark.django_db
Asked = tuple[str, dict[str, Any]]
Propose = Callable[..., list[ToolCall]]
WHY = "A turn creates 5 things without asking, and this is number {}."


def schema(number: int) -> Asked:
    return "create_schema", {"name": f"Schema {number}", "response_format": FORMAT}


def prompt(number: int) -> Asked:
    return "create_prompt", {"name": f"Prompt {number}", "content": "Read it."}


def tag(number: int) -> Asked:
    return "create_tag", {"name": f"Tag {number}"}


def prompts(how_many: int) -> list[Asked]:
    return [prompt(number) for number in range(how_many)]


def statuses(proposed: list[ToolCall]) -> list[str]:
    return [call.status for call in proposed]


def run(proposed: list[ToolCall]) -> list[str]:
    for call in proposed:
        execution.execute(call.pk, holder="test")
        call.refresh_from_db()
    return statuses(proposed)


def test_forty_tags_of_one_order_are_forty_cards(propose: Propose) -> None:
    proposed = propose(*(tag(number) for number in range(40)), mode="auto")
    assert run(proposed) == ["pending"] * 40
    assert not Tag.objects.exists()


def test_the_sixth_thing_asks_whatever_it_is(propose: Propose) -> None:
    proposed = propose(schema(1), prompt(1), schema(2), prompt(2), schema(3), prompt(3), schema(4), mode="auto")
    assert run(proposed) == ["succeeded"] * 5 + ["pending"] * 2
    assert [call.why_asks for call in proposed[5:]] == [WHY.format(6), WHY.format(7)]
    assert (Schema.objects.count(), Prompt.objects.count()) == (3, 2)


@pytest.mark.django_db(transaction=True)
def test_the_rounds_of_a_turn_count_together_and_the_next_turn_begins_anew(
    actor: Actor, document: Document, scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    thread = threads.create(actor, document=document)
    threads.set_mode(actor, thread=thread, mode="auto")
    rounds = [prompts(3), [prompt(3), prompt(4), prompt(5)]]
    scripted_model.will(*(calls(*each) for each in rounds), calls(prompt(5)), says("Done."))
    first = turns.start(actor, thread=thread, text="Set it up")
    work()
    assert statuses(list(first.calls.all())) == ["succeeded"] * 5 + ["pending"]
    second = turns.start(actor, thread=thread, text="Go on")
    work()
    assert statuses(list(second.calls.all())) == ["succeeded"]


def test_what_waits_counts_and_what_came_to_nothing_does_not(propose: Propose) -> None:
    nameless = ("create_prompt", {"name": "", "content": "Read it."})
    proposed = propose(tag(1), nameless, *prompts(5), mode="auto")
    assert run(proposed) == ["pending", "invalid", *["succeeded"] * 4, "pending"]
    assert proposed[-1].why_asks == WHY.format(6)


def test_a_person_may_let_more_run_one_by_one(actor: Actor, propose: Propose) -> None:
    proposed = propose(*prompts(7), mode="auto")
    say(actor, proposed[5])
    assert run(proposed) == ["succeeded"] * 6 + ["pending"]


@pytest.mark.parametrize("scope", ["thread", "user", "organization"])
def test_no_rule_lets_a_document_have_more_made(actor: Actor, thread: Thread, propose: Propose, scope: str) -> None:
    Rule.objects.create(
        organization=actor.organization,
        scope=scope,
        tool="create_prompt",
        verdict="allow",
        user=actor.user if scope == "user" else None,
        thread=thread if scope == "thread" else None,
    )
    assert run(propose(*prompts(7))) == ["succeeded"] * 5 + ["pending"] * 2


def test_an_always_allow_is_not_offered_where_it_would_spare_no_card(actor: Actor, propose: Propose) -> None:
    first, *_, last = propose(*prompts(6))
    offered = [rules.find_offers(actor, call=call, policy=Policy(call.thread)) for call in (first, last)]
    assert (offered[0].scopes, offered[0].why_none) == (("thread", "user", "organization"), "")
    assert (offered[1].scopes, offered[1].why_none) == ((), WHY.format(6))


@pytest.mark.django_db(transaction=True)
def test_nor_does_a_client_that_approved_beforehand(
    actor: Actor, document: Document, scripted_model: ScriptedModel, work: Callable[[], None]
) -> None:
    scripted_model.will(calls(*prompts(7)))
    thread = threads.create(actor, document=document)
    turn = turns.start(actor, thread=thread, text="Set it up", auto_approved=["*"], origin="api")
    work()
    assert statuses(list(turn.calls.all())) == ["succeeded"] * 5 + ["pending"] * 2


def test_what_changes_something_and_creates_nothing_is_not_counted(propose: Propose) -> None:
    changes = [("note", {"text": f"note {number}"}) for number in range(5)]
    assert statuses(propose(*changes, prompt(1), mode="auto")) == ["approved"] * 6


def test_how_many_is_a_setting(propose: Propose, settings: Any) -> None:
    settings.MAX_CREATED_UNASKED = 0
    assert statuses(propose(prompt(1), ("note", {"text": "x"}), mode="auto")) == ["pending", "approved"]
