"""The agent's operations: bodies, answers and examples."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from agent.api import auto_create, chat, decisions, threads, turns
from docrouter.openapi.operations import Operation
from docrouter.openapi.shapes import (
    ANY,
    ID,
    TEXT,
    TEXTS,
    TIME,
    TRUTH,
    WHOLE,
    Shape,
    listed,
    maybe,
    page,
    record,
    ref,
    such_as,
)

STREAM = (200, "text/event-stream")
EVENT_EXAMPLE = """id: 6b01c4078929dbb3b8e33f5f:0.0.b.5d1f0e0c.0.0.0.0
data: {"type": "assistant_text_chunk", "chunk": "An invoice.", "round_index": 0}

id: 6b01c4078929dbb3b8e33f5f:0.0.b.5d1f0e0c.4.0.0.1c291ca3
data: {"type": "done", "result": {"text": "An invoice.", "thinking": null, …}}
"""
EVENTS: Shape = {
    "type": "string", "description": "Server-sent events, with `stream: true`.", "examples": [EVENT_EXAMPLE]
}  # fmt: skip
_WAIT = OpenApiParameter(
    "wait", {"type": "integer", "minimum": 0, "maximum": 25}, description="Seconds to wait at most, without a stream."
)
_LAST_EVENT = OpenApiParameter(
    "Last-Event-ID", str, location="header", description="The id of the last event that was read: go on after it."
)
_KEY = OpenApiParameter("Idempotency-Key", str, location="header", description="The same key gives the same answer.")
_CALL = record(id=ID, name=TEXT, arguments={"type": "string", "description": "A JSON object as text."})
_STANDING = record(
    id=ID, status=TEXT, pause_reason=maybe(TEXT), reason=TEXT, rounds=WHOLE, max_rounds=WHOLE, cost_micros=WHOLE
)
_ROUND = record(thinking=maybe(TEXT), text=TEXT, tool_calls=listed(_CALL))
_MESSAGE = record(role={"type": "string", "enum": ["user", "assistant"]}, content=TEXT, tool_calls=maybe(listed(ANY)))
_DECISION = record(call_id=ID, version=WHOLE, kind=TEXT, by=TEXT, at=TIME, reason=TEXT, edited=TRUTH)
_TURN_ID, _CALL_ID = "6b01c4078929dbb3b8e33f5f", "6b01c4078929dbb3b8e33f62"
_RESULT = record(
    text=TEXT, thinking=maybe(TEXT), executed_rounds=maybe(listed(_ROUND)), model=TEXT, thread_id=ID, turn=_STANDING,
    working_state=record(schema_revid=maybe(ID), prompt_revid=maybe(ID), extraction=maybe(ANY)),
)  # fmt: skip
_RESULT["properties"] |= {
    "turn_id": {**ID, "description": "There while the turn can still go on."},
    "tool_calls": {**listed(_CALL), "description": "With turn_id: the calls that wait for a decision."},
    "unknown_calls": {**TEXTS, "description": "Ids in `approvals` that are no calls of the turn."},
}
_UNDER_WAY: Shape = {
    **_RESULT,
    "description": "There is no answer yet: `text` is empty, and `Location` says where it will be.",
    "properties": {**_RESULT["properties"], "status": TEXT, "detail": TEXT},
    "required": [*_RESULT["required"], "status", "detail"],
    "examples": [
        {
            "text": "", "thinking": None, "executed_rounds": None,
            "working_state": {"schema_revid": None, "prompt_revid": None, "extraction": None},
            "model": "claude-sonnet-4-6", "thread_id": "6b01c3f18929dbb3b8e33f10",
            "turn": {
                "id": _TURN_ID, "status": "running", "pause_reason": None, "reason": "", "rounds": 0,
                "max_rounds": 10, "cost_micros": 0,
            },
            "turn_id": _TURN_ID, "tool_calls": [], "status": "running",
            "detail": f"The agent is still working. GET /v0/orgs/65f1a2b3c4d5e6f708192a02/documents/"
            f"65f1a2b3c4d5e6f708192a3b/chat/turns/{_TURN_ID} gives the result.",
        }
    ],
}  # fmt: skip
SHAPES: dict[str, Shape] = {
    "ChatResult": _RESULT,
    "ChatUnderWay": _UNDER_WAY,
    "ChatThread": record(id=ID, title=TEXT, created_at=TIME, updated_at=TIME),
    "Decision": _DECISION,
    "Card": record(
        call_id=ID, turn_id=ID, thread_id=ID, thread_title=TEXT, document_id=maybe(ID), document_name=maybe(TEXT),
        owner=TEXT, tool=TEXT, status=TEXT, title=TEXT, why_asks=TEXT, access=TEXT, reach=TEXT, arguments=ANY,
        preview=ANY, version=WHOLE, shown_hash=TEXT, etag=TEXT, may_decide=TRUTH, why_not=TEXT,
        may_reject=TRUTH,
        expires_at=maybe(TIME), created_at=TIME,
    ),
}  # fmt: skip
_SETUP = record(document_id=ID, auto_create=maybe(ANY))
_SAY = OpenApiExample(
    "A question", request_only=True,
    value={"messages": [{"role": "user", "content": "What is the total?"}], "stream": False},
)  # fmt: skip
_GO_ON = OpenApiExample(
    "A further message with a schema mentioned", request_only=True,
    value={
        "messages": [{"role": "user", "content": "Use @Invoice v3."}], "thread_id": "6b01c3f18929dbb3b8e33f10",
        "mentions": [{"type": "schema", "id": "6b01c2a08929dbb3b8e33e01"}], "stream": True,
        "auto_approved_tools": ["update_extraction_field"],
    },
)  # fmt: skip
_DECIDE = OpenApiExample(
    "One yes, with other arguments, and one no", request_only=True,
    value={
        "turn_id": _TURN_ID,
        "approvals": [
            {"call_id": _CALL_ID, "approved": True, "arguments": {"path": "total", "value": 30.5}},
            {"call_id": "6b01c4078929dbb3b8e33f63", "approved": False, "reason": "The name is right."},
        ],
    },
)  # fmt: skip
_PAUSED = OpenApiExample(
    "It asks", response_only=True, status_codes=["200"], media_type="application/json",
    value={
        "text": "The total is 30.50. May I set it?", "thinking": None, "executed_rounds": None,
        "working_state": {"schema_revid": None, "prompt_revid": None, "extraction": {"total": 30}},
        "model": "offline/rules", "thread_id": "6b01c3f18929dbb3b8e33f10",
        "turn": {
            "id": _TURN_ID, "status": "awaiting_approval", "pause_reason": None, "reason": "", "rounds": 1,
            "max_rounds": 10, "cost_micros": 0,
        },
        "turn_id": _TURN_ID,
        "tool_calls": [
            {"id": _CALL_ID, "name": "update_extraction_field", "arguments": '{"path": "total", "value": 30.5}'}
        ],
    },
)  # fmt: skip
_STREAMED = OpenApiExample(
    "A stream", response_only=True, status_codes=["200"], media_type="text/event-stream", value=EVENT_EXAMPLE
)
_CARD_DECISION = OpenApiExample(
    "No", request_only=True,
    value={"kind": "rejected", "version": 1, "shown_hash": "9f86d081…", "reason": "The name is right."},
)  # fmt: skip
_TALK = ((STREAM, EVENTS), (202, ref("ChatUnderWay")))
OPERATIONS: dict[tuple[type, str], Operation] = {
    (chat.Chat, "POST"): Operation(
        "Talk to the agent", ref("ChatResult"), chat.NewChat, [_WAIT, _LAST_EVENT], more=_TALK,
        examples=(_SAY, _GO_ON, _PAUSED, _STREAMED),
    ),
    (chat.Approve, "POST"): Operation(
        "Decide calls of your turn", ref("ChatResult"), chat.NewApprovals, [_WAIT, _LAST_EVENT], more=_TALK,
        examples=(_DECIDE,),
    ),
    (chat.ChatTools, "GET"): Operation(
        "List the agent's tools", record(read_only=TEXTS, read_write=TEXTS, disabled=TEXTS)
    ),
    (chat.OneTurn, "GET"): Operation(
        "Get or follow a turn", ref("ChatResult"),
        query=[OpenApiParameter("stream", bool, description="Its events.", default=False), _LAST_EVENT],
        more=((STREAM, EVENTS), (204, {})),
    ),
    (threads.Threads, "GET"): Operation(
        "List your threads", listed(ref("ChatThread")),
        query=[OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": 100, "default": 50})],
    ),
    (threads.Threads, "POST"): Operation("Begin a thread", record(thread_id=ID), threads.NewThread),
    (threads.OneThread, "GET"): Operation(
        "Get a thread",
        record(id=ID, title=TEXT, messages=listed(_MESSAGE), message_count=WHOLE, extraction=maybe(ANY),
               created_at=TIME, updated_at=TIME),
        query=[OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": 1000, "default": 25},
                                description="The newest so many messages.")],
    ),
    (threads.OneThread, "DELETE"): Operation("Delete a thread", record(ok=TRUTH)),
    (decisions.Approvals, "GET"): Operation(
        "List what waits for a person", page("approvals", "Card"),
        query=[
            OpenApiParameter("skip", {"type": "integer", "minimum": 0, "default": 0}),
            OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": 100, "default": 10}),
            OpenApiParameter("document_id", str, description="Of threads on this document."),
            OpenApiParameter("thread_id", str, description="Of this thread."),
        ],
    ),
    (decisions.OneCall, "GET"): Operation("Get a tool call", ref("Card")),
    (decisions.CallDecision, "POST"): Operation(
        "Decide a card", ref("Decision"), decisions.NewDecision,
        query=[OpenApiParameter("If-Match", str, location="header", description="The card's ETag."), _KEY],
        more=((409, ref("Error")), (412, ref("Error"))), examples=(_CARD_DECISION,),
    ),
    (decisions.CallUndo, "POST"): Operation(
        "Take back what a call did", record(call_id=ID, undoes=ID, status=TEXT, result=maybe(ANY)), query=[_KEY]
    ),
    (auto_create.AutoCreateLog, "GET"): Operation(
        "Get what the automatic setup did",
        such_as(TEXT, '{"type": "turn", "status": "completed"}\n'), media_type="application/x-ndjson",
    ),
    (auto_create.AutoCreateAccept, "POST"): Operation(
        "Accept what the automatic setup proposes", _SETUP, auto_create.Acceptance
    ),
    (auto_create.AutoCreateReject, "POST"): Operation(
        "Reject what the automatic setup proposes", _SETUP, auto_create.Rejection
    ),
    (auto_create.AutoCreateRetry, "POST"): Operation(
        "Ask for the automatic setup once more", _SETUP, auto_create.Again
    ),
    (turns.CancelTurn, "POST"): Operation("Stop a turn", ref("ChatResult")),
    (turns.ResumeTurn, "POST"): Operation("Let a paused turn go on", ref("ChatResult")),
    (turns.TurnLog, "GET"): Operation(
        "Get all that happened in a turn",
        such_as(TEXT, '{"kind": "turn.changed", "status": "completed"}\n'), media_type="application/x-ndjson",
    ),
}  # fmt: skip
