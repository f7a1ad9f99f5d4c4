"""What a provider gives along with an answer goes back to it letter by letter, and to nobody else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from agent.models import Message, Thread
from agent.turns import turns
from tests.anthropic_model import SIGNATURE, THINKING, AnthropicModel, anthropic_model
from tests.scripted_model import ScriptedModel, says

__all__ = ["anthropic_model"]
pytestmark = pytest.mark.django_db(transaction=True)
CLAUDE = "claude-sonnet-4-6"


def test_signed_thinking_goes_back_verbatim_and_to_no_other_provider(
    actor: Actor,
    thread: Thread,
    work: Callable[[], None],
    anthropic_model: AnthropicModel,
    scripted_model: ScriptedModel,
) -> None:
    turns.start(actor, thread=thread, text="Look", model=CLAUDE)
    work()
    messages: list[dict[str, Any]] = anthropic_model.requests[1]["messages"]
    block = {"type": "thinking", "thinking": THINKING, "signature": SIGNATURE}
    assert any(block in message["content"] for message in messages if message["role"] == "assistant")
    assert {name: value for name, value in Message.objects.get(number=2).blocks[0].items() if name != "seconds"} == {
        "type": "thinking",
        "text": THINKING,
    }
    scripted_model.will(says("Yes."))
    turns.start(actor, thread=thread, text="And?", model="openai/scripted")
    work()
    other = json.dumps(scripted_model.requests[-1]["messages"])
    assert SIGNATURE not in other and "Let me look." not in other
    turns.start(actor, thread=thread, text="And now?", model=CLAUDE)
    work()
    assert SIGNATURE in json.dumps(anthropic_model.requests[-1]["messages"])
