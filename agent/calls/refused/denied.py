"""Calls that were denied since they name a document that is not what the assistant is for."""

from __future__ import annotations

from collections.abc import Sequence

from agent.calls.refused.refusing import refuse_turn
from agent.calls.screening.arguments import find_foreign_named
from agent.calls.screening.results import keep_check
from agent.models import ToolCall, Turn
from agent.outside.catalog import find_tool_of
from agent.scope_profiles.applied.in_force import find_scope


def note_denied(turn: Turn, calls: Sequence[ToolCall]) -> None:
    """Keep which documents calls were denied for. Under a strict profile that refuses the whole answer."""
    denied = [call for call in calls if call.status == ToolCall.Status.DENIED]
    scope = find_scope(turn) if denied else None
    if scope is None:
        return
    for call in denied:
        foreign = find_foreign_named(scope, turn, find_tool_of(call), call.effective or {})
        if foreign:
            keep_check(call, scope, list(foreign), is_out=True)
            if scope.is_strict:
                refuse_turn(turn)
    if turn.refused:
        for call in calls:
            call.refresh_from_db(fields=["status", "result", "finished_at"])
