"""The whole conversation of a thread as a model would read it."""

from __future__ import annotations

from agent.calls.outcomes import MAX_CHARACTERS
from agent.conversation.model_input.history import list_pieces, to_wire
from agent.models import Thread
from llm.client import ChatMessage


def wire_messages(thread: Thread, model: str = "") -> list[ChatMessage]:
    return to_wire([(piece, MAX_CHARACTERS) for piece in list_pieces(thread)], model=model)
