"""Past calls that a rule would have concerned: cards with what people decided, and calls that ran without a person."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from agent.models import Decision, Rule, Thread, ToolCall, Turn
from agent.policy.active_rules import EVERY_TOOL, OCCASIONS, ActiveRule
from agent.policy.visibility import filter_visible

DAYS = 90
MAX_CARDS = 10_000
"""Past cards that are looked at, the newest; the page says so where there are more."""
_COLUMNS = (
    *("pk", "thread", "thread__owner", "thread__mode", "access", "reach", "why_asks", "status", "created_at"),
    *("turn__origin", "turn__tainted", "turn__role_ceiling"),
)


class PastCard(NamedTuple):
    """A call that waited for a person once."""

    call_id: str
    thread_id: str
    owner_id: str
    mode: str
    access: str
    reach: str
    why_asks: str
    status: str
    created_at: datetime
    origin: str
    is_tainted: bool
    role_ceiling: str


def list_cards(actor: Actor, tool: str) -> Iterator[PastCard]:
    """The newest MAX_CARDS in threads that the actor may see."""
    rows = _filter_tool(ToolCall.objects.filter(filter_visible(actor), undoes=None), tool)
    rows = rows.filter(created_at__gte=_since()).exclude(why_asks="").order_by("-created_at")
    return map(PastCard._make, rows.values_list(*_COLUMNS)[:MAX_CARDS])


def find_decisions(actor: Actor, tool: str) -> dict[str, tuple[str, bool]]:
    """The kind of what people decided and whether they edited, by call."""
    rows = Decision.objects.for_org(actor.organization).filter(created_at__gte=_since(), rule=None, mode="")
    if tool != EVERY_TOOL:
        rows = rows.filter(call__tool=tool)
    people = rows.exclude(user=None).order_by().values_list("call", "kind", "edited")
    return {call: (kind, edited) for call, kind, edited in people}


def is_concerned(card: PastCard, rule: ActiveRule, actor: Actor, thread: Thread | None) -> bool:
    """Whether the rule speaks of the card's thread, person and client."""
    if rule.occasion and card.origin not in OCCASIONS[rule.occasion]:
        return False
    if rule.scope == Rule.Scope.THREAD:
        return thread is not None and card.thread_id == thread.pk
    if rule.scope == Rule.Scope.USER:
        return card.owner_id == actor.user.pk
    if rule.scope == Rule.Scope.MCP:
        return card.origin == Turn.Origin.MCP
    return rule.verdict != Rule.Verdict.ALLOW or card.origin != Turn.Origin.MCP


def list_unasked(actor: Actor, rule: ActiveRule) -> QuerySet[ToolCall]:
    """Calls that ran without a person and that the rule would have stopped or shown."""
    if rule.verdict == Rule.Verdict.ALLOW:
        return ToolCall.objects.none()
    rows = ToolCall.objects.filter(filter_visible(actor), _filter_scope(actor, rule))
    rows = rows.filter(status=ToolCall.Status.SUCCEEDED, finished_at__gte=_since()).exclude(allowed_by="")
    if rule.occasion:
        rows = rows.filter(turn__origin__in=OCCASIONS[rule.occasion])
    return _filter_tool(rows, rule.tool)


def _filter_scope(actor: Actor, rule: ActiveRule) -> Q:
    if rule.scope == Rule.Scope.USER:
        return Q(thread__owner=actor.user)
    return Q(turn__origin=Turn.Origin.MCP) if rule.scope == Rule.Scope.MCP else Q()


def _filter_tool(rows: QuerySet[ToolCall], tool: str) -> QuerySet[ToolCall]:
    return rows if tool == EVERY_TOOL else rows.filter(tool=tool)


def _since() -> datetime:
    return timezone.now() - timedelta(days=DAYS)
