"""How much of its time a turn has used: what was worked on it, and in a question also its tools that asked a model."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from agent.models import Turn
from agent.toolkit.tool_kinds import Access


def is_research(turn: Turn) -> bool:
    """About no single document, asked by a person or a program that waits for an answer."""
    asked = turn.origin in (Turn.Origin.CHAT, Turn.Origin.API)
    return asked and turn.thread.document_id is None


def is_out_of_time(turn: Turn) -> bool:
    """Of a question over many documents."""
    return bool(turn.limit_ms) and is_research(turn) and _count_used_ms(turn) >= turn.limit_ms


def count_seconds_left(turn: Turn, maximum: float) -> float:
    """At most so much, and no more than the time limit of the turn leaves."""
    if not turn.limit_ms:
        return maximum
    return max(1.0, min(maximum, (turn.limit_ms - _count_used_ms(turn) - turn.count_elapsed_ms()) / 1000))


def has_time_ended(turn: Turn) -> bool:
    """Whether the limit has passed, with the time that this process has worked on it since it took it."""
    return bool(turn.limit_ms) and _count_used_ms(turn) + turn.count_elapsed_ms() >= turn.limit_ms


def describe_time_limit(worked_ms: int) -> str:
    seconds = worked_ms // 1000
    worked = f"{seconds // 60} min" if seconds >= 60 else f"{seconds} s"
    return f"The turn paused after {worked} of work, its limit. It can go on from there."


def _count_used_ms(turn: Turn) -> int:
    if not is_research(turn):
        return turn.worked_ms
    calls = turn.calls.filter(access=Access.COSTLY_READ).values_list("claimed_at", "finished_at")
    spans = [(claimed, finished) for claimed, finished in calls if claimed and finished]
    return turn.worked_ms + round(_measure_union(spans).total_seconds() * 1000)


def _measure_union(spans: Iterable[tuple[datetime, datetime]]) -> timedelta:
    """Calls of one answer run at the same time: a person waits for it once."""
    total, latest = timedelta(), None
    for begin, end in sorted(spans):
        total += max(timedelta(), end - max(begin, latest or begin))
        latest = max(end, latest or end)
    return total
