"""The socket of a page: it checks access and forwards hints. Messages and decisions go over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from autobahn.exception import Disconnected
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer, AsyncWebsocketConsumer
from django.utils import timezone

from accounts.access import enter, fetch
from accounts.models import Role
from accounts.services.sign_in import sessions
from agent.conversation import threads
from agent.models import Event
from documents.models import Document
from kit import events, group_cache, sanitize
from kit.errors import AppError, Unauthenticated
from kit.http.asgi import Receive, Scope, Send
from kit.http.event_hub import get_hub
from kit.json_types import JsonObject

log = logging.getLogger(__name__)
RECHECK_SECONDS = 30
SPARE_SECONDS = 0.1
# Why the server closes: the page asks over HTTP what holds now, and connects again unless it is signed out.
SIGNED_OUT, REFUSED, ROLE_CHANGED = 4401, 4403, 4409
# RFC 6455: the server met something that it did not expect. The page connects again.
FAILED = 1011
# The page polls, and tries again after a while.
TOO_MANY = 4429
# Of one person in one process: each tab has one.
MAX_SOCKETS = 40
# Of one socket, which a page sends a hello.
MAX_MESSAGES = 50
MAX_REPLAYED = 200
MAX_SEQ = 2**31 - 1


@dataclass(frozen=True)
class Sight:
    """What the visitor may see at one moment: as whom, and the groups that this opens."""

    role: Role
    groups: tuple[str, ...]
    until: datetime = field(compare=False)
    """When the session runs out unless it is used meanwhile."""

    @property
    def seconds_left(self) -> float:
        return max(0.0, (self.until - timezone.now()).total_seconds()) + SPARE_SECONDS


class UnknownSocket(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """Every address that no socket has."""

    async def connect(self) -> None:
        await self.close(REFUSED)


_open_sockets: Counter[str] = Counter()


class PageConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """Groups: the organization, and the document and the thread that the address names, each after its check."""

    # All sockets of a process have one channel together (`kit.http.event_hub`).
    channel_layer_alias = ""
    is_counted = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """However it ends, also while it is being opened, nothing of it is left."""
        self.joined: set[str] = set()
        self.watch: asyncio.Task[None] | None = None
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.uncount()
            if self.watch:
                self.watch.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await self.watch
            await get_hub().leave(self.joined, self)

    async def connect(self) -> None:
        self.thread_id = ""
        self.is_over = False
        self.messages = 0
        # An event sent before the socket is open would end it.
        self.waiting: list[str] | None = []
        self.must_look = asyncio.Event()
        if not self.count():
            # A socket that is refused before it is open tells its page no code.
            await self.accept()
            await self.end(TOO_MANY)
            return
        try:
            # First, so that no change of access between the look and the joining goes unheard.
            await self.join(events.user_group(self.scope["user"].pk))
            self.sight = await self.look()
        except AppError:
            await self.end(REFUSED)
            return
        for group in self.sight.groups:
            await self.join(group)
        await self.accept()
        self.watch = asyncio.create_task(self.look_again_and_again())
        await self.send_waiting()

    def count(self) -> bool:
        """Whether the person may have one more."""
        key = str(self.scope["user"].pk)
        self.is_counted = _open_sockets[key] < MAX_SOCKETS
        _open_sockets[key] += self.is_counted
        return self.is_counted

    def uncount(self) -> None:
        key = str(self.scope["user"].pk)
        _open_sockets[key] -= self.is_counted
        if not _open_sockets[key]:
            del _open_sockets[key]

    async def join(self, group: str) -> None:
        self.joined.add(group)
        await get_hub().join(group, self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: object) -> None:
        """Only `hello {last_seq, generation}` comes upstream: the thread's later events are sent again, in order.

        `generation` is the page's; where the organization has changed since, one `missed` tells it to ask for all.
        What else a member sends is passed over: it fills no log and ends nothing, unless it is too much.
        """
        self.messages += 1
        if self.is_over or self.messages > MAX_MESSAGES:
            await self.end(TOO_MANY)
            return
        try:
            content = sanitize.parse(text_data or "")
        except ValueError:
            return
        if isinstance(content, dict) and content.get("kind") == "hello":
            await self.bring_up_to_date(content)

    async def bring_up_to_date(self, hello: JsonObject) -> None:
        if "generation" in hello and hello["generation"] != await self.read_generation():
            await self.send_json({"kind": "missed"})
        last_seq = hello.get("last_seq")
        is_number = isinstance(last_seq, int) and 0 <= last_seq <= MAX_SEQ
        for event in await self.read_missed(last_seq if is_number else 0) if self.thread_id else ():
            await self.send_json(event)

    async def hear(self, event: Mapping[str, object], text: str) -> None:
        """What comes after a change of access waits until it is known that the visitor may still see it."""
        if event["kind"] == events.ACCESS_CHANGED:
            self.waiting = self.waiting or []
            self.must_look.set()
        elif self.waiting is not None:
            self.waiting += [text] if len(self.waiting) < MAX_REPLAYED else []
        elif not self.is_over:
            await self.send(text_data=text)

    async def send(self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False) -> None:
        # A page that has just gone is no failure: its end is on the way.
        with contextlib.suppress(Disconnected):
            await super().send(text_data, bytes_data, close)

    async def fail(self) -> None:
        await self.end(FAILED)

    async def look_again_and_again(self) -> None:
        """A hint may be lost, and a session runs out without one: it is looked at when it would, and may be longer."""
        try:
            while not self.is_over:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(min(RECHECK_SECONDS, self.sight.seconds_left)):
                        await self.must_look.wait()
                self.must_look.clear()
                await self.check()
                await self.send_waiting()
        except Exception:  # Nobody awaits this task: where it ended unseen, the socket would stay for ever.
            log.exception("a socket is closed, since what it may see cannot be looked at")
            await self.end(FAILED)

    async def send_waiting(self) -> None:
        """Unless access has changed once more since it was looked at."""
        while self.waiting and not self.must_look.is_set() and not self.is_over:
            await self.send(text_data=self.waiting.pop(0))
        if not self.must_look.is_set():
            self.waiting = None

    async def check(self) -> None:
        """Closes the socket when the visitor may no longer see all of it, or is somebody else here than before."""
        try:
            before, self.sight = self.sight, await self.look()
            if self.sight != before:
                await self.end(ROLE_CHANGED)
        except Unauthenticated:
            await self.end(SIGNED_OUT)
        except AppError:
            await self.end(REFUSED)

    async def end(self, code: int) -> None:
        """What still comes from the groups until the socket is gone is not sent any more."""
        if not self.is_over:
            self.is_over = True
            await self.close(code)

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def look(self) -> Sight:
        """Raises an AppError when the visitor may not see one of the groups."""
        session_key = self.scope["session"].session_key
        user = sessions.get_user(session_key)
        actor = enter(user, self.scope["url_route"]["kwargs"]["org_id"])
        query = parse_qs(self.scope["query_string"].decode("ascii", "replace"))
        organization_id = actor.organization.pk
        groups = [events.organization_group(organization_id), events.member_group(organization_id, user.pk)]
        if "document" in query:
            document = fetch(actor, Document.objects.all(), query["document"][0], noun="Document")
            groups.append(events.document_group(document.pk))
        if "thread" in query:
            self.thread_id = threads.fetch_readable(actor, query["thread"][0]).pk
            groups.append(events.thread_group(self.thread_id))
        return Sight(actor.role, tuple(groups), sessions.get_end(session_key) or timezone.now())

    @sync_to_async
    def read_generation(self) -> str:
        """By now the groups are joined: what comes later than this is heard."""
        return group_cache.read_generation(events.organization_group(self.scope["url_route"]["kwargs"]["org_id"]))

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def read_missed(self, last_seq: int) -> list[JsonObject]:
        """The newest events after `last_seq`, as they were first sent. A longer gap the page fetches whole."""
        later = Event.objects.filter(thread_id=self.thread_id, seq__gt=last_seq).order_by("-seq")[:MAX_REPLAYED]
        return [{**event.payload, "kind": event.kind, "seq": event.seq} for event in reversed(later)]
