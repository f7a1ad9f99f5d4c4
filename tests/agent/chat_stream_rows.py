"""A worker, a chat over /v0 and what it streams."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import channel_layers
from django.db import connection

from accounts.actor import Actor
from accounts.services import tokens
from documents.models import Document
from tests.agent.sse import PATIENCE, Event, open_stream

NOTE = ("note", {"text": "x"})


class Talk:
    """Streams of one document, as one caller."""

    def __init__(self, document: Document, secret: str) -> None:
        self.secret = secret
        self.base = f"/v0/orgs/{document.organization_id}/documents/{document.pk}/chat"

    def say(self, text: str = "Hello", *, last_id: str = "", **more: Any) -> Any:
        body = {"messages": [{"role": "user", "content": text}], "stream": True, **more}
        return open_stream(self.base, self.secret, send=body, last_id=last_id)

    def approve(self, turn_id: str, approvals: dict[str, bool], *, last_id: str = "", **more: Any) -> Any:
        listed = [{"call_id": call_id, "approved": approved} for call_id, approved in approvals.items()]
        body = {"turn_id": turn_id, "approvals": listed, "stream": True, **more}
        return open_stream(f"{self.base}/approve", self.secret, send=body, last_id=last_id)

    def follow(self, turn_id: str, *, last_id: str = "") -> Any:
        return open_stream(f"{self.base}/turns/{turn_id}", self.secret, last_id=last_id)


@pytest.fixture(autouse=True)
def own_layer() -> None:
    """The locks of a channel layer belong to the event loop that made them, and each test has its own loop."""
    channel_layers.backends.clear()


@pytest.fixture
async def talk(actor: Actor, document: Document) -> Talk:
    _, secret = await sync_to_async(tokens.create)(actor.user, name="T", organization=actor.organization)
    return Talk(document, secret)


@pytest.fixture
async def worker(work: Callable[[], None]) -> AsyncIterator[None]:
    """Runs whatever there is to do, in a thread of its own, until the test ends."""
    ended = threading.Event()

    def until_the_end() -> None:
        while not ended.wait(0.01):
            work()
        connection.close()

    running = asyncio.create_task(asyncio.to_thread(until_the_end))
    yield
    ended.set()
    await asyncio.wait_for(running, PATIENCE)


def kinds(events: list[Event]) -> list[str]:
    """The types in order; chunks that follow each other count once."""
    types = [event["type"] for event in events]
    return [kind for at, kind in enumerate(types) if at == 0 or kind != types[at - 1]]


def text_of(events: list[Event], type: str = "assistant_text_chunk") -> str:
    return "".join(event["chunk"] for event in events if event["type"] == type)
