"""Calls of one answer that build on one another, and what becomes of them."""

from __future__ import annotations

from agent.calls import execution
from agent.models import ToolCall
from tests.agent.undo_rows import SCHEMA

NEW_SCHEMA = ("create_schema", {"name": "Invoice", "response_format": SCHEMA})
NEW_PROMPT = ("create_prompt", {"name": "Invoice", "content": "Take the values.", "schema_id": "Invoice"})
NEW_TAG = ("create_tag", {"name": "Paid"})
TAG_IT = ("update_document", {"add_tags": ["Paid"]})


def read_again(calls: list[ToolCall]) -> list[ToolCall]:
    for call in calls:
        call.refresh_from_db()
    return calls


def statuses(calls: list[ToolCall]) -> list[str]:
    return [call.status for call in read_again(calls)]


def run(*calls: ToolCall) -> None:
    for call in calls:
        execution.execute(call.pk, holder="test")
