"""A turn that is refused for what its tools brought: what waits in it ends, and what it was about leaves the thread.

Its next round asks no model: it says the refusal and ends.
"""

from __future__ import annotations

from agent import feed, focus
from agent.calls import withdrawal
from agent.models import ThreadSummary, ToolCall, Turn

WHY = "What this rests on is not what this assistant is for."


def refuse_turn(turn: Turn) -> None:
    """In the transaction that has locked the turn. A call that runs already ends by itself, and is screened too."""
    if turn.refused:
        return
    turn.refused = Turn.Refused.AFTER
    Turn.objects.filter(pk=turn.pk).update(refused=turn.refused)
    waiting = (ToolCall.Status.PLANNED, ToolCall.Status.PENDING, ToolCall.Status.APPROVED)
    calls = list(turn.calls.filter(status__in=waiting))
    withdrawal.withdraw(calls, to=ToolCall.Status.SUPERSEDED, why=WHY)
    focus.drop_turns([turn.pk])
    ThreadSummary.objects.filter(turn=turn).delete()
    feed.change_thread(turn.thread_id, steps=[])
    for call in calls:
        feed.report_call(call)
