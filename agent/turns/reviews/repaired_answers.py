"""Puts the sentences that a model was asked for again into the answer that they belong to."""

from __future__ import annotations

from dataclasses import replace

from agent.citations.repairs import put_in, read_replacements
from agent.conversation import messages
from agent.models import Turn
from llm.client import ModelAnswer


def complete(turn: Turn, answer: ModelAnswer) -> ModelAnswer:
    """As it is where it is whole. A draft of which nothing would be left stays, and its sentences are marked."""
    replacements = {} if answer.tool_calls else read_replacements(answer.text)
    draft = messages.find_draft(turn) if replacements else None
    if draft is None:
        return answer
    text, spans = draft.join_text(), messages.list_spans(draft)
    return replace(answer, text=put_in(text, spans, replacements) or text)
