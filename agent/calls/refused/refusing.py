"""A turn that is refused for what its tools brought: what waits in it ends, and what it was about leaves the thread.

Its next round asks no model: it says the refusal and ends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from agent import feed, focus
from agent.calls import withdrawal
from agent.models import ThreadSummary, ToolCall, Turn

WHY = "What this rests on is not what this assistant is for."


def _forget_rows(turn: Turn) -> Mapping[str, str]:
    """The working state without the ids of rows that calls of the turn have named."""
    words = json.dumps(list(turn.calls.values_list("result", flat=True)))
    return {name: row_id for name, row_id in turn.thread.working_state.items() if row_id not in words}


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
    feed.change_thread(turn.thread_id, steps=[], working_state=_forget_rows(turn))
    for call in calls:
        feed.report_call(call)
