"""A turn whose conversation has a small budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent.conversation import messages
from agent.models import Message, Thread, ToolCall, Turn
from llm.client import ChatMessage

BUDGET = 24_000


WORDY = "What I found is this. " * 100


Talk = Callable[..., list[Message]]


@pytest.fixture
def turn(thread: Thread) -> Turn:
    """A turn that is being driven."""
    return Turn.objects.create(
        thread=thread,
        number=1,
        model="none",
        max_rounds=10,
        limit_micros=1_000_000,
        status="running",
        fence=1,
        code_version="test",
    )


@pytest.fixture
def talk(turn: Turn) -> Talk:
    """`talk(3, result="…")`: that many rounds of request, call with result, and answer."""

    def make(rounds: int, *, result: str = "found", answer: str = "Done.", status: str = "succeeded") -> list[Message]:
        messages = []
        for _ in range(rounds):
            number = Message.objects.count()
            messages.append(_say(turn, "user", f"Request {number}"))
            turn.round += 1
            request = _say(turn, "assistant", "I look.")
            ToolCall.objects.create(
                thread=turn.thread,
                turn=turn,
                message=request,
                round=turn.round,
                position=0,
                wire_id=f"{number:09}",
                tool="look",
                proposed_text='{"word": "x"}',
                effective={"word": "x"},
                status=status,
                result={"found": result},
            )
            turn.round += 1
            messages += [request, _say(turn, "assistant", answer)]
        return messages

    return make


def _say(turn: Turn, role: str, text: str, **more: Any) -> Message:
    return messages.write(turn, role=role, blocks=[{"type": "text", "text": text}], **more)


def text_of(messages: list[ChatMessage]) -> str:
    return "\n".join(str(message.get("content")) for message in messages)
