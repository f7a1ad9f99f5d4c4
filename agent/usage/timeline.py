"""Why a turn cost what it did: a line for each call of a model, each tool and each wait for a person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from agent.inbox.inbox_rows import icon_of
from agent.models import Decision, ToolCall, Turn
from agent.policy.turn_time import count_used_ms
from agent.scope_profiles.applied import classifier
from agent.usage.figures import Column, Figures, Row, name_model, percent
from agent.usage.tool_titles import find_title
from documents.models import Usage

AGENT = "The agent itself"
CHECKS = {"before": "Scope check before the turn", "after": "Scope check of results"}


@dataclass(frozen=True)
class Step:
    """`tokens_read` and what follows are None where no model was asked."""

    at: datetime
    icon: str
    title: str
    seconds: float
    tokens_read: int | None = None
    tokens_cached: int = 0
    tokens_written: int = 0
    cost_micros: int | None = None
    is_wait: bool = False
    is_estimate: bool = False
    model: str = ""

    @property
    def cached_percent(self) -> int | None:
        return percent(self.tokens_cached, self.tokens_read or 0)


@dataclass(frozen=True)
class Timeline:
    """The steps in their order; `cost_micros` is the sum of the lines."""

    turn: Turn
    steps: Sequence[Step]
    by_tool: Figures

    @property
    def cost_micros(self) -> int:
        return sum(step.cost_micros or 0 for step in self.steps)

    @property
    def seconds(self) -> float:
        """With the costly reads of a question, which the turn's own clock leaves out."""
        return count_used_ms(self.turn) / 1000

    @property
    def waited(self) -> float:
        """Seconds of waiting for people, which are no work."""
        return sum(step.seconds for step in self.steps if step.is_wait)

    @property
    def between(self) -> float:
        """Seconds of work that belong to no step; none where steps ran side by side."""
        return max(0.0, self.seconds - sum(step.seconds for step in self.steps if not step.is_wait))

    @property
    def total(self) -> Step:
        read, cached, written = (
            sum(getattr(step, name) or 0 for step in self.steps)
            for name in ("tokens_read", "tokens_cached", "tokens_written")
        )
        return Step(self.turn.created_at, "coins", "All work", self.seconds, read, cached, written, self.cost_micros)

    @property
    def has_estimates(self) -> bool:
        return any(step.is_estimate for step in self.steps)


def trace_turn(turn: Turn) -> Timeline:
    usages = list(Usage.objects.filter(subject_id=turn.pk).select_related("reservation").order_by("created_at", "pk"))
    calls = list(turn.calls.prefetch_related("decisions").order_by("created_at", "pk"))
    steps = [*_list_model_calls(usages), *_list_tool_calls(calls), *_list_waits(calls), *_list_checks(turn, usages)]
    return Timeline(turn, sorted(steps, key=lambda step: step.at), _tabulate(usages, calls))


def _list_model_calls(usages: Sequence[Usage]) -> Iterator[Step]:
    for used in usages:
        yield Step(
            used.created_at - timedelta(milliseconds=used.duration_ms),
            "coins" if used.tool else "sparkles",
            f"{find_title(used.tool)}: its model call" if used.tool else "The agent thinks",
            used.duration_ms / 1000,
            used.prompt_tokens,
            used.cached_tokens,
            used.completion_tokens,
            used.cost_micros,
            is_estimate=used.reservation.status == used.reservation.Status.ESTIMATED,
            model=name_model(used.model),
        )


def _list_tool_calls(calls: Sequence[ToolCall]) -> Iterator[Step]:
    for call in calls:
        if call.claimed_at:
            title = str((call.preview or {}).get("title") or find_title(call.tool))
            yield Step(call.claimed_at, icon_of(call), title, _measure(call))


def _list_checks(turn: Turn, usages: Sequence[Usage]) -> Iterator[Step]:
    """The checks of its scope, each without the time of the model that it asked, which has a line of its own."""
    asked_ms = sum(used.duration_ms for used in usages if used.purpose == classifier.PURPOSE)
    for check in turn.scope_checks.all():
        worked_ms, asked_ms = max(0, check.worked_ms - asked_ms), max(0, asked_ms - check.worked_ms)
        begun = check.created_at - timedelta(milliseconds=check.worked_ms)
        yield Step(begun, "check", CHECKS[check.stage], worked_ms / 1000)


def _measure(call: ToolCall) -> float:
    ran = (call.finished_at - call.claimed_at).total_seconds() if call.finished_at and call.claimed_at else 0
    return max(0.0, ran) + call.worked_ms / 1000


def _list_waits(calls: Sequence[ToolCall]) -> Iterator[Step]:
    for call in calls:
        for decision in call.decisions.all():
            if _is_of_person(decision) and call.undoes_id is None:
                waited = (decision.created_at - call.created_at).total_seconds()
                yield Step(call.created_at, "hand", "Waited for a person", max(0.0, waited), is_wait=True)


def _is_of_person(decision: Decision) -> bool:
    return not decision.mode and decision.rule_id is None and decision.idempotency_key != "policy"


def _tabulate(usages: Sequence[Usage], calls: Sequence[ToolCall]) -> Figures:
    """Each tool with the models that it asked; the agent's own rounds are the first row."""
    number: dict[str, int] = defaultdict(int)
    seconds: dict[str, float] = defaultdict(float)
    costs: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for call in calls:
        number[call.tool] += 1
        seconds[call.tool] += _measure(call)
    for used in usages:
        amounts = (used.prompt_tokens, used.cached_tokens, used.completion_tokens, used.cost_micros)
        costs[used.tool] = [sum_ + each for sum_, each in zip(costs[used.tool], amounts, strict=True)]
        if not used.tool:
            number[""] += 1
            seconds[""] += used.duration_ms / 1000
    rows: list[Row] = []
    for tool in sorted({*number, *costs}, key=lambda name: (name != "", -costs[name][3], name)):
        read, cached, written, cost = costs[tool]
        title = find_title(tool) if tool else AGENT
        rows.append((title, number[tool], round(seconds[tool]), read, percent(cached, read), written, cost))
    columns = [Column("tool", "Tool", "text"), Column("calls", "Calls"), Column("seconds", "Seconds", "seconds")]
    columns += [Column("tokens_read", "Tokens read", "tokens"), Column("cached_percent", "From cache", "percent")]
    columns += [Column("tokens_written", "Written", "tokens"), Column("cost_micros", "Dollars", "micros")]
    return Figures("turn", "Where it went", columns, rows)
