"""Messages of a thread, numbered in the order they were written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict

from django.utils import timezone

from agent.models import Message, Thread, Turn
from kit.rows.fixed_update import update_row
from kit.rows.models import fold_case


class Block(TypedDict):
    """A part of a message: what was said or thought, or the mark of an answer that broke off."""

    type: Literal["text", "thinking", "broken_off"]
    text: NotRequired[str]
    seconds: NotRequired[int]
    by: NotRequired[Literal["connection"]]


def write(turn: Turn, *, role: str, blocks: Sequence[Block], title: str = "", **fields: Any) -> Message:
    """The next message of the turn's thread, inside the caller's transaction. With a `title` it names the thread."""
    changes: dict[str, object] = {"last_message__add": 1, "updated_at": timezone.now()}
    if title:
        changes |= {"title": title, "title_folded": fold_case(title)}
    stored = update_row(Thread, changes, where={"pk": turn.thread_id}, read=("last_message",))
    if stored is None:
        raise Thread.DoesNotExist
    [number] = stored
    return Message.objects.create(
        thread_id=turn.thread_id, turn=turn, number=number, round=turn.round, role=role, blocks=blocks, **fields
    )
