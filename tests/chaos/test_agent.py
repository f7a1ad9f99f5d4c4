"""Executors and drivers that are killed with SIGKILL at random points. The seed is fixed and the log is printed."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry
from agent.calls import execution, proposed_calls
from agent.calls.call_drafts import RequestedCall
from agent.calls.decisions import decide
from agent.conversation import threads
from agent.models import CALL_LEASE, TURN_LEASE, Message, Thread, ToolCall, Turn
from agent.turns import sweep, turn_runner, turns
from documents.models import Document
from kit.ids import new_id
from tests.agent.wire import wire_messages
from tests.chaos.killing import Victims
from tests.scripted_model import Json, Reply, ScriptedModel, calls, says

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fork_server")]
SEED = int(os.environ.get("CHAOS_SEED", "20261121"))
CALLS = 240
TURNS = 24
PATIENCE = timedelta(seconds=0.4)
TOOLS = ("chaos_local", "chaos_prepared")


def thread_on_document(actor: Actor, mode: str = "ask") -> Thread:
    document = Document.objects.create(
        organization=actor.organization, name="x.pdf", sha256="0" * 64, size=1, media_type="application/pdf", file="x"
    )
    return threads.set_mode(actor, thread=threads.create(actor, document=document), mode=mode)


def make_approved_calls(actor: Actor, number: int, a_round: int = 8) -> None:
    chance = random.Random(SEED)
    for _ in range(number // a_round):
        approve_round(
            actor, [RequestedCall(chance.choice(TOOLS), json.dumps({"text": str(place)})) for place in range(a_round)]
        )


def approve_round(actor: Actor, requested: list[RequestedCall]) -> None:
    """In a thread of its own."""
    turn = Turn.objects.create(
        thread=thread_on_document(actor),
        number=1,
        model="none",
        max_rounds=10,
        limit_micros=1,
        round=1,
        status=Turn.Status.AWAITING_APPROVAL,
        code_version="chaos",
    )
    message = Message.objects.create(thread=turn.thread, turn=turn, number=1, round=1, role="assistant")
    for call in proposed_calls.propose_round(turn, message=message, requested=requested):
        decide(actor, call=call, kind="approved", version=1, shown_hash=call.shown_hash, idempotency_key=new_id())


def take_back_the_dead(slowness: float) -> None:
    """As the scheduler does, only that a lease of a minute counts as over after 0.4 s, or longer where all is slow."""
    over = timezone.now() + CALL_LEASE.duration - PATIENCE * slowness
    ToolCall.objects.filter(status="executing", lease_until__lt=over).update(lease_until=timezone.now())
    # A living driver renews its lease every two seconds, so its silence has to last longer.
    silent = timezone.now() + TURN_LEASE.duration - 8 * PATIENCE * slowness
    Turn.objects.filter(status="running", lease_until__lt=silent).update(lease_until=timezone.now())
    sweep.run_once()


def effects() -> Counter[str]:
    return Counter(entry.detail["call_id"] for entry in AuditEntry.objects.filter(action="chaos"))


def test_it_runs_every_approved_call_exactly_once_whoever_is_killed(actor: Actor) -> None:
    make_approved_calls(actor, CALLS)
    victims = Victims("calls", number=3, life=0.8, seed=SEED)
    try:
        victims.torment(
            left=ToolCall.objects.filter(status__in=["approved", "executing"]).count,
            between=take_back_the_dead,
        )
    finally:
        victims.end()

    happened, ends = effects(), Counter(ToolCall.objects.values_list("status", flat=True))
    double = [call_id for call_id, times in happened.items() if times > 1]
    lost = [call.pk for call in ToolCall.objects.all() if call.pk not in happened]
    again = ToolCall.objects.filter(attempt__gt=1).count()
    print(
        f"{CALLS} calls, {victims.kills} kills, {again} taken up again, {dict(ends)}, {len(double)} double, {len(lost)} lost"
    )
    # Whoever lost five executors in a row is given up with nothing done, and says so; everybody else is done, once.
    failed = ToolCall.objects.filter(status="failed")
    given_up = [call.pk for call in failed if call.result == {"error": execution.GIVEN_UP}]
    assert (double, sorted(lost)) == ([], sorted(given_up))
    assert ends["succeeded"] == CALLS - len(given_up) >= CALLS - CALLS // 20
    assert victims.kills >= 5
    assert set(Turn.objects.values_list("status", flat=True)) == {"queued"}


class Answering(ScriptedModel):
    """Asks for two calls, then says that it is done: whatever was lost, the same request gets the same answer."""

    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        self.requests.append(body)
        if body["messages"][-1]["role"] == "tool":
            return says("It is ", "done.").slowly(0.05)
        return calls(("chaos_local", {"text": "a"}), ("chaos_prepared", {"text": "b"}), text="I do both.").slowly(0.01)


def work_left() -> int:
    """Turns, and the calls in them: also a call that is done is progress."""
    calls = ToolCall.objects.filter(status__in=["approved", "executing"])
    return 3 * Turn.objects.filter(status__in=Turn.LIVE).count() + calls.count()


def test_it_drives_every_turn_to_its_end_whoever_is_killed(actor: Actor, settings: Any) -> None:
    model = Answering()
    model.start()
    settings.MODEL_API_BASE = model.base_url
    names = {"MODEL_API_BASE": model.base_url, "DEFAULT_MODEL": model.model, "EXTRACTION_MODEL": model.model}
    for _ in range(TURNS):
        turns.start(actor, thread=thread_on_document(actor, "auto"), text="Do it", model=model.model)
    victims = Victims("turns", number=2, life=4.0, seed=SEED, given=names)
    try:
        victims.torment(
            left=work_left,
            between=take_back_the_dead,
        )
    finally:
        victims.end()
        model.stop()
        connection.close()

    happened = effects()
    ends = Counter(Turn.objects.values_list("status", "reason"))
    print(
        f"{TURNS} turns, {victims.kills} kills, {len(model.requests)} model calls, {sum(happened.values())} effects, {dict(ends)}"
    )
    # Whoever lost five drivers in a row is given up, and says so; everybody else is done.
    assert set(ends) <= {("completed", ""), ("failed", turn_runner.GIVEN_UP)}
    assert ends["completed", ""] >= TURNS - 3
    assert set(happened.values()) == {1}
    for turn in Turn.objects.filter(status="completed"):
        assert turn.calls.filter(status="succeeded", pk__in=happened).count() == 2
        messages = wire_messages(turn.thread)
        assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "assistant"]
