"""How much of its time a turn has used: what was worked on it, and in a question also its tools that asked a model.

A question about many documents is answered within the time that a person waits for it; a task has that of any turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from agent.models import Message, Turn
from agent.toolkit.tool_kinds import Access


def is_research(turn: Turn) -> bool:
    """About no single document, asked by a person or a program that waits for an answer."""
    asked = turn.origin in (Turn.Origin.CHAT, Turn.Origin.API)
    return asked and turn.thread.document_id is None


def is_question(turn: Turn) -> bool:
    """Of these turns those whose words end with a question mark: fixed steps answer, they carry out no task."""
    return is_research(turn) and asks(read_request(turn))


def asks(text: str) -> bool:
    return text.rstrip().endswith("?")


def read_request(turn: Turn) -> str:
    message = turn.messages.filter(role=Message.Role.USER, dropped_at=None).order_by("number").first()
    return message.join_text() if message else ""


def is_out_of_time(turn: Turn) -> bool:
    return bool(turn.limit_ms) and count_used_ms(turn) >= turn.limit_ms


def count_seconds_left(turn: Turn, maximum: float) -> float:
    """At most so much, and no more than the time limit of the turn leaves."""
    if not turn.limit_ms:
        return maximum
    return max(1.0, min(maximum, (turn.limit_ms - count_used_ms(turn) - turn.count_elapsed_ms()) / 1000))


def has_time_ended(turn: Turn) -> bool:
    """Whether the limit has passed, with the time that this process has worked on it since it took it."""
    return bool(turn.limit_ms) and count_used_ms(turn) + turn.count_elapsed_ms() >= turn.limit_ms


def describe_time_limit(turn: Turn) -> str:
    seconds = (count_used_ms(turn) + turn.count_elapsed_ms()) // 1000
    worked = f"{seconds // 60} min" if seconds >= 60 else f"{seconds} s"
    return f"The turn paused after {worked} of work, its limit. It can go on from there."


def count_used_ms(turn: Turn) -> int:
    if not is_question(turn):
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
