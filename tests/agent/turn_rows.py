"""Turns of a scripted model, and what came of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Thread as OsThread
from typing import Any

from django.db import connection

from agent.models import Message, Turn
from tests.scripted_model import ScriptedModel

Ask = Callable[..., Turn]
Work = Callable[[], None]
NOTE = ("note", {"text": "x"})
HALF = f"Half an answer and {'the other half of it, ' * 8}which never comes."
LOOK = ("look", {"word": "x"})


def now(turn: Turn) -> Turn:
    return Turn.objects.select_related("thread__owner", "thread__organization").get(pk=turn.pk)


def read_sent_results(model: ScriptedModel, request: int = -1) -> list[dict[str, Any]]:
    """What the model was told of its calls."""
    return [json.loads(each["content"]) for each in model.requests[request]["messages"] if each["role"] == "tool"]


def last_text() -> str:
    message = Message.objects.last()
    return "".join(block["text"] for block in message.blocks if block["type"] == "text") if message else ""


def in_background(work: Callable[[], object]) -> OsThread:
    thread = OsThread(target=lambda: (work(), connection.close()))
    thread.start()
    return thread
