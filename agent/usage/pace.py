"""The month's spending, if it goes on as it did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from agent.usage.figures import percent
from agent.usage.period import Period
from kit.formats import format_day
from llm.models import Budget
from llm.money.budgets import format_dollars


@dataclass(frozen=True)
class Pace:
    """`share` and `expected_share` are percents of the limit, None without one; `reached_on` a day of this month."""

    share: int | None
    expected: int
    expected_share: int | None
    reached_on: date | None
    sentence: str

    @property
    def fill(self) -> int:
        """The used part of a bar that is 1,000 long."""
        return min(1000, 10 * (self.share or 0))

    @property
    def ahead(self) -> int:
        return max(0, min(1000, 10 * (self.expected_share or 0)) - self.fill)


def estimate_pace(period: Period, budget: Budget, today: date) -> Pace:
    """The days until today, today as a whole one, go on until the month ends."""
    passed = (today - period.first).days + 1
    expected = budget.spent_micros * len(list(period.list_days())) // passed
    share, expected_share = percent(budget.spent_micros, budget.limit_micros), percent(expected, budget.limit_micros)
    reached_on = _find_day(period, budget, passed)
    return Pace(share, expected, expected_share, reached_on, _say(budget, reached_on, expected))


def _find_day(period: Period, budget: Budget, passed: int) -> date | None:
    limit, spent = budget.limit_micros, budget.spent_micros
    if not limit or not spent or spent >= limit:
        return None
    day = period.first + timedelta(days=min(400, limit * passed // spent))
    return day if day <= period.last else None


def _say(budget: Budget, reached_on: date | None, expected: int) -> str:
    limit = format_dollars(budget.limit_micros)
    if budget.limit_micros and budget.spent_micros >= budget.limit_micros:
        return f"All of {limit} is spent."
    if reached_on:
        return f"At this pace {limit} is reached on {format_day(reached_on, has_year=False)}."
    return f"At this pace the month comes to {format_dollars(expected)}."
