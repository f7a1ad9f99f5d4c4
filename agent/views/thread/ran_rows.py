"""A call that needed no card, as a line of the thread."""

from __future__ import annotations

from agent.cards.cards import RUNNING, format_json, tool_of
from agent.cards.crops import draw_viewed
from agent.conversation.model_input import pictures
from agent.models import ToolCall
from agent.views.thread.thread_items import RanRow

Status = ToolCall.Status


def build_ran_row(call: ToolCall) -> RanRow:
    """With what the model saw, where it looked at a page."""
    tool = tool_of(call)
    result = call.result or {}
    problem = str(result.get("error", "")) if call.status != Status.SUCCEEDED else ""
    summary = problem or (tool.summary(call.effective or {}, result) if tool and tool.summary and result else "")
    state = "running" if call.status in (*RUNNING, Status.PROPOSED) else "ok" if not problem else "bad"
    took = (call.finished_at - call.created_at).total_seconds() if call.finished_at else None
    is_view = call.tool == pictures.TOOL and call.status == Status.SUCCEEDED
    return RanRow(
        title=tool.title if tool else call.tool,
        summary=summary,
        state=state,
        seconds=took,
        result=format_json(result),
        crop=draw_viewed(result) if is_view else None,
        document_id=str(result.get("document_id") or call.thread.document_id) if is_view else "",
    )
