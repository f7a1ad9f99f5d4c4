"""Counts of the gate: what waited for people, what they decided, and how long they looked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby, takewhile

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from accounts.actor import Actor
from accounts.models import User
from agent.models import Decision, ToolCall
from agent.usage.figures import Column, Figures, Row
from agent.usage.period import Period
from agent.usage.tool_titles import find_title
from agent.usage.work import Times, measure

Status = ToolCall.Status
MAX_SHOWN_TOOLS = 30
# So many cards in a row, each approved so soon after it came into view, were hardly read.
HASTY_CARDS, HASTY_MS = 20, 2000
NAMES = {
    Decision.Kind.APPROVED: "approved",
    Decision.Kind.REJECTED: "rejected",
    Decision.Kind.EXPIRED: "expired",
    Decision.Kind.CANCELLED: "withdrawn",
}
_MAX_LOOKED_AT = 100
_READ = ("kind", "edited", "seen_ms", "created_at", "call__thread", "user__name", "user__email")


@dataclass
class GateCounts:
    """Cards of one tool, or of all. What policy decided is counted apart: `allowed` and `refused`."""

    approved: int = 0
    edited: int = 0
    rejected: int = 0
    expired: int = 0
    waiting: int = 0
    withdrawn: int = 0
    allowed: int = 0
    refused: int = 0
    seconds: list[int] = field(default_factory=list)
    seen_ms: list[int] = field(default_factory=list)

    @property
    def cards(self) -> int:
        return self.approved + self.edited + self.rejected + self.expired + self.waiting + self.withdrawn

    @property
    def times(self) -> Times:
        return measure(self.seconds)

    @property
    def seen(self) -> Times:
        return measure([round(each / 1000) for each in self.seen_ms])

    def add(self, other: GateCounts) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def list_decisions(actor: Actor, period: Period) -> QuerySet[Decision]:
    rows = Decision.objects.for_org(actor.organization).filter(call__undoes=None)
    return rows.filter(created_at__gte=period.begin, created_at__lt=period.end).order_by()


def filter_by_people(rows: QuerySet[Decision]) -> QuerySet[Decision]:
    return rows.filter(rule=None, mode="").exclude(idempotency_key="policy")


def count_by_tool(actor: Actor, period: Period) -> dict[str, GateCounts]:
    """Decisions by their own time; what expired, was withdrawn or waits by that of the call."""
    counts: dict[str, GateCounts] = defaultdict(GateCounts)
    _count_people(counts, actor, period)
    policy = list_decisions(actor, period).filter(~Q(rule=None) | ~Q(mode="") | Q(idempotency_key="policy"))
    for tool, kind, number in policy.values_list("call__tool", "kind").annotate(number=Count("pk")):
        name = "allowed" if kind == Decision.Kind.APPROVED else "refused"
        setattr(counts[tool], name, getattr(counts[tool], name) + number)
    for tool, status, number in _list_undecided(actor, period):
        name = {Status.EXPIRED: "expired", Status.PENDING: "waiting"}.get(Status(status), "withdrawn")
        setattr(counts[tool], name, getattr(counts[tool], name) + number)
    return counts


def _count_people(counts: dict[str, GateCounts], actor: Actor, period: Period) -> None:
    columns = ("call__tool", "kind", "edited", "seen_ms", "created_at", "call__created_at")
    for tool, kind, edited, seen, at, asked_at in filter_by_people(list_decisions(actor, period)).values_list(*columns):
        count = counts[tool]
        name = "edited" if edited else NAMES[Decision.Kind(kind)]
        setattr(count, name, getattr(count, name) + 1)
        if kind in (Decision.Kind.APPROVED, Decision.Kind.REJECTED):
            count.seconds.append(_count_seconds(asked_at, at))
        if seen is not None:
            count.seen_ms.append(seen)


def _count_seconds(since: datetime, until: datetime) -> int:
    return max(0, round((until - since).total_seconds()))


def _list_undecided(actor: Actor, period: Period) -> Iterable[tuple[str, str, int]]:
    statuses = (Status.EXPIRED, Status.PENDING, Status.SUPERSEDED, Status.CANCELLED)
    rows = ToolCall.objects.for_org(actor.organization).filter(status__in=statuses).exclude(expires_at=None)
    rows = rows.filter(created_at__gte=period.begin, created_at__lt=period.end, decisions=None).order_by()
    return rows.values_list("tool", "status").annotate(number=Count("pk"))


def add_up(counts: dict[str, GateCounts]) -> GateCounts:
    total = GateCounts()
    for each in counts.values():
        total.add(each)
    return total


def tabulate_gate(counts: dict[str, GateCounts], total: GateCounts) -> Figures:
    columns = [Column("tool", "Tool", "text", find_title), Column("held", "Cards"), Column("approved", "Approved")]
    columns += [Column("edited", "Edited"), Column("rejected", "Rejected"), Column("expired", "Expired")]
    columns += [Column("withdrawn", "Withdrawn"), Column("waiting", "Waiting")]
    columns += [
        Column("median_seconds", "Time to decide", "seconds"),
        Column("seen_seconds", "Time in view", "seconds"),
    ]
    columns += [Column("allowed", "Ran by rule"), Column("refused", "Refused by rule")]
    order = sorted(counts, key=lambda tool: (-counts[tool].cards, -counts[tool].allowed, tool))
    rows: list[Row] = [_describe(tool, counts[tool]) for tool in order[:MAX_SHOWN_TOOLS]]
    if len(order) > MAX_SHOWN_TOOLS:
        rows.append(_describe("All others", add_up({tool: counts[tool] for tool in order[MAX_SHOWN_TOOLS:]})))
    return Figures("gate", "Agent’s changes", columns, rows, _describe("All", total) if rows else None)


def _describe(name: str, count: GateCounts) -> Row:
    decided = (count.approved, count.edited, count.rejected, count.expired, count.withdrawn, count.waiting)
    return (name, count.cards, *decided, count.times.median, count.seen.median, count.allowed, count.refused)


@dataclass(frozen=True)
class HastyRun:
    """So many cards in a row that one person approved within two seconds of view each; the last of them at `at`."""

    user: User
    number: int
    at: datetime
    thread_ids: Sequence[str]


def list_hasty_runs(actor: Actor, people: QuerySet[User]) -> list[HastyRun]:
    """The runs that the newest decisions of people in this organization are, where these are long ones."""
    order = Window(RowNumber(), partition_by=F("user"), order_by=[F("created_at").desc(), F("pk").desc()])
    rows = filter_by_people(Decision.objects.for_org(actor.organization).filter(user__in=people, call__undoes=None))
    newest = rows.annotate(place=order).filter(place__lte=_MAX_LOOKED_AT).select_related("call", "user")
    listed = newest.only(*_READ).order_by("user", "place")
    runs = [list(takewhile(_is_hasty, decisions)) for _, decisions in groupby(listed, lambda each: each.user_id)]
    return [_describe_run(run) for run in runs if len(run) >= HASTY_CARDS]


def _describe_run(run: Sequence[Decision]) -> HastyRun:
    newest, threads = run[0], Counter(decision.call.thread_id for decision in run)
    assert newest.user is not None  # noqa: S101 - the query asks for decisions of people
    return HastyRun(newest.user, len(run), newest.created_at, [thread for thread, _ in threads.most_common(3)])


def _is_hasty(decision: Decision) -> bool:
    is_approval = decision.kind == Decision.Kind.APPROVED and not decision.edited
    return is_approval and decision.seen_ms is not None and decision.seen_ms <= HASTY_MS
