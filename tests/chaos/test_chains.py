"""Executors killed between the steps of call chains: each step runs once, after those that it builds on."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from accounts.actor import Actor
from agent.calls import decisions, execution, proposed_calls
from agent.calls.call_drafts import RequestedCall
from agent.calls.decisions import CardSnapshot
from agent.models import Message, ToolCall, Turn
from documents.models import Document, PromptRevision, Schema, Tag
from tests.agent.chain_rows import NEW_PROMPT, NEW_SCHEMA
from tests.chaos.killing import Victims
from tests.chaos.test_agent import SEED, take_back_the_dead, thread_on_document

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fork_server")]
CHAINS = 10


def approve_chains(actor: Actor, number: int) -> None:
    """A schema and its prompt, and a tag and its document, in one answer, approved in one press."""
    thread = thread_on_document(actor)
    turn = Turn.objects.create(
        thread=thread,
        number=1,
        model="none",
        max_rounds=10,
        limit_micros=1,
        round=1,
        status=Turn.Status.AWAITING_APPROVAL,
        code_version="chaos",
    )
    message = Message.objects.create(thread=thread, turn=turn, number=1, round=1, role="assistant")
    name = f"Paper {number}"
    asked = [
        ("create_schema", {**NEW_SCHEMA[1], "name": name}),
        ("create_tag", {"name": name}),
        ("create_prompt", {**NEW_PROMPT[1], "name": name, "schema_id": name}),
        ("update_document", {"add_tags": [name]}),
    ]
    requested = [RequestedCall(tool, json.dumps(arguments)) for tool, arguments in asked]
    calls = proposed_calls.propose_round(turn, message=message, requested=requested)
    faces = [CardSnapshot(call.pk, call.version, call.shown_hash) for call in calls]
    assert not decisions.decide_all(actor, thread=thread, kind="approved", cards=faces, idempotency_key="k")


def test_each_step_of_a_chain_runs_once_whoever_is_killed(actor: Actor) -> None:
    for number in range(CHAINS):
        approve_chains(actor, number)
    victims = Victims("calls", number=3, life=0.5, seed=SEED)
    try:
        victims.torment(
            left=ToolCall.objects.filter(status__in=["approved", "executing"]).count, between=take_back_the_dead
        )
    finally:
        victims.end()
    ends = Counter(ToolCall.objects.values_list("status", flat=True))
    print(f"{4 * CHAINS} steps, {victims.kills} kills, {dict(ends)}")
    given_up = [
        call for call in ToolCall.objects.filter(status="failed") if call.result == {"error": execution.GIVEN_UP}
    ]
    assert ends["failed"] == len(given_up) and ends["superseded"] <= len(given_up)
    assert ends["succeeded"] >= 4 * CHAINS - CHAINS // 5
    of_tool = Counter(ToolCall.objects.filter(status="succeeded").values_list("tool", flat=True))
    prompts = PromptRevision.objects.values_list("schema_revision__schema__name", "prompt__name")
    assert Schema.objects.count() == of_tool["create_schema"] and Tag.objects.count() == of_tool["create_tag"]
    assert len(prompts) == of_tool["create_prompt"] and all(schema == prompt for schema, prompt in prompts)
    assert Document.objects.filter(tags__isnull=False).count() == of_tool["update_document"]
    assert set(Turn.objects.values_list("status", flat=True)) == {"queued"}
