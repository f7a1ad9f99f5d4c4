"""A call as a step of an answer: what kind of step it is, what it does in a few words, and how far it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from agent.cards.cards import RUNNING, tool_of
from agent.models import ToolCall
from agent.toolkit.previews import format_count
from documents.models import Document
from kit.ids import is_id
from kit.json_types import JsonObject
from kit.timestamps import format_timestamp

Status = ToolCall.Status
Action: TypeAlias = Literal["planning", "searching", "exploring", "reading", "analysing", "summarising", "opening"]
ACTIONS: Mapping[str, Action] = {
    "search_documents": "searching",
    "list_documents": "exploring",
    "query_fields": "exploring",
    "table_query": "exploring",
    "read_document": "reading",
    "get_ocr_text": "reading",
    "view_page": "reading",
    "get_extraction_result": "reading",
    "read_multiple_documents": "summarising",
    "read_all_documents": "summarising",
    "get_document_summary": "summarising",
    "rerank_documents": "analysing",
    "compare_documents": "analysing",
    "compare_extractions": "analysing",
    "calculate_expression": "analysing",
    "check_values": "analysing",
    "open_document": "opening",
}
DOCUMENT = "document"
VERBS: Mapping[Action, str] = {
    "searching": "Searching for",
    "exploring": "Looking through",
    "reading": "Reading",
    "summarising": "Summarising for",
    "analysing": "Comparing by",
    "opening": "Opening",
}
ABOUT = ("query", "question", "focus_query", "name_search", DOCUMENT, "reason")
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
    return _describe(call, number, "running", describe_beginning(call), format_timestamp(call.created_at), "")


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


def describe_beginning(call: ToolCall) -> str:
    """Such as “Searching for: roof”; of a call that is about nothing in particular its title."""
    arguments = call.effective or call.proposed or {}
    name = next((name for name in ABOUT if arguments.get(name)), "")
    verb = VERBS.get(ACTIONS.get(call.tool, "planning"), "")
    if not verb or not name:
        return _get_title(call)
    if name == DOCUMENT:
        return f"{verb.removesuffix(' for').removesuffix(' by')}: {_name_document(call, str(arguments[name]))}"
    return f"{verb}: {str(arguments[name])[:MAX_ABOUT]}"


def describe_outcome(call: ToolCall) -> str:
    """Such as “Found 3 documents”; empty where there is nothing to tell."""
    tool, result = tool_of(call), call.result or {}
    if "total_found" in result:
        return f"Found {format_count(result['total_found'], 'document')}"
    return tool.summary(call.effective or {}, result) if tool and tool.summary and result else ""


def _name_document(call: ToolCall, written: str) -> str:
    """A person knows it by its name, which the result has; before there is one it is looked up."""
    if known := (call.result or {}).get("document_name"):
        return str(known)[:MAX_ABOUT]
    if not is_id(written):
        return written[:MAX_ABOUT]
    rows = Document.objects.for_org(call.thread.organization).filter(pk=written)
    return (rows.values_list("name", flat=True).first() or written)[:MAX_ABOUT]


def _describe_end(call: ToolCall) -> str:
    if "total_found" in (call.result or {}):
        return describe_outcome(call)
    return f"{_get_title(call)}: {describe_outcome(call) or 'done'}"


def _get_title(call: ToolCall) -> str:
    tool = tool_of(call)
    return tool.title if tool else call.tool
