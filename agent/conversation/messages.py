"""Messages of a thread, numbered in the order they were written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from agent import feed
from agent.models import Message, Turn
from kit.rows.models import fold_case


class Block(TypedDict):
    """A part of a message: what was said or thought, or the mark of an answer that broke off."""

    type: Literal["text", "thinking", "broken_off"]
    text: NotRequired[str]
    seconds: NotRequired[int]
    by: NotRequired[Literal["connection"]]


def write(turn: Turn, *, role: str, blocks: Sequence[Block], title: str = "", **fields: object) -> Message:
    """The next message of the turn's thread, inside the caller's transaction. With a `title` it names the thread.

    Inside `feed.one_transaction` it has its number, and is stored, at the end of that.
    """
    message = Message(thread_id=turn.thread_id, turn=turn, round=turn.round, role=role, blocks=blocks, **fields)
    feed.add_message(message, **({"title": title, "title_folded": fold_case(title)} if title else {}))
    return message
