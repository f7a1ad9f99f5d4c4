"""How many sockets one person may have, how much one may send up, and that all of a process share one channel."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from accounts.actor import Actor
from accounts.models import Role
from agent import consumers
from kit import events
from kit.http.event_hub import get_hub
from tests.agent.access_changes import own_layer  # noqa: F401 - a fixture
from tests.agent.test_socket import address, cookie_of, open_socket

pytestmark = pytest.mark.django_db(transaction=True)


async def test_one_person_has_so_many_sockets_and_no_more(actor: Actor, member, monkeypatch):
    monkeypatch.setattr(consumers, "MAX_SOCKETS", 3)
    cookie = await sync_to_async(cookie_of)(actor)
    other = await sync_to_async(member)(Role.VIEWER)
    async with AsyncExitStack() as stack:
        for _ in range(2):
            assert await stack.enter_async_context(open_socket(actor, address(actor), cookie=cookie))
        async with open_socket(actor, address(actor), cookie=cookie):
            async with open_socket(actor, address(actor), cookie=cookie) as fourth:
                assert await fourth.receive_output(2) == {"type": "websocket.close", "code": consumers.TOO_MANY}
            async with open_socket(other, address(actor)) as theirs:
                assert await theirs.receive_nothing(0.05)
        async with open_socket(actor, address(actor), cookie=cookie) as again:
            assert await again.receive_nothing(0.05)
    assert not consumers._open_sockets


async def test_a_socket_that_sends_too_much_is_closed(actor: Actor):
    async with open_socket(actor, address(actor)) as socket:
        for _ in range(consumers.MAX_MESSAGES):
            await socket.send_to(text_data="[]")
        assert await socket.receive_nothing(0.05)
        await socket.send_to(text_data="[]")
        assert await socket.receive_output(2) == {"type": "websocket.close", "code": consumers.TOO_MANY}


async def test_all_sockets_of_a_process_are_told_over_one_channel(actor: Actor):
    cookie, layer = await sync_to_async(cookie_of)(actor), get_channel_layer()
    group, before = events.organization_group(actor.organization.pk), asyncio.all_tasks()
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(open_socket(actor, address(actor), cookie=cookie)) for _ in range(5)]
        assert await layer.connection(layer.consistent_hash(group)).zcard(layer._group_key(group)) == 1
        for number in range(3):
            await events.send_async(group, {"kind": "told", "number": number})
        for socket in sockets:
            assert [(await socket.receive_json_from())["number"] for _ in range(3)] == [0, 1, 2]
    await asyncio.sleep(0)
    assert get_hub().listeners == {} and asyncio.all_tasks() == before


async def test_what_is_told_while_a_socket_opens_comes_once_it_is_open(actor: Actor):
    cookie, group = await sync_to_async(cookie_of)(actor), events.organization_group(actor.organization.pk)

    async def tell_all_the_time():
        while True:
            await events.send_async(group, {"kind": "told"})

    telling = asyncio.create_task(tell_all_the_time())
    for _ in range(20):
        async with open_socket(actor, address(actor), cookie=cookie) as socket:
            assert (await socket.receive_json_from(5)) == {"kind": "told"}
    telling.cancel()
    await asyncio.gather(telling, return_exceptions=True)


async def test_a_socket_that_could_not_be_opened_counts_no_more(actor: Actor, settings):
    cookie = await sync_to_async(cookie_of)(actor)
    dead = {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": ["redis://localhost:1"]}}
    settings.CHANNEL_LAYERS = {"default": dead}
    with pytest.raises(RedisError):
        async with open_socket(actor, address(actor), cookie=cookie):
            pass
    assert not consumers._open_sockets and get_hub().listeners == {}


async def test_what_ails_one_listener_ends_no_other(actor: Actor):
    class Broken:
        has_failed = False

        async def hear(self, event: object, text: str) -> None:
            raise OSError("gone")

        async def fail(self) -> None:
            self.has_failed = True

    broken, group = Broken(), events.organization_group(actor.organization.pk)
    await get_hub().join(group, broken)
    async with open_socket(actor, address(actor)) as socket:
        await events.send_async(group, {"kind": "told"})
        assert await socket.receive_json_from() == {"kind": "told"}
    assert broken.has_failed
    await get_hub().leave([group], broken)
