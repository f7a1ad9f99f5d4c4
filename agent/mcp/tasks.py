"""The Tasks extension (SEP-2663): a request that waits for a person is a task that the client polls.

A task stays *working* with the link of its cards. It never asks the client for input, since whatever a client answers
is no decision of a person.
https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html
"""

from __future__ import annotations

from mcp_types import RequestParams

from agent.mcp import call_results
from agent.models import Turn
from kit.json_types import JsonObject
from kit.timestamps import format_timestamp

EXTENSION = "io.modelcontextprotocol/tasks"
POLL_MS = 2000
STATUS = {
    Turn.Status.COMPLETED: "completed",
    Turn.Status.FAILED: "completed",  # with the failure as its result
    Turn.Status.CANCELLED: "cancelled",
    Turn.Status.EXPIRED: "cancelled",
}


class TaskParams(RequestParams):
    """What tasks/get and tasks/cancel take."""

    task_id: str


class TaskUpdateParams(TaskParams):
    """What tasks/update takes. Answers to questions that nobody asked are left aside."""

    input_responses: JsonObject | None = None


def describe_task(turn: Turn) -> JsonObject:
    """The task of a turn; once that has ended also its result, as tools/call would have answered it."""
    status = STATUS.get(Turn.Status(turn.status), "working")
    task: JsonObject = {
        "taskId": turn.pk,
        "status": status,
        "createdAt": format_timestamp(turn.created_at),
        "lastUpdatedAt": format_timestamp(turn.finished_at or turn.created_at),
        "ttlMs": None,
    }
    if status == "working":
        task |= {"pollIntervalMs": POLL_MS, "statusMessage": call_results.describe_wait(turn)}
    elif status == "cancelled":
        task["statusMessage"] = turn.reason
    else:
        task["result"] = call_results.build_result(turn)
    return task
