"""Messages of a thread, numbered in the order they were written."""

from __future__ import annotations

from typing import Any

from django.db.models import F
from django.utils import timezone

from agent.models import Message, Thread, Turn


def write(turn: Turn, *, role: str, blocks: list[dict[str, Any]], **fields: Any) -> Message:
    """The next message of the turn's thread, inside the caller's transaction."""
    Thread.objects.filter(pk=turn.thread_id).update(last_message=F("last_message") + 1, updated_at=timezone.now())
    number = Thread.objects.values_list("last_message", flat=True).get(pk=turn.thread_id)
    return Message.objects.create(
        thread_id=turn.thread_id, turn=turn, number=number, round=turn.round, role=role, blocks=blocks, **fields
    )
