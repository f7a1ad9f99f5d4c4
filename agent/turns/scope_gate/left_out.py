"""The note under an answer that names each item which a gentle profile left out of it."""

from __future__ import annotations

from dataclasses import replace

from agent.models import Turn
from agent.scope_profiles.applied.foreign_documents import describe_left_out
from llm.client import ModelAnswer


def add_note(turn: Turn, answer: ModelAnswer) -> ModelAnswer:
    """The product adds it, so that it is there whatever the model says."""
    if turn.has_scope is False or answer.tool_calls:
        return answer
    note = describe_left_out(turn)
    return replace(answer, text=f"{answer.text.rstrip()}\n\nLeft out: {note}") if note else answer
