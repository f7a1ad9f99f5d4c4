"""Ending a turn that somebody no longer waits for: what has not begun is withdrawn with it."""

from __future__ import annotations

from django.utils import timezone

from accounts.actor import Actor
from agent import feed
from agent.calls import decisions
from agent.models import ToolCall, Turn
from kit.rows.state import move


def withdraw_and_end(actor: Actor | None, turn: Turn, why: str, to: str) -> None:
    """Cancels a turn that no worker runs, inside the caller's transaction. Its pending cards become `to`."""
    pending = list(turn.calls.filter(status__in=[ToolCall.Status.PLANNED, ToolCall.Status.PENDING]))
    approved = list(turn.calls.filter(status=ToolCall.Status.APPROVED))
    decisions.withdraw(pending, to=to, why=why, actor=actor)
    decisions.withdraw(approved, to=ToolCall.Status.CANCELLED, why=why, actor=actor)
    move(
        turn,
        Turn.Status.CANCELLED,
        transitions=Turn.TRANSITIONS,
        reason=why,
        finished_at=timezone.now(),
        cancel_requested_at=timezone.now(),
        lease_until=None,
        partial_text="",
        partial_thinking="",
    )
    for call in [*pending, *approved]:
        feed.report_call(call)
