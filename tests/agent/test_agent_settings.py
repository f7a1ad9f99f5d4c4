from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, Role
from agent.conversation import threads
from agent.models import AgentSettings, Thread, Turn
from agent.policy import agent_settings, offered_tools, policy_context
from agent.toolkit.registry import Registry
from agent.turns import turns
from documents.models import Document, LanguageModel
from kit.errors import Denied, Invalid

pytestmark = pytest.mark.servers

OFFLINE = "offline/rules"


def create_model(name: str) -> LanguageModel:
    return LanguageModel.objects.create(name=name, provider="openai", available=True, enabled=True)


def test_without_a_row_the_installation_decides(organization: Organization) -> None:
    effective = agent_settings.effective_settings(organization)
    assert (effective.default_model, effective.max_rounds, effective.turn_limit_micros) == (OFFLINE, 10, 1_000_000)
    assert (effective.default_mode, effective.disabled_tools, effective.allows("any/model")) == (
        "ask",
        frozenset(),
        True,
    )


def test_a_turn_takes_its_limits_and_its_thread_the_mode(actor: Actor) -> None:
    agent_settings.change(actor, max_rounds=3, turn_limit_micros=250_000, default_mode="plan")
    thread = threads.create(actor)
    turn = turns.start(actor, thread=thread, text="Hello")
    assert (thread.mode, turn.max_rounds, turn.limit_micros) == (Thread.Mode.PLAN, 3, 250_000)


@pytest.mark.parametrize(
    ("about_one", "text", "seconds"), [(True, "Which?", 900), (False, "Which?", 120), (False, "Set them up.", 900)]
)
def test_a_resumed_turn_gets_the_room_that_holds_now(
    actor: Actor, document: Document, about_one: bool, text: str, seconds: int
) -> None:
    """A question about many documents has the time of questions, a task about them that of any turn."""
    turn = turns.start(actor, thread=threads.create(actor, document=document if about_one else None), text=text)
    assert turn.limit_ms == 1000 * seconds
    Turn.objects.filter(pk=turn.pk).update(status="paused", pause_reason="time", round=10, worked_ms=900_000)
    assert turns.resume(actor, turn=turn).limit_ms == 900_000 + 1000 * seconds


def test_only_allowed_models_are_taken_and_the_default_always_is(actor: Actor) -> None:
    create_model("openai/a"), create_model("openai/b")
    agent_settings.change(actor, allowed_models=["openai/a"])
    for name in ("openai/a", OFFLINE):
        agent_settings.check_model(actor.organization, name)
    with pytest.raises(Invalid, match="may not use openai/b. It may use: offline/rules, openai/a"):
        turns.start(actor, thread=threads.create(actor), text="Hello", model="openai/b")
    assert not Turn.objects.exists()


def test_a_tool_taken_away_is_not_offered_and_not_run(actor: Actor, tools: Registry) -> None:
    thread = threads.create(actor)
    turn = turns.start(actor, thread=thread, text="Hello")
    agent_settings.change(actor, disabled_tools=["note"])
    assert "note" not in {tool.name for tool in offered_tools.list_offered(turn)}
    note = tools.find("note")
    verdict = policy_context.Policy(turn.thread).judge(
        note, turn, reach=note.reach(policy_context.context_for(turn, actor), {}), actor=actor, arguments={}
    )
    assert (verdict.outcome, verdict.why) == ("deny", "An admin of Acme has taken note from the agent.")


def test_every_wrong_value_is_named_at_once_and_nothing_is_kept(actor: Actor) -> None:
    wrong = {
        "max_rounds": 0,
        "turn_limit_micros": -1,
        "default_mode": "fast",
        "disabled_tools": ["fly"],
        "default_model": "nope",
        "allowed_models": ["nope"],
        "organization_instructions": "x" * 8001,
    }
    with pytest.raises(Invalid) as raised:
        agent_settings.change(actor, **wrong)
    assert {problem.where for problem in raised.value.problems} == set(wrong)
    assert not AgentSettings.objects.exclude(max_rounds=None).exists()


def test_a_model_whose_key_went_away_does_not_stop_other_changes(actor: Actor) -> None:
    model = create_model("openai/a")
    agent_settings.change(actor, default_model="openai/a")
    model.delete()
    assert agent_settings.change(actor, max_rounds=5).default_model == "openai/a"


def test_admins_change_them_and_leave_an_audit_row(actor: Actor, member: Callable[[Role], Actor]) -> None:
    with pytest.raises(Denied):
        agent_settings.change(member(Role.BUILDER), max_rounds=5)
    agent_settings.change(actor, max_rounds=5)
    agent_settings.change(actor, max_rounds=5)
    entry = AuditEntry.objects.get(target_kind="agent settings")
    assert (entry.detail, entry.user) == ({"fields": ["max_rounds"]}, actor.user)
