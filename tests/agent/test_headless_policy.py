"""What a turn that nobody watches may do, through the rows: no card is ever made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count, repeat
from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls import execution, proposed_calls
from agent.calls.call_drafts import RequestedCall
from agent.models import Decision, Message, Rule, Thread, ToolCall, Turn
from agent.toolkit.registry import Result, ToolContext, registry, tool
from documents.models import Tag
from tests.agent.test_tools import FORMAT

pytestmark = pytest.mark.django_db
Ask = Callable[..., ToolCall]


def touch(context: ToolContext, schema_id: str, name: str = "") -> Result:
    """Changes schemas, whose ids stand one after the other, and takes a name."""
    return {"schema_id": schema_id}


@pytest.fixture
def versions() -> Iterator[int]:
    """Of what `touch` rests on, one each time that somebody looks."""
    return repeat(1)


@pytest.fixture
def touching(versions: Iterator[int]) -> Iterator[None]:
    tool(
        category="definition",
        access="write",
        title="Touch",
        preconditions=lambda _, arguments: {
            **{f"schema:{each}": next(versions) for each in arguments["schema_id"].split()},
            **({f"schema name:{arguments['name']}": 0} if "name" in arguments else {}),
        },
    )(touch)
    yield
    registry.remove("touch")


@pytest.fixture
def ask(thread: Thread, touching: None) -> Ask:
    """`ask("create_schema", {…})`: one call of a headless turn, run when it was let through."""
    turn = Turn.objects.create(
        thread=thread,
        number=1,
        model="none",
        max_rounds=10,
        limit_micros=1,
        round=1,
        origin="headless",
        status="awaiting_approval",
        code_version="test",
    )

    def one(name: str, arguments: dict[str, Any]) -> ToolCall:
        number = turn.messages.count() + 1
        message = Message.objects.create(thread=thread, turn=turn, number=number, round=number, role="assistant")
        [call] = proposed_calls.propose_round(
            turn, message=message, requested=[RequestedCall(name, json.dumps(arguments))]
        )
        execution.execute(call.pk, holder="test")
        call.refresh_from_db()
        return call

    return one


def test_it_makes_a_schema_and_may_change_that_one_alone(ask: Ask, actor: Actor) -> None:
    call = ask("create_schema", {"name": "Receipt", "response_format": FORMAT})
    assert (call.status, call.allowed_by) == ("succeeded", "automatic setup")
    assert ask("touch", {"schema_id": call.result["schema_id"]}).status == "succeeded"
    other = ask("touch", {"schema_id": "a" * 24})
    assert other.status == "denied"
    assert "only adds a schema and a prompt, changes its own" in other.result["error"]


def test_it_makes_a_prompt_only_without_tags(ask: Ask, actor: Actor) -> None:
    tag = Tag.objects.create(organization=actor.organization, name="Invoices", created_by=actor.user)
    assert ask("create_prompt", {"name": "One", "content": "Read it.", "tag_ids": [tag.pk]}).status == "denied"
    assert ask("create_prompt", {"name": "Two", "content": "Read it."}).status == "succeeded"


def test_no_rule_gives_it_more_and_each_can_take(ask: Ask, actor: Actor) -> None:
    standing = {"organization": actor.organization, "scope": "organization"}
    Rule.objects.create(**standing, tool="*", verdict="allow")
    assert ask("note", {"text": "x"}).status == "denied"
    Rule.objects.create(**standing, tool="create_schema", verdict="ask")
    asks = ask("create_schema", {"name": "Receipt", "response_format": FORMAT})
    assert (asks.status, asks.result["error"][-29:]) == ("denied", " Nobody is there to be asked.")
    rule = Rule.objects.create(**standing, tool="look", verdict="deny")
    assert ask("look", {"word": "x"}).status == "denied"
    assert Decision.objects.get(rule=rule).kind == "rejected"


def test_it_creates_five_things_and_no_more(ask: Ask) -> None:
    calls = [ask("create_prompt", {"name": f"P {number}", "content": "Read it."}) for number in range(6)]
    assert [each.status for each in calls] == ["succeeded"] * 5 + ["denied"]
    assert calls[5].result["error"] == (
        "A turn creates 5 things without asking, and this is number 6. Nobody is there to be asked."
    )


@pytest.mark.parametrize("versions", [count()])
def test_what_has_changed_meanwhile_makes_no_card_either(ask: Ask, versions: Iterator[int]) -> None:
    """Nobody was shown anything: the service refuses what no longer fits."""
    call = ask("create_schema", {"name": "Receipt", "response_format": FORMAT})
    assert ask("touch", {"schema_id": call.result["schema_id"]}).status == "succeeded"
    assert not ToolCall.objects.filter(status="pending").exists()


def test_it_leaves_no_card(ask: Ask) -> None:
    for name, arguments in (("send", {"to": "x"}), ("note", {"text": "x"}), ("look", {"word": "x"})):
        ask(name, arguments)
    assert not ToolCall.objects.filter(status="pending").exists()


def test_a_name_that_reads_like_an_id_of_its_own_makes_nothing_its_own(ask: Ask, actor: Actor) -> None:
    own = ask("create_schema", {"name": "Receipt", "response_format": FORMAT}).result["schema_id"]
    assert ask("create_tag", {"name": own}).status == "denied"
    other = Tag.objects.create(organization=actor.organization, name="Paid", created_by=actor.user)
    assert ask("update_tag", {"tag_id": other.pk, "name": own}).status == "denied"
    assert ask("update_schema", {"schema_id": own, "name": "a" * 24}).status == "succeeded"
    assert ask("touch", {"schema_id": "", "name": own}).status == "denied"
    assert ask("touch", {"schema_id": f"{own} {'a' * 24}", "name": own}).status == "denied"
    assert ask("touch", {"schema_id": f"{own} {'a' * 24}"}).status == "denied"
