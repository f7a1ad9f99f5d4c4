"""Costs of models: sums of the daily rows, which are as many however many calls were made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from django.db.models import F, QuerySet, Sum

from accounts.actor import Actor
from accounts.models import User
from agent.usage.figures import Column, Figures, Row, name_model, percent
from agent.usage.period import Period
from agent.usage.tool_titles import find_title
from documents.models import PromptRevision, UsageDay
from kit.formats import count_noun
from llm.money.usage_days import SUMS

PURPOSES = {"extraction": "Extraction", "agent": "Agent", "research": "Research"}
TITLES = {"type": "Types of documents"}
REST = "Reading and rest"
KINDS = (*PURPOSES.values(), REST)
_COSTS = (
    Column("cost_micros", "Dollars", "micros"),
    Column("calls", "Calls"),
    Column("tokens_read", "Tokens read", "tokens"),
    Column("tokens_cached", "From cache", "tokens"),
    Column("tokens_cache_written", "Into cache", "tokens"),
    Column("tokens_written", "Tokens written", "tokens"),
)
_AMOUNTS = ("cost_micros", "calls", "prompt_tokens", "cached_tokens", "cache_written_tokens", "completion_tokens")


def list_days(actor: Actor, period: Period) -> QuerySet[UsageDay]:
    return UsageDay.objects.for_org(actor.organization).filter(day__gte=period.first, day__lte=period.last)


def sum_all(actor: Actor, period: Period) -> dict[str, int]:
    sums = list_days(actor, period).aggregate(**{f"sum_{name}": Sum(name) for name in SUMS})
    return {name: sums[f"sum_{name}"] or 0 for name in SUMS}


def sum_by_day(actor: Actor, period: Period) -> dict[date, dict[str, int]]:
    """By day and kind of purpose, in millionths of a dollar."""
    sums: dict[date, dict[str, int]] = defaultdict(lambda: dict.fromkeys(KINDS, 0))
    rows = list_days(actor, period).values_list("day", "purpose").annotate(cost=Sum("cost_micros"))
    for day, purpose, cost in rows:
        sums[day][PURPOSES.get(purpose, REST)] += cost
    return sums


def tabulate_days(actor: Actor, period: Period) -> Figures:
    sums = sum_by_day(actor, period)
    rows: list[Row] = [(day, *sums[day].values(), sum(sums[day].values())) for day in sorted(sums, reverse=True)]
    kinds = [Column(f"{kind.lower().replace(' ', '_')}_micros", kind, "micros") for kind in KINDS]
    columns = [Column("day", "Day", "day"), *kinds, Column("cost_micros", "All", "micros")]
    return Figures("days", "Dollars by day", columns, rows, _add_up(rows, len(columns), count_noun(len(rows), "day")))


def tabulate_calls(actor: Actor, period: Period) -> Figures:
    days = list_days(actor, period).order_by("-day").values_list("day")
    rows: list[Row] = [*days.annotate(**{f"sum_{name}": Sum(name) for name in _AMOUNTS})]
    total = _add_up(rows, len(_COSTS) + 1, count_noun(len(rows), "day"))
    return Figures("calls", "Calls and tokens by day", [Column("day", "Day", "day"), *_COSTS], rows, total)


def tabulate_running_sums(actor: Actor, period: Period, limit: int) -> Figures:
    """Against the month's budget, where that was the limit of these days."""
    rows, sum_ = list[Row](), 0
    by_day = sum_by_day(actor, period)
    for day in sorted(by_day):
        cost = sum(by_day[day].values())
        sum_ += cost
        rows.insert(0, (day, cost, sum_, percent(sum_, limit)))
    columns = [Column("day", "Day", "day"), Column("cost_micros", "Dollars", "micros")]
    columns += [Column("sum_micros", "Added up", "micros"), Column("budget_percent", "Of budget", "percent")]
    return Figures("running", "Added up, against the budget", columns, rows)


def _tabulate(key: str, title: str, name: Column, rows: Iterable[Row], note: str = "") -> Figures:
    listed: list[Row] = sorted(rows, key=lambda row: (-int(str(row[1])), str(row[0])))
    return Figures(key, title, [name, *_COSTS], listed, _add_up(listed, len(_COSTS) + 1, "All"), note)


def _add_up(rows: list[Row], width: int, words: str) -> Row | None:
    sums = [sum(int(str(row[at])) for row in rows) for at in range(1, width)]
    return (words, *sums) if rows else None


def _sum_by(rows: QuerySet[UsageDay], column: str) -> dict[str, tuple[int, ...]]:
    sums = rows.values(column).annotate(**{f"sum_{name}": Sum(name) for name in _AMOUNTS})
    return {row[column]: tuple(row[f"sum_{name}"] for name in _AMOUNTS) for row in sums.order_by()}


def tabulate_purposes(actor: Actor, period: Period) -> Figures:
    rows = _sum_by(list_days(actor, period), "purpose")
    named: list[Row] = [(TITLES.get(name, name[:1].upper() + name[1:]), *sums) for name, sums in rows.items()]
    return _tabulate("purposes", "By purpose", Column("purpose", "Purpose", "text"), named)


def tabulate_models(actor: Actor, period: Period) -> Figures:
    unpriced = list_days(actor, period).filter(unpriced_calls__gt=0).order_by("model")
    names = unpriced.values_list("model", flat=True).distinct()
    note = f"Price not set, counted at the ceiling: {', '.join(names)}." if names else ""
    rows: list[Row] = [(name, *sums) for name, sums in _sum_by(list_days(actor, period), "model").items()]
    return _tabulate("models", "By model", Column("model", "Model", "text", name_model), rows, note)


def tabulate_tools(actor: Actor, period: Period) -> Figures:
    """Models that tools ask beside the agent's own."""
    rows = _sum_by(list_days(actor, period).exclude(tool=""), "tool")
    named: list[Row] = [(name, *sums) for name, sums in rows.items()]
    note = "Model calls that tools made. The agent’s own are in the row Agent of the table by purpose."
    return _tabulate("tools", "By tool", Column("tool", "Tool", "text", find_title), named, note)


def tabulate_prompts(actor: Actor, period: Period) -> Figures:
    rows = _sum_by(list_days(actor, period).exclude(prompt_revid=""), "prompt_revid")
    names = name_prompts(actor, rows)
    named: list[Row] = [(names.get(key, "A prompt that is gone"), *sums) for key, sums in rows.items()]
    return _tabulate("prompts", "By prompt", Column("prompt", "Prompt", "text"), named)


def name_prompts(actor: Actor, ids: Iterable[str]) -> dict[str, str]:
    """Supplier invoice v3."""
    revisions = PromptRevision.objects.filter(pk__in=list(ids), prompt__organization=actor.organization)
    named = revisions.annotate(name=F("prompt__name")).values_list("pk", "name", "number")
    return {key: f"{name} v{number}" for key, name, number in named}


def tabulate_people(actor: Actor, period: Period, *, sees_all: bool) -> Figures:
    """Oneself alone, unless one `sees_all`."""
    days = list_days(actor, period)
    rows = _sum_by(days if sees_all else days.filter(person=actor.user.pk), "person")
    names = {user.pk: user.shown_name for user in User.objects.filter(pk__in=rows)}
    named: list[Row] = [
        (names.get(key, "Nobody" if not key else "Someone who is gone"), *sums) for key, sums in rows.items()
    ]
    title = "By person" if sees_all else "You"
    return _tabulate("people", title, Column("person", "Person", "text"), named)
