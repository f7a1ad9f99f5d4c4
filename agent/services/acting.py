"""As whom a tool call acts, and what the policy says of it at this moment."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Q

from accounts.access import enter
from accounts.actor import Actor
from agent.models import Decision, Rule, Thread, ToolCall, Turn
from agent.permissions import Case, Standing, Verdict, evaluate
from agent.registry import Reach, Tool, ToolContext, never, registry
from agent.services import agent_settings


def tools_for(thread: Thread) -> list[Tool]:
    """The tools that the model gets in this thread, by name: all but those an admin took away."""
    disabled = agent_settings.in_force(thread.organization).disabled_tools
    return [tool for tool in registry if tool.name not in disabled]


def owner_of(thread: Thread) -> Actor:
    """The thread's owner with today's role. Raises NotFound when they have left the organization."""
    return enter(thread.owner, thread.organization_id)


def decision_on(call: ToolCall) -> Decision | None:
    return call.decisions.select_related("user").order_by("-created_at").first()


def actor_for(call: ToolCall) -> Actor:
    """Who approved the call; the owner where a rule or mode let it run. Raises NotFound for one who has left."""
    decision = decision_on(call)
    if decision and decision.user:
        return enter(decision.user, call.thread.organization_id).as_agent(by_rule=False)
    return owner_of(call.thread).as_agent(by_rule=True)


def context_for(turn: Turn, actor: Actor, *, call_id: str = "", cancelled: Callable[[], bool] = never) -> ToolContext:
    thread = turn.thread
    return ToolContext(actor, thread, turn, thread.document, call_id=call_id, cancelled=cancelled)


def judge(tool: Tool, turn: Turn, *, reach: Reach, actor: Actor) -> Verdict:
    """The policy's answer for this call now. Owner and decider must both have the role."""
    thread, owner = turn.thread, owner_of(turn.thread)
    if tool.name in agent_settings.in_force(owner.organization).disabled_tools:
        return Verdict("deny", f"An admin of {owner.organization.name} has taken {tool.name} from the agent.")
    return evaluate(
        Case(
            tool=tool.name, access=tool.access, reach=reach, needed_role=tool.needed_role,
            role=min(owner.role, actor.role, key=lambda role: role.rank),
            mode=thread.mode, tainted=turn.tainted, rules=_standing(thread),
            stopped=owner.organization.agent_stopped, organization=owner.organization.name,
            auto_approved=turn.auto_approved,
        )
    )  # fmt: skip


def _standing(thread: Thread) -> list[Standing]:
    about = (
        Q(scope=Rule.Scope.THREAD, thread=thread)
        | Q(scope=Rule.Scope.USER, user_id=thread.owner_id)
        | Q(scope=Rule.Scope.ORGANIZATION)
    )
    rules = Rule.objects.filter(about, organization_id=thread.organization_id, revoked_at=None)
    return [Standing(rule.pk, rule.scope, rule.verdict, rule.tool) for rule in rules]
