"""How a streamed answer ends, also without its client."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from pytest_django import DjangoAssertNumQueries

from accounts.actor import Actor
from accounts.models import AccessToken, Member, Role
from accounts.services import organizations, tokens
from agent.api import streams
from agent.models import Thread, ToolCall, Turn
from agent.turns.turn_views import read_turn
from documents.models import Document
from kit import events
from tests.agent.chat_stream_rows import (  # noqa: F401 - some are fixtures
    NOTE,
    Talk,
    kinds,
    own_layer,
    talk,
    text_of,
    worker,
)
from tests.agent.context_rows import turn  # noqa: F401 - a fixture
from tests.agent.decision_rows import say as decide
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tools")]


async def sockets_in(group: str) -> int:
    layer = get_channel_layer()
    return int(await layer.connection(layer.consistent_hash(group)).zcard(layer._group_key(group)))


async def test_a_client_that_goes_away_leaves_nothing_behind_and_loses_nothing(
    talk: Talk, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("One ", "two ", "three.").slowly(0.2))
    before = asyncio.all_tasks()
    async with talk.say() as reader:
        await reader.next()
        group = events.thread_group((await Thread.objects.aget()).pk)
        assert await sockets_in(group) == 1
    assert await sockets_in(group) == 0
    assert asyncio.all_tasks() == before
    turn_id = reader.last_id.partition(":")[0]
    async with talk.follow(turn_id) as reader:
        stream_events = await reader.rest()
    assert text_of(stream_events) == "One two three."


async def test_a_stream_that_waits_is_kept_alive(
    talk: Talk, scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.02)
    async with talk.say() as reader:
        waiting = asyncio.create_task(reader.next())
        while len(reader.comments) < 3:
            await asyncio.sleep(0.01)
        waiting.cancel()
    assert set(reader.comments) == {": keep-alive"}


@pytest.mark.parametrize("what", ["token", "member"])
async def test_who_loses_the_right_to_read_loses_the_stream(
    talk: Talk, actor: Actor, scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(streams, "RECHECK_SECONDS", 0.0)
    monkeypatch.setattr(streams, "LOOK_SECONDS", 0.05)
    async with talk.say() as reader:
        if what == "token":
            await AccessToken.objects.all().adelete()
        else:
            await Member.objects.filter(user=actor.user).adelete()
        (event,) = await reader.rest()
    assert event["type"] == "error"
    assert event["error"] in (
        "Invalid authentication credentials: invalid token",
        "You are not a member of this organization",
    )


async def test_it_follows_a_turn_while_redis_is_away(
    talk: Talk, worker: None, scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    layer = {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": ["redis://localhost:1"]}}
    settings.CHANNEL_LAYERS = {"default": layer}
    monkeypatch.setattr(streams, "LOOK_SECONDS", 0.05)
    scripted_model.will(says("Here ", "I am."))
    async with talk.say() as reader:
        events = await reader.rest()
    assert text_of(events) == "Here I am." and events[-1]["type"] == "done"


async def test_members_follow_a_turn_but_strangers_do_not(
    talk: Talk, member: Any, stranger: Actor, document: Document, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE))
    async with talk.say() as reader:
        done = (await reader.rest())[-1]["result"]
    viewer = await sync_to_async(member)(Role.VIEWER)
    _, secret = await sync_to_async(tokens.create)(viewer.user, name="V")
    async with Talk(document, secret).follow(done["turn_id"]) as reader:
        events = await reader.rest()
    assert kinds(events) == ["tool_calls", "done"] and events[0]["pending"] is True
    _, secret = await sync_to_async(tokens.create)(stranger.user, name="S")
    async with Talk(document, secret).follow(done["turn_id"]) as reader:
        assert reader.status == 403
    assert (await ToolCall.objects.aget()).status == "pending"


async def test_a_stream_ends_with_a_sentence_when_an_admin_has_stopped_the_agent(
    talk: Talk, propose: Any, actor: Actor
) -> None:
    (call,) = await sync_to_async(propose)(NOTE)
    await sync_to_async(decide)(actor, call)
    async with talk.follow(call.turn_id) as reader:
        assert (await reader.next() or {})["type"] == "tool_calls"
        await sync_to_async(organizations.stop_agent)(actor, stopped=True)
        events = await reader.rest()
    assert kinds(events) == ["error"] and "It goes on from here when it may work again." in events[0]["error"]


def test_a_round_that_is_written_meanwhile_is_never_read_without_its_calls(
    thread: Thread, turn: Turn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(3) as asked:
        read_turn(turn.pk)
    tables = [query["sql"].partition(' FROM "')[2].partition('"')[0] for query in asked.captured_queries]
    assert tables == ["agent_turn", "agent_message", "agent_toolcall"]
