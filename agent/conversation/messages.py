"""Messages of a thread, numbered in the order they were written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

from agent import feed
from agent.citations.reviewing import CheckedBlock, Review
from agent.models import Message, Turn
from kit.rows.models import fold_case
from llm.client import ModelAnswer

NOTHING_SAID = "The model answered with nothing. Ask again, or choose another model."
FILTERED = "The content filter of the provider withheld the answer. Ask in other words, or choose another model."


class WrittenBlock(TypedDict):
    """A part of a message: what was said or thought, the mark of an answer that broke off, or what the model was asked
    once after a check (`repair`), with the places of the sentences (`spans`)."""

    type: Literal["text", "thinking", "broken_off", "repair"]
    text: NotRequired[str]
    seconds: NotRequired[int]
    by: NotRequired[Literal["connection"]]
    spans: NotRequired[list[list[int]]]


class AgainBlock(TypedDict):
    """Of a person's message: it asks for what the call left unread, or every document for what the turn of this id was
    asked."""

    type: Literal["again"]
    call_id: str


Block: TypeAlias = WrittenBlock | CheckedBlock | AgainBlock


def write(turn: Turn, *, role: str, blocks: Sequence[Block], title: str = "", **fields: object) -> Message:
    """The next message of the turn's thread, inside the caller's transaction. With a `title` it names the thread.

    Inside `feed.one_transaction` it has its number, and is stored, at the end of that.
    """
    message = Message(thread_id=turn.thread_id, turn=turn, round=turn.round, role=role, blocks=blocks, **fields)
    feed.add_message(message, **({"title": title, "title_folded": fold_case(title)} if title else {}))
    return message


def keep_review(turn: Turn, review: Review) -> list[Block]:
    """With what the model is asked to repair."""
    review.store(turn)
    blocks: list[Block] = [review.block]
    if asks_again(turn, review):
        blocks.append({"type": "repair", "text": review.repair, "spans": review.repair_spans})
    return blocks


def asks_again(turn: Turn, review: Review) -> bool:
    """Once a turn, and where a further round is left for it."""
    return bool(review.repair) and turn.round < turn.max_rounds and find_draft(turn) is None


def find_draft(turn: Turn) -> Message | None:
    """The answer of the turn that its model was asked to repair."""
    return next((row for row in turn.messages.all() if row.join_text("repair")), None)


def list_spans(draft: Message) -> list[list[int]]:
    """The places of its sentences that the model was asked for, by their numbers from 1."""
    return [span for block in draft.blocks if block["type"] == "repair" for span in block.get("spans", [])]


def build_blocks(answer: ModelAnswer, thought_seconds: int) -> list[WrittenBlock]:
    text = answer.text
    if not text.strip():
        text = "" if answer.tool_calls else FILTERED if answer.is_filtered else NOTHING_SAID
    thinking: WrittenBlock = {"type": "thinking", "text": answer.thinking}
    if thought_seconds:
        thinking["seconds"] = thought_seconds
    blocks: list[WrittenBlock] = [thinking, {"type": "text", "text": text}]
    return [block for block in blocks if block["text"]]
