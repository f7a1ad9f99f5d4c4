"""Counts the recent calls that a rule would have stopped, so that its maker sees what it means."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from accounts.actor import Actor
from agent.models import Rule, ToolCall, Turn
from agent.policy.past_calls.rule_simulation import DAYS
from agent.policy.permissions import EVERY_TOOL
from agent.policy.visibility import filter_visible

MAX_COUNTED = 1000
"""Calls that are counted; the page says "1,000 or more" from there on."""


@dataclass(frozen=True)
class RulePreview:
    """`count` stops at MAX_COUNTED, `last` is the newest of them."""

    verdict: str
    count: int
    last: ToolCall | None
    days: int = DAYS

    @property
    def is_cut(self) -> bool:
        return self.count >= MAX_COUNTED

    @property
    def is_denial(self) -> bool:
        return self.verdict == Rule.Verdict.DENY


def preview_rule(actor: Actor, *, scope: str, tool: str, verdict: str) -> RulePreview:
    """Looks at the last DAYS days of threads that the actor may see.

    A rule that asks would have changed what ran without a person, one that denies whatever ran.
    """
    rows = _list_ran(actor, scope, verdict)
    if tool != EVERY_TOOL:
        rows = rows.filter(tool=tool)
    count = rows.order_by()[:MAX_COUNTED].count()
    last = rows.select_related("thread").order_by("-finished_at").first() if count else None
    return RulePreview(verdict, count, last)


def _list_ran(actor: Actor, scope: str, verdict: str) -> QuerySet[ToolCall]:
    since = timezone.now() - timedelta(days=DAYS)
    rows = ToolCall.objects.filter(filter_visible(actor), status=ToolCall.Status.SUCCEEDED, finished_at__gte=since)
    if verdict == Rule.Verdict.ASK:
        rows = rows.exclude(allowed_by="")
    if scope == Rule.Scope.USER:
        return rows.filter(thread__owner=actor.user)
    return rows.filter(turn__origin=Turn.Origin.MCP) if scope == Rule.Scope.MCP else rows
