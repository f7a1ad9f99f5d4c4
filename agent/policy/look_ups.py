"""Which requests to the outside run without a person: those that hold nothing but the words of the thread's owner."""

from __future__ import annotations

from functools import cached_property

from agent.models import Message, Thread, ToolCall, Turn
from agent.policy.own_words import OwnWords
from agent.policy.permissions import OWN_WORDS
from agent.toolkit.registry import Tool
from agent.toolkit.signatures import Arguments

MAX_UNASKED = 10
ENOUGH = f"This turn has looked up {MAX_UNASKED} things outside DocRouter without asking."
MAX_MESSAGES = 50


class LookUps:
    """The look-ups of a thread, beside what its owner wrote there."""

    def __init__(self, thread: Thread) -> None:
        self.thread = thread

    @cached_property
    def own_words(self) -> OwnWords:
        """Of the newest messages that were written on a page. A program writes what others told it."""
        rows = self.thread.messages.filter(
            role=Message.Role.USER, dropped_at=None, turn__refused="", turn__origin=Turn.Origin.CHAT
        )
        rows = rows.filter(turn__started_by=self.thread.owner_id).order_by("-number")[:MAX_MESSAGES]
        return OwnWords(message.join_text() for message in rows)

    def explain_foreign(self, tool: Tool, turn: Turn, arguments: Arguments, call: ToolCall | None) -> str | None:
        """As `Case.foreign`."""
        if not tool.fetches or turn.origin != Turn.Origin.CHAT:
            return None
        unasked = turn.calls.filter(allowed_by=OWN_WORDS).exclude(pk=call.pk if call else "")
        if unasked.count() >= MAX_UNASKED:
            return ENOUGH
        return self.own_words.explain_foreign(arguments, tool.parameters)
