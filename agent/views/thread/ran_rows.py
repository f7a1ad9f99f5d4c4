"""A call that needed no card, as a line of the thread."""

from __future__ import annotations

from agent.cards.cards import RUNNING, format_json, tool_of
from agent.models import ToolCall
from agent.views.thread.thread_items import RanRow

Status = ToolCall.Status


def build_ran_row(call: ToolCall) -> RanRow:
    tool = tool_of(call)
    result = call.result or {}
    problem = str(result.get("error", "")) if call.status != Status.SUCCEEDED else ""
    summary = problem or (tool.summary(call.effective or {}, result) if tool and tool.summary and result else "")
    state = "running" if call.status in (*RUNNING, Status.PROPOSED) else "ok" if not problem else "bad"
    took = (call.finished_at - call.created_at).total_seconds() if call.finished_at else None
    return RanRow(
        title=tool.title if tool else call.tool, summary=summary, state=state, seconds=took, result=format_json(result)
    )
