"""Rows that a tool is to change beside those that the person's message names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.models import Message, Turn
from agent.references.row_doubts import list_row_doubts as compare_rows
from agent.toolkit.registry import ToolContext
from documents.models import Extraction
from documents.values import Change

PERSONS = (Turn.Origin.CHAT, Turn.Origin.API)
MAX_WORDS, MAX_MESSAGES = 6, 5
"""A message such as “yes, do that” is no longer, and about one before it; so far back that is looked for."""


def list_row_doubts(context: ToolContext, extraction: Extraction, planned: Sequence[tuple[str, Change]]) -> list[str]:
    """Sentences for the card. None in a turn that no person's message began."""
    if context.turn.origin not in PERSONS or not any("." in path for path, _ in planned):
        return []
    for message in _iterate_messages(context.turn):
        if doubts := compare_rows(message, extraction.current, planned):
            return doubts
    return []


def _iterate_messages(turn: Turn) -> Iterator[str]:
    """The one that the turn answers; where that only agrees, also those before it, up to one that says more."""
    rows = turn.thread.messages.filter(role=Message.Role.USER, dropped_at=None, turn__number__lte=turn.number)
    for row in rows.order_by("-number")[:MAX_MESSAGES]:
        text = row.join_text()
        yield text
        if len(text.split()) > MAX_WORDS or any(map(str.isdecimal, text)):
            return
