"""A call as a step of an answer: what kind of step it is, what it does in a few words, and how far it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from agent.cards.cards import RUNNING, tool_of
from agent.models import ToolCall
from agent.toolkit.previews import format_count
from kit.json_types import JsonObject
from kit.timestamps import format_timestamp

Status = ToolCall.Status
Action: TypeAlias = Literal["planning", "searching", "exploring", "reading", "analysing", "summarising", "opening"]
ACTIONS: Mapping[str, Action] = {
    "search_documents": "searching",
    "list_documents": "exploring",
    "query_fields": "exploring",
    "read_document": "reading",
    "get_ocr_text": "reading",
    "view_page": "reading",
    "get_extraction_result": "reading",
    "read_multiple_documents": "summarising",
    "read_all_documents": "summarising",
    "get_document_summary": "summarising",
    "rerank_documents": "analysing",
    "compare_extractions": "analysing",
    "calculate": "analysing",
    "check": "analysing",
    "open_document": "opening",
}
VERBS: Mapping[Action, str] = {
    "searching": "Searching for",
    "exploring": "Looking through",
    "reading": "Reading",
    "summarising": "Summarising for",
    "analysing": "Comparing by",
    "opening": "Opening",
}
ABOUT = ("query", "question", "focus_query", "name_search", "document")
MAX_ABOUT, MAX_MESSAGE, MAX_OUTPUT = 60, 300, 500


class ResearchStep(TypedDict):
    """A step of an answer. `tool_output` is its beginning; the event's `result` is all of it, where that is short."""

    step: Annotated[int, Field(description="Counts the calls of the turn from 1.")]
    action_type: Action
    message: str
    timestamp: str
    tool_name: str
    tool_input: JsonObject
    tool_output: str
    tool_status: Literal["running", "complete", "error"]


def describe_start(call: ToolCall, number: int) -> ResearchStep:
    """As it was when the call began, whatever has come of it since."""
    return _describe(call, number, "running", _describe_begin(call), format_timestamp(call.created_at), "")


def describe_step(call: ToolCall, number: int, output: str) -> ResearchStep:
    """`output` is what the model reads of it."""
    if call.status in (*RUNNING, Status.PROPOSED, Status.PENDING, Status.PLANNED):
        return describe_start(call, number)
    is_done = call.status == Status.SUCCEEDED
    ended = format_timestamp(call.finished_at or call.created_at)
    message = _describe_end(call) if is_done else str((call.result or {}).get("error") or call.status)
    return _describe(call, number, "complete" if is_done else "error", message, ended, output[:MAX_OUTPUT])


def _describe(
    call: ToolCall,
    number: int,
    status: Literal["running", "complete", "error"],
    message: str,
    timestamp: str,
    output: str,
) -> ResearchStep:
    return {
        "step": number,
        "action_type": ACTIONS.get(call.tool, "planning"),
        "message": message[:MAX_MESSAGE],
        "timestamp": timestamp,
        "tool_name": call.tool,
        "tool_input": call.effective or call.proposed or {},
        "tool_output": output,
        "tool_status": status,
    }


def _describe_begin(call: ToolCall) -> str:
    tool, arguments = tool_of(call), call.effective or call.proposed or {}
    about = next((str(arguments[name]) for name in ABOUT if arguments.get(name)), "")[:MAX_ABOUT]
    verb = VERBS.get(ACTIONS.get(call.tool, "planning"))
    title = tool.title if tool else call.tool
    return f"{verb}: {about}" if verb and about else title


def _describe_end(call: ToolCall) -> str:
    tool, result = tool_of(call), call.result or {}
    if "total_found" in result:
        return f"Found {format_count(result['total_found'], 'document')}"
    summary = tool.summary(call.effective or {}, result) if tool and tool.summary else ""
    return (
        f"{tool.title if tool else call.tool}: {summary}" if summary else f"{tool.title if tool else call.tool}: done"
    )
