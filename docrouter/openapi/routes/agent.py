"""The agent's operations: summaries, queries and examples."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from accounts.models import AuditEntry
from agent import job_list
from agent.api import auto_setup, chat, decisions, threads, turns, wishes
from agent.api.overview import audit, inbox, jobs
from agent.inbox.inbox import AGES, SECTIONS
from docrouter.openapi.routes.operations import Operation

EVENT_EXAMPLE = """id: 6b01c4078929dbb3b8e33f5f:0.0.0.0.1.0.0.0.0
data: {"type": "tool_calls", "round_index": 0, "tool_calls": [{"id": "6b01c4078929dbb3b8e33f62", "name": \
"search_documents", "arguments": "{\\"query\\": \\"roof\\"}"}], "pending": false, "steps": [{"step": 1, "action_type": \
"searching", "message": "Searching for: roof", "timestamp": "2026-11-20T20:17:39.483000Z", "tool_name": \
"search_documents", "tool_input": {"query": "roof"}, "tool_output": "", "tool_status": "running"}]}

id: 6b01c4078929dbb3b8e33f5f:0.0.0.0.1.1.0.0.0
data: {"type": "tool_result", "round_index": 0, "call_id": "6b01c4078929dbb3b8e33f62", "name": "search_documents", \
"success": true, "result": {"total_found": 3, …}, "preview": "…", "step": {"step": 1, "action_type": "searching", \
"message": "Found 3 documents", "timestamp": "2026-11-20T20:17:39.702000Z", "tool_name": "search_documents", \
"tool_input": {"query": "roof"}, "tool_output": "{\\"total_found\\": 3, …", "tool_status": "complete"}}

id: 6b01c4078929dbb3b8e33f5f:1.0.13.5d1f0e0c.0.1.0.0.0
data: {"type": "assistant_text_chunk", "chunk": "It cost 39.80 EUR [D1:1.4].", "round_index": 1}

id: 6b01c4078929dbb3b8e33f5f:1.0.13.5d1f0e0c.4.1.0.0.0
data: {"type": "assistant_text_done", "full_text": "It cost 39.80 EUR [1].", "round_index": 1}

id: 6b01c4078929dbb3b8e33f5f:1.0.13.5d1f0e0c.24.1.0.0.0
data: {"type": "citation", "number": 1, "document_id": "65f1a2b3c4d5e6f708192a3b", "document_name": "invoice.pdf", \
"page": 1, "block_ids": ["65f1a2b3c4d5e6f708192a3b.1.4"], "box": [0.1, 0.42, 0.36, 0.44], "cited_text": \
"Total due 39.80", "supported": true}

