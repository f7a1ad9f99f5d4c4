"""Whether a rule that allows would let anything run that asks today."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.actor import Actor
from accounts.models import Role
from agent.models import Rule, Thread, Turn
from agent.outside.catalog import find_tool
from agent.policy import policy_context
from agent.policy.active_rules import EVERY_TOOL, OCCASIONS, ActiveRule
from agent.policy.permissions import Case, evaluate
from agent.toolkit.registry import Reach

NAMES_NO_TOOL = "A rule that always allows names one tool. For all changes of one document there is mode auto."
RUNS_ALREADY = "This runs without asking already."


def explain_no_effect(actor: Actor, rule: ActiveRule) -> str:
    """Why an allowing rule would change nothing even for the call that has the least against it; empty where it helps.

    Raises NotFound for a tool that is not there.
    """
    if rule.tool == EVERY_TOOL:
        return NAMES_NO_TOOL
    in_force = _list_in_force(actor)
    if evaluate(_imagine_case(actor, rule, in_force)).outcome == "allow":
        return RUNS_ALREADY
    verdict = evaluate(_imagine_case(actor, rule, [*in_force, rule]))
    return "" if verdict.outcome == "allow" else verdict.why


def _list_in_force(actor: Actor) -> list[ActiveRule]:
    rows = policy_context.filter_in_force(Rule.objects.for_org(actor.organization)).exclude(scope=Rule.Scope.THREAD)
    return [policy_context.to_active_rule(rule) for rule in rows if rule.user_id in (None, actor.user.pk)]


def _imagine_case(actor: Actor, rule: ActiveRule, rules: Sequence[ActiveRule]) -> Case:
    tool = find_tool(actor.organization.pk, rule.tool)
    origins = (Turn.Origin.MCP,) if rule.scope == Rule.Scope.MCP else OCCASIONS.get(rule.occasion, (Turn.Origin.CHAT,))
    return Case(
        tool=tool.name,
        access=tool.access,
        reach=Reach.DOCUMENT,
        needed_role=tool.needed_role,
        role=actor.role if rule.scope == Rule.Scope.USER else Role.ADMIN,
        mode=Thread.Mode.ASK,
        tainted=False,
        rules=rules,
        organization=actor.organization.name,
        origin=origins[0],
        off=tool.off,
        needs_person=tool.needs_person,
    )
