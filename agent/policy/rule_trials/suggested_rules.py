"""Rules that are offered after many approvals of the same kind, each with what it would have decided."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from accounts.actor import Actor
from agent.models import Decision, Rule
from agent.outside.catalog import list_tools
from agent.policy import policy_context
from agent.policy.rule_trials.past_cards import DAYS, MAX_CARDS
from agent.policy.rule_trials.rule_simulation import Simulation, simulate_allow

FEWEST_APPROVALS = 10
"""Approvals of one tool in a row, without a change, after which a rule is offered."""


@dataclass(frozen=True)
class SuggestedRule:
    """A tool whose newest cards the actor approved without a change, `approvals` in a row."""

    tool: str
    title: str
    approvals: int
    simulation: Simulation


def suggest_rules(actor: Actor) -> list[SuggestedRule]:
    """Rules for the actor's own threads, each with what it would have decided. Nothing that a rule cannot lift."""
    suggested = []
    titles = {tool.name: tool.title for tool in list_tools(actor.organization.pk)}
    for tool, approvals in sorted(_count_runs(actor).items(), key=lambda pair: -pair[1]):
        if approvals < FEWEST_APPROVALS or tool not in titles:
            continue
        (simulation,) = simulate_allow(actor, scopes=[Rule.Scope.USER], tool=tool)
        if simulation.changed and not _is_allowed(actor, tool):
            suggested.append(SuggestedRule(tool, titles[tool], approvals, simulation))
    return suggested


def _count_runs(actor: Actor) -> dict[str, int]:
    """Approvals of one's own cards since the last that was edited or rejected, by tool."""
    since = timezone.now() - timedelta(days=DAYS)
    rows = Decision.objects.for_org(actor.organization).filter(
        user=actor.user, rule=None, mode="", created_at__gte=since
    )
    rows = rows.filter(call__thread__owner=actor.user, call__undoes=None).order_by("-created_at", "-pk")
    runs: dict[str, int] = defaultdict(int)
    ended: set[str] = set()
    for tool, kind, is_edited in rows.values_list("call__tool", "kind", "edited")[:MAX_CARDS]:
        if kind != Decision.Kind.APPROVED or is_edited:
            ended.add(tool)
        elif tool not in ended:
            runs[tool] += 1
    return runs


def _is_allowed(actor: Actor, tool: str) -> bool:
    mine = Q(scope=Rule.Scope.USER, user=actor.user) | Q(scope=Rule.Scope.ORGANIZATION)
    rows = policy_context.filter_in_force(Rule.objects.for_org(actor.organization))
    return rows.filter(mine, tool=tool, verdict=Rule.Verdict.ALLOW, occasion=Rule.Occasion.ANY).exists()
