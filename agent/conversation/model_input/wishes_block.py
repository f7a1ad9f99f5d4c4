"""The standing wishes of a thread as the model reads them: besides a person's messages the one thing that it heeds."""

from __future__ import annotations

from agent.models import Thread
from agent.wishes import list_wishes
from llm.client import ChatMessage

HEADING = (
    "What I want to hold in all of this conversation, in my own words. Heed it as what I ask now; "
    "where the two differ, what I ask now counts:"
)


def build_messages(thread: Thread) -> list[ChatMessage]:
    """One message of the person, or none where there are no wishes."""
    wishes = list_wishes(thread)
    if not wishes:
        return []
    lines = [f"{number}. {wish.text}" for number, wish in enumerate(wishes, start=1)]
    return [{"role": "user", "content": "\n".join([HEADING, *lines])}]
