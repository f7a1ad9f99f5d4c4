"""The socket of a page, through the real ASGI door and the real Redis layer: who is let in, and what comes down."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from accounts.actor import Actor
from accounts.models import Member, Role
from agent import consumers, feed
from agent.conversation import threads
from agent.models import Thread
from docrouter.asgi import application
from documents.models import Document
from kit import events

pytestmark = pytest.mark.django_db(transaction=True)
OWN_ORIGIN = settings.PUBLIC_URL


def cookie_of(actor: Actor) -> str:
    client = Client()
    client.force_login(actor.user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


@asynccontextmanager
async def open_socket(
    actor: Actor | None, path: str, *, origin: str = OWN_ORIGIN, cookie: str = ""
) -> AsyncIterator[WebsocketCommunicator | None]:
    """The open socket, or None when it was refused."""
    headers = [(b"origin", origin.encode())]
    if actor:
        headers.append((b"cookie", (cookie or await sync_to_async(cookie_of)(actor)).encode()))
    socket = WebsocketCommunicator(application, path, headers=headers)
    is_open, _ = await socket.connect(timeout=60)
    try:
        yield socket if is_open else None
    finally:
        await socket.disconnect()


def address(organization: Actor, document: Document | None = None, thread: Thread | None = None) -> str:
    rows = {"document": document, "thread": thread}
    query = "&".join(f"{name}={row.pk}" for name, row in rows.items() if row)
    return f"/ws/orgs/{organization.organization.pk}?{query}"


async def test_it_forwards_hints_of_the_organization_the_document_and_the_thread(actor, document, thread):
    groups = (
        events.organization_group(actor.organization.pk),
        events.document_group(document.pk),
        events.thread_group(thread.pk),
    )
    async with open_socket(actor, address(actor, document, thread)) as socket:
        for number, group in enumerate(groups):
            await events.send_async(group, {"kind": "delta", "offset": number, "text": "ä€"})
            assert await socket.receive_json_from() == {"kind": "delta", "offset": number, "text": "ä€"}


async def test_the_owner_of_a_thread_hears_of_each_change_in_the_list_of_threads(actor, member):
    other = await sync_to_async(member)(Role.ADMIN)
    async with open_socket(actor, address(actor)) as mine, open_socket(other, address(actor)) as theirs:
        thread = await sync_to_async(threads.create)(actor)
        assert await mine.receive_json_from() == {"kind": "threads.changed"}
        await sync_to_async(threads.rename)(actor, thread=thread, title="Totals")
        assert await mine.receive_json_from() == {"kind": "threads.changed"}
        assert await theirs.receive_nothing(0.1)


async def test_it_sends_nothing_of_documents_and_threads_that_were_not_asked_for(actor, document, thread):
    async with open_socket(actor, address(actor)) as socket:
        await events.send_async(events.document_group(document.pk), {"kind": "document.changed"})
        await events.send_async(events.thread_group(thread.pk), {"kind": "delta"})
        assert await socket.receive_nothing(0.1)


async def test_after_hello_it_sends_what_was_missed_once_and_in_order(actor, document, thread):
    for status in ("queued", "running", "completed"):
        await sync_to_async(feed.append)(thread.pk, "turn.changed", status=status)
    async with open_socket(actor, address(actor, document, thread)) as socket:
        await socket.send_json_to({"kind": "hello", "last_seq": 1})
        got = [await socket.receive_json_from() for _ in range(2)]
        assert [(event["seq"], event["status"]) for event in got] == [(2, "running"), (3, "completed")]
        assert await socket.receive_nothing(0.1)


async def test_a_page_learns_whether_its_organization_changed_before_its_socket_opened(actor, client, signed_in):
    group = events.organization_group(actor.organization.pk)
    await sync_to_async(signed_in)(client, actor)
    page = await sync_to_async(client.get)(f"/orgs/{actor.organization.pk}/tags")
    (generation,) = re.findall(r'data-generation="(\w+)"', page.content.decode())
    async with open_socket(actor, address(actor)) as socket:
        await socket.send_json_to({"kind": "hello", "generation": generation})
        assert await socket.receive_nothing(0.1)
    await sync_to_async(events.publish)(group, "tag.changed")
    async with open_socket(actor, address(actor)) as socket:
        await socket.send_json_to({"kind": "hello", "generation": generation})
        assert await socket.receive_json_from() == {"kind": "missed"}


HELLO = '{"kind": "hello", "last_seq": %s}'
UPSTREAM = [
    "[]",
    '"hello"',
    "{}",
    '{"kind": "decide"}',
    HELLO % '"x"',
    HELLO % 10**30,
    HELLO % -1,
    "no JSON",
    "[" * 9000,
]


@pytest.mark.parametrize("message", [*UPSTREAM, b"\xff\x00"])
async def test_it_survives_whatever_is_sent_up(actor, document, thread, message):
    async with open_socket(actor, address(actor, document, thread)) as socket:
        await socket.send_to(**{"bytes_data" if isinstance(message, bytes) else "text_data": message})
        await events.send_async(events.thread_group(thread.pk), {"kind": "still here"})
        assert await socket.receive_json_from() == {"kind": "still here"}


async def test_it_refuses_a_visitor_without_a_session(actor):
    async with open_socket(None, address(actor)) as socket:
        assert socket is None


@pytest.mark.parametrize("path", ["/", "/ws", "/v0/orgs/x/tags", "/ws/orgs/x/y"])
async def test_it_refuses_every_other_address(path):
    async with open_socket(None, path) as socket:
        assert socket is None


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://localhost", "http://localhost:8001", f"https://localhost:{settings.PORT}"],
)
async def test_it_refuses_another_origin(actor, origin):
    async with open_socket(actor, address(actor), origin=origin) as socket:
        assert socket is None


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
async def test_it_takes_its_own_origin_of_this_machine(actor, host):
    async with open_socket(actor, address(actor), origin=f"http://{host}:{settings.PORT}") as socket:
        assert socket


async def test_it_refuses_the_organization_its_documents_and_its_threads_to_a_stranger(
    actor, stranger, document, thread
):
    for path in (address(actor), address(stranger, document), address(stranger, None, thread)):
        async with open_socket(stranger, path) as socket:
            assert socket is None


async def test_it_refuses_a_private_thread_to_other_members(actor, member):
    private = await sync_to_async(threads.create)(actor, private=True)
    other = await sync_to_async(member)(Role.ADMIN)
    async with open_socket(other, address(actor, None, private)) as socket:
        assert socket is None


async def test_a_removed_member_loses_the_open_socket_when_nobody_says_so(actor, member, document, monkeypatch):
    monkeypatch.setattr(consumers, "RECHECK_SECONDS", 0.05)
    viewer = await sync_to_async(member)(Role.VIEWER)
    async with open_socket(viewer, address(actor, document)) as socket:
        # As when the hint of it is lost.
        await sync_to_async(Member.objects.filter(user=viewer.user)._raw_delete)("default")
        assert await socket.receive_output(2) == {"type": "websocket.close", "code": consumers.REFUSED}
