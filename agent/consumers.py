"""The socket of a page: it checks access and forwards hints. Messages and decisions go over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from accounts.access import enter, fetch
from accounts.models import User
from agent.models import Event
from agent.services import threads
from docrouter.kit import events
from docrouter.kit.errors import AppError, NotFound
from documents.models import Document

log = logging.getLogger(__name__)
RECHECK_SECONDS = 30
REFUSED = 4403
MOST_REPLAYED = 200


class PageConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """Groups: the organization, and the document and the thread that the address names, each after its check."""

    async def connect(self) -> None:
        self.joined: set[str] = set()
        self.thread_id = ""
        self.watch: asyncio.Task[None] | None = None
        try:
            groups = await self.allowed_groups()
        except AppError:
            await self.close(REFUSED)
            return
        for group in groups:
            await self.channel_layer.group_add(group, self.channel_name)
            self.joined.add(group)
        await self.accept()
        self.watch = asyncio.create_task(self.recheck())

    async def disconnect(self, code: int) -> None:
        if self.watch:
            self.watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.watch
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        """Only `hello {last_seq}` comes upstream: the thread's later events are sent again, in order."""
        if not isinstance(content, dict) or content.get("kind") != "hello" or not self.thread_id:
            return
        last_seq = content.get("last_seq")
        for event in await self.missed(last_seq if isinstance(last_seq, int) else 0):
            await self.send_json(event)

    async def page_event(self, message: dict[str, Any]) -> None:
        await self.send_json(message["event"])

    async def recheck(self) -> None:
        """Members are removed and roles change while pages stay open."""
        while True:
            await asyncio.sleep(RECHECK_SECONDS)
            try:
                await self.allowed_groups()
            except AppError:
                self.watch = None
                await self.close(REFUSED)
                return

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def allowed_groups(self) -> list[str]:
        """Raises an AppError when the visitor may not see one of them."""
        user = User.objects.filter(pk=self.scope["user"].pk).first()
        if user is None:
            raise NotFound("Organization not found")
        actor = enter(user, self.scope["url_route"]["kwargs"]["org_id"])
        asked = parse_qs(self.scope["query_string"].decode("ascii", "replace"))
        organization_id = actor.organization.pk
        groups = [events.organization_group(organization_id), events.member_group(organization_id, user.pk)]
        if "document" in asked:
            document = fetch(actor, Document.objects.all(), asked["document"][0], noun="Document")
            groups.append(events.document_group(document.pk))
        if "thread" in asked:
            self.thread_id = threads.readable(actor, asked["thread"][0]).pk
            groups.append(events.thread_group(self.thread_id))
        return groups

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def missed(self, last_seq: int) -> list[dict[str, Any]]:
        """The newest events after `last_seq`, as they were first sent. A longer gap the page fetches whole."""
        later = Event.objects.filter(thread_id=self.thread_id, seq__gt=last_seq).order_by("-seq")[:MOST_REPLAYED]
        return [{**event.payload, "kind": event.kind, "seq": event.seq} for event in reversed(later)]