id: 6b01c4078929dbb3b8e33f5f:1.0.13.5d1f0e0c.24.1.0.1c291ca3.0
data: {"type": "done", "result": {"text": "It cost 39.80 EUR [1].", "thinking": null, …}}
"""
_WAIT = OpenApiParameter(
    "wait", {"type": "integer", "minimum": 0, "maximum": 25}, description="Seconds to wait at most, without a stream."
)
_LAST_EVENT = OpenApiParameter(
    "Last-Event-ID", str, location="header", description="The id of the last event that was read: go on after it."
)


_ANSWER = [
    OpenApiExample(
        "An answer",
        response_only=True,
        status_codes=["200"],
        media_type="text/markdown",
        value="> What did the roof cost?\n\nIt cost 39.80 EUR [1].\n\n## Sources\n\n1. invoice.pdf, page 1: …\n",
    )
]


def _limit(maximum: int, default: int, words: str) -> OpenApiParameter:
    shape = {"type": "integer", "minimum": 1, "maximum": maximum, "default": default}
    return OpenApiParameter("limit", shape, description=words)


_KEY = OpenApiParameter("Idempotency-Key", str, location="header", description="The same key gives the same answer.")
_CARD_ETAG = OpenApiParameter(
    "ETag", str, location="header", description="Of the card, for `If-Match`.", response=[200]
)
_TURN_ID, _CALL_ID = "6b01c4078929dbb3b8e33f5f", "6b01c4078929dbb3b8e33f62"
_SAY = OpenApiExample(
    "A question",
    request_only=True,
    value={"messages": [{"role": "user", "content": "What is the total?"}], "stream": False},
)
_GO_ON = OpenApiExample(
    "A further message with a schema mentioned",
    request_only=True,
    value={
        "messages": [{"role": "user", "content": "Use @Invoice v3."}],
        "thread_id": "6b01c3f18929dbb3b8e33f10",
        "mentions": [{"type": "schema", "id": "6b01c2a08929dbb3b8e33e01"}],
        "stream": True,
        "auto_approved_tools": ["update_extraction_field"],
    },
)
_DECIDE = OpenApiExample(
    "One yes, with other arguments, and one no",
    request_only=True,
    value={
        "turn_id": _TURN_ID,
        "approvals": [
            {"call_id": _CALL_ID, "approved": True, "arguments": {"path": "total", "value": 30.5}},
            {"call_id": "6b01c4078929dbb3b8e33f63", "approved": False, "reason": "The name is right."},
        ],
    },
)
_PAUSED = OpenApiExample(
    "It asks",
    response_only=True,
    status_codes=["200"],
    media_type="application/json",
    value={
        "text": "The total is 30.50. May I set it?",
        "thinking": None,
        "executed_rounds": None,
        "citations": [],
        "unsupported": [],
        "unsupported_because": [],
        "nothing_read": False,
        "working_state": {"schema_revid": None, "prompt_revid": None, "extraction": {"total": 30}},
        "model": "offline/rules",
        "thread_id": "6b01c3f18929dbb3b8e33f10",
        "turn": {
            "id": _TURN_ID,
            "status": "awaiting_approval",
            "pause_reason": None,
            "reason": "",
            "rounds": 1,
            "max_rounds": 10,
            "cost_micros": 0,
            "changes": None,
        },
        "turn_id": _TURN_ID,
        "tool_calls": [
            {"id": _CALL_ID, "name": "update_extraction_field", "arguments": '{"path": "total", "value": 30.5}'}
        ],
    },
)
_STREAMED = OpenApiExample(
    "A stream", response_only=True, status_codes=["200"], media_type="text/event-stream", value=EVENT_EXAMPLE
)
_CARD_DECISION = OpenApiExample(
    "No",
    request_only=True,
    value={"kind": "rejected", "version": 1, "shown_hash": "9f86d081…", "reason": "The name is right."},
)
_UNDER_WAY = OpenApiExample(
    "It still works",
    response_only=True,
    status_codes=["202"],
    media_type="application/json",
    value={
        "text": "",
        "thinking": None,
        "executed_rounds": None,
        "citations": [],
        "unsupported": [],
        "unsupported_because": [],
        "nothing_read": False,
        "working_state": {"schema_revid": None, "prompt_revid": None, "extraction": None},
        "model": "claude-sonnet-4-6",
        "thread_id": "6b01c3f18929dbb3b8e33f10",
        "turn": {
            "id": _TURN_ID,
            "status": "running",
            "pause_reason": None,
            "reason": "",
            "rounds": 0,
            "max_rounds": 10,
            "cost_micros": 0,
            "changes": None,
        },
        "turn_id": _TURN_ID,
        "tool_calls": [],
        "status": "running",
        "detail": f"The agent is still working. GET /v0/orgs/65f1a2b3c4d5e6f708192a02/documents/"
        f"65f1a2b3c4d5e6f708192a3b/chat/turns/{_TURN_ID} gives the result.",
    },
)


def _lines(*lines: str) -> list[OpenApiExample]:
    value, media_type = "".join(f"{line}\n" for line in lines), "application/x-ndjson"
    return [OpenApiExample("Lines", value, response_only=True, media_type=media_type, status_codes=["200"])]


_LOG = _lines('{"type": "turn", "status": "completed", …}', '{"type": "message", "role": "user", …}')
OPERATIONS: dict[tuple[type, str], Operation] = {
    (chat.Chat, "POST"): Operation(
        "Talk to the agent", query=[_WAIT, _LAST_EVENT], examples=(_SAY, _GO_ON, _PAUSED, _STREAMED, _UNDER_WAY)
    ),
    (chat.Approve, "POST"): Operation(
        "Decide calls of your turn", query=[_WAIT, _LAST_EVENT], examples=(_DECIDE, _PAUSED, _STREAMED, _UNDER_WAY)
    ),
    (chat.ChatTools, "GET"): Operation("List the agent's tools"),
    (chat.OneTurn, "GET"): Operation(
        "Get or follow a turn",
        query=[OpenApiParameter("stream", bool, description="Its events.", default=False), _LAST_EVENT],
        examples=(_STREAMED,),
    ),
    (threads.Threads, "GET"): Operation("List your threads", query=[_limit(100, 50, "The newest so many threads.")]),
    (threads.Threads, "POST"): Operation("Begin a thread"),
    (threads.OneThread, "GET"): Operation("Get a thread", query=[_limit(1000, 25, "The newest so many messages.")]),
    (threads.OneThread, "DELETE"): Operation("Delete a thread"),
    (wishes.Wishes, "GET"): Operation("List standing wishes"),
    (wishes.Wishes, "POST"): Operation("Add a standing wish"),
    (wishes.Wishes, "DELETE"): Operation("Clear standing wishes"),
    (wishes.OneWish, "PUT"): Operation("Change a standing wish"),
    (wishes.OneWish, "DELETE"): Operation("Remove a standing wish"),
    (decisions.Approvals, "GET"): Operation(
        "List what waits for a person",
        query=[
            OpenApiParameter("skip", {"type": "integer", "minimum": 0, "default": 0}, description="Rows to leave out."),
            _limit(100, 10, "Rows to give."),
            OpenApiParameter("document_id", str, description="Of threads on this document."),
            OpenApiParameter("thread_id", str, description="Of this thread."),
        ],
    ),
    (inbox.Inbox, "GET"): Operation(
        "List what waits for a person, of every kind",
        query=[
            _limit(100, 10, "Items to give."),
            OpenApiParameter("after", str, description="`next` of the page before."),
            OpenApiParameter("section", str, enum=list(SECTIONS), description="Of this section."),
            OpenApiParameter("mine", bool, description="In your threads, or on documents that you uploaded."),
            OpenApiParameter("older_than", str, enum=list(AGES), description="That have waited so long."),
        ],
    ),
    (jobs.Jobs, "GET"): Operation(
        "List what the workers have to do",
        query=[
            _limit(100, 10, "Jobs to give."),
            OpenApiParameter("after", str, description="`next` of the page before."),
            OpenApiParameter("kind", str, enum=list(job_list.KINDS), description="Of this kind."),
            OpenApiParameter("status", str, enum=list(job_list.STATUSES), description="In this state."),
            OpenApiParameter("document_id", str, description="On this document."),
        ],
    ),
    (audit.Audit, "GET"): Operation(
        "List every change",
        query=[
            _limit(100, 10, "Entries to give."),
            OpenApiParameter("before", str, description="`next` of the page before."),
            OpenApiParameter("user_id", str, description="Of this user."),
            OpenApiParameter("origin", str, enum=AuditEntry.Origin.values, description="Of a person, or how else."),
            OpenApiParameter("kind", str, description="Of what was changed, such as `document` or `tool call`."),
            OpenApiParameter("text", str, description="Part of the action, or the id of what was changed."),
            OpenApiParameter("since", {"type": "string", "format": "date"}, description="From this day on."),
            OpenApiParameter("until", {"type": "string", "format": "date"}, description="Up to and with this day."),
        ],
    ),
    (decisions.OneCall, "GET"): Operation("Get a tool call", query=[_CARD_ETAG]),
    (decisions.CallDecision, "POST"): Operation(
        "Decide a card",
        query=[OpenApiParameter("If-Match", str, location="header", description="The card's ETag."), _KEY],
        examples=(_CARD_DECISION,),
    ),
    (decisions.CallUndo, "POST"): Operation("Undo a call", query=[_KEY]),
    (decisions.ChainUndo, "POST"): Operation("Undo a chain of calls", query=[_KEY]),
    (auto_setup.AutoSetupRequest, "POST"): Operation("Ask for the automatic setup"),
    (auto_setup.AutoSetupLog, "GET"): Operation("Get what the automatic setup did", examples=_LOG),
    (auto_setup.AutoSetupSiblings, "GET"): Operation("Get what the automatic setup has tried its prompt on"),
    (auto_setup.AutoSetupAccept, "POST"): Operation("Accept what the automatic setup proposes"),
    (auto_setup.AutoSetupReject, "POST"): Operation("Reject what the automatic setup proposes"),
    (auto_setup.AutoSetupRetry, "POST"): Operation("Retry the automatic setup"),
    (turns.CancelTurn, "POST"): Operation("Stop a turn"),
    (turns.ResumeTurn, "POST"): Operation("Resume a paused turn"),
    (turns.TurnAnswer, "GET"): Operation(
        "Download an answer with its sources",
        query=[OpenApiParameter("form", str, enum=list(turns.FILES), description="Without it `md`.")],
        examples=_ANSWER,
    ),
    (turns.TurnLog, "GET"): Operation("Get all that happened in a turn", examples=_LOG),
}
