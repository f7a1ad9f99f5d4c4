"""Server-sent events of a turn. A stream holds neither a thread nor a database connection while it waits.

https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, TypeVar

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import connections
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.access import get_end_of_access
from accounts.actor import Actor
from accounts.api.access import renew_v0
from accounts.api.wire.responses import EventStream
from agent.api.answers import UnknownCalls
from agent.api.line_answers import ErrorEvent, TurnEvent
from agent.api.turn_events import Cursor, Step, frame_event, list_due, list_due_words
from agent.conversation import threads
from agent.models import Turn
from agent.turns import turn_views
from agent.turns.turn_views import TurnView
from kit import events
from kit.errors import AppError
from kit.http import request_thread

T = TypeVar("T")
log = logging.getLogger(__name__)
KEEP_ALIVE_SECONDS, LOOK_SECONDS, RECHECK_SECONDS = 15.0, 5.0, 30.0
GAP_SECONDS = 0.5
SPARE_SECONDS = 0.1
MAX_HINTS = 200


def respond(actor: Actor, turn: Turn, cursor: Cursor, more: UnknownCalls) -> EventStream[TurnEvent]:
    """The events of the turn after the cursor, until it has ended or waits; `more` goes into the result at the end.

    The turn does not need the stream.
    """
    return EventStream(_Stream(actor, turn, cursor, more).body(), headers={"Location": address_of(turn)})


def address_of(turn: Turn) -> str:
    """Where the result of the turn is, and the rest of its events."""
    thread = turn.thread
    about = f"/documents/{thread.document_id}" if thread.document_id else ""
    return f"/v0/orgs/{thread.organization_id}{about}/chat/turns/{turn.pk}"


class Hint(TypedDict, total=False):
    """What pages are told; `kind` is always there, the rest comes with a delta."""

    kind: str
    turn_id: str
    round: int
    role: str
    offset: int
    text: str


@dataclass
class _LiveWords:
    """The words of the round that is being written, put together from the deltas and from what the worker saved."""

    round: int = -1
    words_by_role: dict[str, str] = field(default_factory=lambda: {"thinking": "", "text": ""})
    early: list[Hint] = field(default_factory=list)

    @property
    def words(self) -> tuple[str, str]:
        return self.words_by_role["thinking"], self.words_by_role["text"]

    def begin(self, round: int) -> None:
        if round != self.round:
            self.round, self.words_by_role = round, {"thinking": "", "text": ""}
            self.early = [hint for hint in self.early if hint["round"] - 1 >= round]

    def take(self, hint: Hint) -> None:
        """A delta of this round joins on; one that comes too early is kept until what is missing was saved."""
        self.early = [*self.early, hint][-MAX_HINTS:]
        self._join()

    def take_saved(self, thinking: str, text: str) -> None:
        for role, known in (("thinking", thinking), ("text", text)):
            mine = self.words_by_role[role]
            if not mine.startswith(known):
                self.words_by_role[role] = known
        self._join()

    def _join(self) -> None:
        waiting = []
        for hint in self.early:
            mine, offset = self.words_by_role.get(hint["role"], ""), hint["offset"]
            if hint["round"] - 1 != self.round or offset > len(mine):
                waiting.append(hint)
            elif not mine[offset:].startswith(hint["text"]):
                self.words_by_role[hint["role"]] = mine[:offset] + hint["text"]
        self.early = waiting


class _Stream:
    def __init__(self, actor: Actor, turn: Turn, cursor: Cursor, more: UnknownCalls) -> None:
        self.actor, self.turn, self.cursor, self.more = actor, turn, cursor, more
        self.view = TurnView(turn)
        self.heard = _LiveWords()
        self.sent_at = self.looked_at = time.monotonic()
        # At the first look: what changed between the request's check and the listening was not heard.
        self.check_due = self.looked_at

    async def body(self) -> AsyncIterator[bytes]:
        await request_thread.release_resources()
        yield b"retry: 2000\n\n"
        groups = [events.thread_group(self.turn.thread_id), events.user_group(self.actor.user.pk)]
        async with _listen(groups) as inbox:
            is_stale = True
            while True:
                try:
                    steps = await _in_thread(self._look) if is_stale else self._list_new_words()
                except AppError as error:
                    yield frame_event(self.cursor, ErrorEvent(type="error", error=error.sentence))
                    return
                if steps:
                    self.sent_at, self.cursor = time.monotonic(), steps[-1][0]
                    yield b"".join(frame_event(*step) for step in steps)
                if is_stale and self.view.stands_still:
                    return
                hints = await _receive(inbox, self._patience())
                self._hear(hints)
                is_stale = self._is_stale(hints)
                if time.monotonic() - self.sent_at >= KEEP_ALIVE_SECONDS:
                    self.sent_at = time.monotonic()
                    yield b": keep-alive\n\n"

    def _look(self) -> list[Step]:
        """Reads the turn, and from time to time whether its reader may still see it."""
        self.looked_at = time.monotonic()
        self.view = turn_views.read_turn(self.turn.pk)
        # After the reading: nothing that was read later than the end of the access is sent.
        if self.looked_at >= self.check_due:
            check_access(self.actor, self.turn.thread_id)
            self.check_due = self.looked_at + min(RECHECK_SECONDS, _seconds_left(self.actor))
        self.heard.begin(self.view.turn.round)
        self.heard.take_saved(self.view.turn.partial_thinking, self.view.turn.partial_text)
        steps = list_due(self.view, self.cursor, self.heard.words)
        if steps and (last := steps[-1][1])["type"] == "done" and "unknown_calls" in self.more:
            last["result"]["unknown_calls"] = self.more["unknown_calls"]
        return steps

    def _list_new_words(self) -> list[Step]:
        return list_due_words(self.view, self.cursor, self.heard.words)

    def _hear(self, hints: list[Hint]) -> None:
        for hint in hints:
            if hint["kind"] == events.ACCESS_CHANGED:
                self.check_due = 0.0
            if hint["kind"] == "delta" and hint["turn_id"] == self.turn.pk:
                self.heard.take(hint)

    def _is_stale(self, hints: list[Hint]) -> bool:
        return any(hint["kind"] != "delta" for hint in hints) or self._look_due() <= time.monotonic()

    def _look_due(self) -> float:
        """Hints may be lost; what is missing between two of them is saved within half a second."""
        return min(self.looked_at + (GAP_SECONDS if self.heard.early else LOOK_SECONDS), self.check_due)

    def _patience(self) -> float:
        until = min(self._look_due(), self.sent_at + KEEP_ALIVE_SECONDS)
        return max(0.0, until - time.monotonic())


def check_access(actor: Actor, thread_id: str) -> None:
    """Raises an AppError when token or session has ended, the member was removed, or the thread became private."""
    threads.fetch_readable(renew_v0(actor), thread_id)


def _seconds_left(actor: Actor) -> float:
    """Until the token or the session ends by itself; a session may be used meanwhile, and goes on."""
    end = get_end_of_access(actor)
    return math.inf if end is None else max(0.0, (end - timezone.now()).total_seconds()) + SPARE_SECONDS


async def _receive(inbox: asyncio.Queue[Hint], seconds: float) -> list[Hint]:
    """What has come, or comes within so long."""
    hints: list[Hint] = []
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            hints.append(await inbox.get())
    while not inbox.empty():
        hints.append(inbox.get_nowait())
    return hints


@contextlib.asynccontextmanager
async def _listen(groups: Sequence[str]) -> AsyncIterator[asyncio.Queue[Hint]]:
    """Hints of the groups. Without them, when Redis is away, the stream looks by itself every few seconds."""
    layer, inbox = get_channel_layer(), asyncio.Queue[Hint]()
    channel = await layer.new_channel()

    async def hear() -> None:
        try:
            while True:
                inbox.put_nowait((await layer.receive(channel))["event"])
        except (RedisError, OSError):  # the stream goes on without hints, by looking
            log.warning("a stream hears nothing of %s", groups, exc_info=True)

    with contextlib.suppress(RedisError, OSError):
        for group in groups:
            await layer.group_add(group, channel)
    hearing = asyncio.create_task(hear())
    try:
        yield inbox
    finally:
        hearing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await hearing
        with contextlib.suppress(RedisError, OSError):
            for group in groups:
                await layer.group_discard(group, channel)


async def _in_thread(work: Callable[[], T]) -> T:
    """In a thread that all streams share, whose database connection is given back at once."""

    def whole() -> T:
        try:
            return work()
        finally:
            connections.close_all()

    return await sync_to_async(whole, thread_sensitive=False)()
