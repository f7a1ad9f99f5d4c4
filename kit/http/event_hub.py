"""Listeners to groups in this process. One channel of the layer stands for all sockets of a process.

A channel for each socket took a receiver, a decoding and a look at old database connections for each socket and event:
one upload told to 200 sockets kept everybody waiting for seconds.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Protocol
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

log = logging.getLogger(__name__)
# After so many sockets other requests have their turn.
SOCKETS_AT_ONCE = 20


class Listener(Protocol):
    async def hear(self, event: Mapping[str, object], text: str) -> None:
        """text: the event as JSON, made once for all."""

    async def fail(self) -> None:
        """Nothing is heard any more, or it could not be taken."""


class EventHub:
    """The hub of one event loop. It has a channel for as long as somebody listens."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[Listener]] = {}
        self.channel = ""
        self.hearing: asyncio.Task[None] | None = None
        # One at a time, so that no group is left that somebody has just joined.
        self.lock = asyncio.Lock()

    async def join(self, group: str, listener: Listener) -> None:
        layer = get_channel_layer()
        async with self.lock:
            if not self.channel:
                self.channel = await layer.new_channel()
                self.hearing = asyncio.create_task(self._hear_all())
            self.listeners.setdefault(group, set()).add(listener)
            # Also when it is in: the layer forgets after a day.
            await layer.group_add(group, self.channel)

    async def leave(self, groups: Collection[str], listener: Listener) -> None:
        layer = get_channel_layer()
        async with self.lock:
            for group in groups:
                listeners = self.listeners.get(group, set())
                listeners.discard(listener)
                if not listeners and self.listeners.pop(group, None) is not None:
                    with suppress(RedisError, OSError):
                        await layer.group_discard(group, self.channel)
            if not self.listeners and self.hearing:
                self.hearing.cancel()
                self.channel, self.hearing = "", None

    async def _hear_all(self) -> None:
        layer, channel = get_channel_layer(), self.channel
        try:
            while True:
                message = await layer.receive(channel)
                await self._tell(message["group"], message["event"])
        except (RedisError, OSError) as error:
            log.warning("the sockets of this process are closed, since Redis does not answer: %s", error)
            self.channel, self.hearing = "", None
            for listener in set().union(*self.listeners.values()):
                await listener.fail()

    async def _tell(self, group: str, event: Mapping[str, object]) -> None:
        text = json.dumps(event)
        for number, listener in enumerate(tuple(self.listeners.get(group, ())), 1):
            try:
                await listener.hear(event, text)
            except Exception:  # A fault of one socket must not end the others.
                log.exception("a socket is closed, since an event could not be sent to it")
                await listener.fail()
            if number % SOCKETS_AT_ONCE == 0:
                await asyncio.sleep(0)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, EventHub] = WeakKeyDictionary()


def get_hub() -> EventHub:
    return _hubs.setdefault(asyncio.get_running_loop(), EventHub())
