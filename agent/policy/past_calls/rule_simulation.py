"""Tells what a rule that always allows would have decided on past cards, beside what people did decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Member, Role
from agent.models import Decision, Rule, Thread, ToolCall, Turn
from agent.outside.catalog import find_tool
from agent.policy import agent_settings, policy_context
from agent.policy.permissions import PERSONS_WORD, ActiveRule, Case, evaluate
from agent.policy.visibility import filter_visible
from agent.toolkit.registry import Access, Reach, Tool

DAYS = 90
MAX_CARDS = 10_000
"""Past cards that are looked at, the newest; the page says so where there are more."""
MAX_LINKS = 10
FEWEST_APPROVALS = 10
"""Approvals of one tool in a row, without a change, after which a rule is offered."""
_COLUMNS = (
    *("pk", "thread", "thread__owner", "thread__mode", "access", "reach", "why_asks", "status", "created_at"),
    *("turn__origin", "turn__tainted", "turn__role_ceiling"),
)
# Recorded reasons begin so where a card rested on more than its own row.
_READ_ELSEWHERE, _CREATED, _TAINTED = "This thread has also read ", "A turn creates ", "has read a document"


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


@dataclass
class Simulation:
    """`allowed` of the past `cards` would have run unseen. People had edited or rejected some of these.

    `is_cut`: there are older cards in these days, at which nobody looked.
    """

    scope: str
    cards: int = 0
    allowed: int = 0
    approved: int = 0
    edited: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    days: int = DAYS
    is_cut: bool = False

    @property
    def still_ask(self) -> int:
        return self.cards - self.allowed

    @property
    def doubted(self) -> int:
        return len(self.edited) + len(self.rejected)

    @property
    def hidden(self) -> int:
        return max(0, self.doubted - MAX_LINKS)

    @property
    def links(self) -> list[ToolCall]:
        """The calls that people edited or rejected, the newest first, up to MAX_LINKS."""
        ids = [*self.rejected, *self.edited]
        rows = ToolCall.objects.filter(pk__in=ids).select_related("thread__organization")
        return list(rows.order_by("-created_at")[:MAX_LINKS])


def simulate_allow(actor: Actor, *, scopes: Sequence[str], tool: str, thread: Thread | None = None) -> list[Simulation]:
    """One for each scope, over the cards of the last DAYS days in threads that the actor may see."""
    cards = list(_list_cards(actor, tool))
    decided = _find_decisions(actor, tool)
    judge = _Judge(actor, find_tool(actor.organization.pk, tool))
    simulations = [_simulate(judge, scope, _choose(actor, cards, scope, thread), decided) for scope in scopes]
    return [replace(simulation, is_cut=len(cards) >= MAX_CARDS) for simulation in simulations]


def _list_cards(actor: Actor, tool: str) -> Iterator[PastCard]:
    rows: QuerySet[ToolCall] = ToolCall.objects.filter(filter_visible(actor), tool=tool, undoes=None)
    since = timezone.now() - timedelta(days=DAYS)
    rows = rows.filter(created_at__gte=since).exclude(why_asks="").order_by("-created_at")
    return map(PastCard._make, rows.values_list(*_COLUMNS)[:MAX_CARDS])


def _find_decisions(actor: Actor, tool: str) -> dict[str, tuple[str, bool]]:
    """The kind of what people decided and whether they edited, by call."""
    since = timezone.now() - timedelta(days=DAYS)
    rows = Decision.objects.for_org(actor.organization).filter(
        call__tool=tool, created_at__gte=since, rule=None, mode=""
    )
    people = rows.exclude(user=None).order_by().values_list("call", "kind", "edited")
    return {call: (kind, edited) for call, kind, edited in people}


def _choose(actor: Actor, cards: Iterable[PastCard], scope: str, thread: Thread | None) -> list[PastCard]:
    if scope == Rule.Scope.THREAD:
        return [card for card in cards if thread and card.thread_id == thread.pk]
    if scope == Rule.Scope.USER:
        return [card for card in cards if card.owner_id == actor.user.pk]
    is_client = scope == Rule.Scope.MCP
    return [card for card in cards if (card.origin == Turn.Origin.MCP) == is_client]


def _simulate(judge: _Judge, scope: str, cards: Sequence[PastCard], decided: dict[str, tuple[str, bool]]) -> Simulation:
    simulation = Simulation(scope, len(cards))
    for card in cards:
        if not judge.allows(card, scope):
            continue
        simulation.allowed += 1
        kind, is_edited = decided.get(card.call_id, ("", False))
        simulation.approved += kind == Decision.Kind.APPROVED and not is_edited
        if kind == Decision.Kind.REJECTED:
            simulation.rejected.append(card.call_id)
        elif is_edited:
            simulation.edited.append(card.call_id)
    return simulation


class _Judge:
    """Policy as of today, with a rule supposed; it reads nothing a card."""

    def __init__(self, actor: Actor, tool: Tool) -> None:
        self.actor, self.tool = actor, tool
        self.disabled = agent_settings.effective_settings(actor.organization).disabled_tools
        rows = policy_context.filter_in_force(Rule.objects.for_org(actor.organization))
        self.rules: dict[str, list[ActiveRule]] = defaultdict(list)
        for rule in rows:
            self.rules[rule.thread_id or rule.user_id or ""].append(policy_context.to_active_rule(rule))
        members = Member.objects.filter(organization=actor.organization).values_list("user", "role")
        self.roles = {user: Role(role) for user, role in members}

    def allows(self, card: PastCard, scope: str) -> bool:
        """The facts that the row does not keep are taken from why it asked then."""
        role = self.roles.get(card.owner_id)
        if role is None or not card.access or not card.reach:
            return False
        ceiling = Role(card.role_ceiling or role)
        supposed = ActiveRule("", scope, Rule.Verdict.ALLOW, self.tool.name)
        in_force = (*self.rules[""], *self.rules[card.thread_id], *self.rules[card.owner_id])
        is_client = card.origin == Turn.Origin.MCP
        created = 1 if card.why_asks.startswith(_CREATED) else 0
        case = Case(
            tool=self.tool.name,
            access=Access(card.access),
            reach=Reach(card.reach),
            needed_role=self.tool.needed_role,
            role=ceiling if role.covers(ceiling) else role,
            mode=Thread.Mode.ASK if is_client else card.mode,
            tainted=card.is_tainted or _TAINTED in card.why_asks,
            rules=[*in_force, supposed],
            stopped=False,
            organization=self.actor.organization.name,
            origin=card.origin,
            disabled=self.tool.name in self.disabled,
            off=self.tool.off,
            needs_person=self.tool.needs_person or card.why_asks.startswith(PERSONS_WORD),
            created=created,
            max_created=created or None,
            read_elsewhere="another document" if card.why_asks.startswith(_READ_ELSEWHERE) else "",
        )
        return evaluate(case).outcome == "allow"


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
    for tool, approvals in sorted(_count_runs(actor).items(), key=lambda pair: -pair[1]):
        if approvals < FEWEST_APPROVALS:
            continue
        (simulation,) = simulate_allow(actor, scopes=[Rule.Scope.USER], tool=tool)
        if simulation.allowed and not _is_allowed(actor, tool):
            suggested.append(SuggestedRule(tool, find_tool(actor.organization.pk, tool).title, approvals, simulation))
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
    return rows.filter(mine, tool=tool, verdict=Rule.Verdict.ALLOW).exists()
