"""The events of a turn, read through the ASGI door: their order, resuming, approving, and clients that go away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import channel_layers, get_channel_layer
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AccessToken, Member, Role
from accounts.services import organizations, tokens
from agent.api import streams
from agent.models import Thread, ToolCall, Turn
from agent.turns import sweep
from documents.models import Document
from kit import events
from tests.agent.conftest import notes
from tests.agent.sse import PATIENCE, Event, Reader, open_stream
from tests.agent.test_decisions import say as decide
from tests.scripted_model import ScriptedModel, calls, fails, says, thinks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tools")]
NOTE = ("note", {"text": "x"})
LOOK = ("look", {"word": "y"})


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


async def until(reader: Reader, type: str) -> list[Event]:
    """The events up to the first of this type."""
    events = []
    while (event := await reader.next()) is not None:
        events.append(event)
        if event["type"] == type:
            return events
    raise AssertionError(f"The stream ended without {type}: {events}")


async def sockets_in(group: str) -> int:
    layer = get_channel_layer()
    return int(await layer.connection(layer.consistent_hash(group)).zcard(layer._group_key(group)))


async def test_it_tells_a_turn_in_order(talk: Talk, worker: None, scripted_model: ScriptedModel) -> None:
    scripted_model.will(calls(LOOK, text="I look. "), thinks("Hm, ", "yes.", then="An invoice."))
    async with talk.say() as reader:
        events = await reader.rest()
    assert reader.status == 200 and reader.headers["content-type"].startswith("text/event-stream")
    assert reader.headers["x-accel-buffering"] == "no" and "no-store" in reader.headers["cache-control"]
    assert kinds(events) == [
        "assistant_text_chunk",
        "tool_calls",
        "tool_result",
        "round_executed",
        "thinking_chunk",
        "assistant_text_chunk",
        "thinking_done",
        "assistant_text_done",
        "done",
    ]
    called, result, executed = (
        event for event in events if event["type"] in ("tool_calls", "tool_result", "round_executed")
    )
    (call,) = called["tool_calls"]
    assert (called["round_index"], called["pending"], call["name"]) == (0, False, "look")
    assert (result["call_id"], result["name"], result["success"]) == (call["id"], "look", True)
    assert result["result"] == {"found": "y"} and executed["tool_calls"][0]["id"] == call["id"]
    assert text_of(events) == "I look. An invoice." and text_of(events, "thinking_chunk") == "Hm, yes."
    assert events[-2] == {"type": "assistant_text_done", "full_text": "An invoice.", "round_index": 1}
    assert events[-1]["result"]["text"] == "An invoice." and events[-1]["result"]["thinking"] == "Hm, yes."
    assert len(set(reader.ids)) == len(reader.ids) == len(events)
    turn = await Turn.objects.aget()
    assert reader.headers["location"] == f"{talk.base}/turns/{turn.pk}"


async def test_it_sends_the_words_while_they_are_written(
    talk: Talk, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("One ", "two ").with_hang())
    async with talk.say() as reader:
        events = []
        while text_of(events) != "One two ":
            events += await until(reader, "assistant_text_chunk")
        assert (await Turn.objects.aget()).status == "running"
        await Turn.objects.aupdate(cancel_requested_at=timezone.now())
        rest = await reader.rest()
    assert kinds(rest)[-2:] == ["assistant_text_done", "done"]
    assert rest[-1]["result"]["turn"]["status"] == "cancelled" and rest[-1]["result"]["text"] == "One two "


async def test_a_failing_tool_is_a_result_without_success(
    talk: Talk, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(("look", {"word": "nothing"}), ("no_such_tool", {}), ("look", "{broken")), says("Sorry."))
    async with talk.say() as reader:
        events = await reader.rest()
    results = [event for event in events if event["type"] == "tool_result"]
    assert [result["success"] for result in results] == [False, False, False]
    errors = {result["error"] for result in results}
    assert "There is nothing to look up. Name a word." in errors and any("There is no tool" in each for each in errors)


@pytest.mark.parametrize("stops_at", [1, 2, 3, 5])
async def test_it_goes_on_after_the_last_event_in_mid_text(
    talk: Talk, worker: None, scripted_model: ScriptedModel, stops_at: int
) -> None:
    words = [f"word{number} " for number in range(12)]
    scripted_model.will(calls(LOOK, text="First. "), says(*words).slowly(0.08))
    async with talk.say() as reader:
        events = [await reader.next() for _ in range(stops_at)]
    turn_id = reader.last_id.partition(":")[0]
    async with talk.follow(turn_id, last_id=reader.last_id) as again:
        events += await again.rest()
    assert text_of(events) == "First. " + "".join(words)
    assert [kind for kind in kinds(events) if kind != "assistant_text_chunk"] == [
        "tool_calls",
        "tool_result",
        "round_executed",
        "assistant_text_done",
        "done",
    ]
    assert not set(reader.ids) & set(again.ids)


async def test_from_every_event_on_it_tells_exactly_the_missed_ones(
    talk: Talk, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(LOOK, NOTE, text="Look. "), says("Well."))
    async with talk.say() as reader:
        first = await reader.rest()
    paused = first[-1]["result"]
    async with talk.approve(paused["turn_id"], {paused["tool_calls"][0]["id"]: True}) as reader_2:
        second = await reader_2.rest()
    events, ids = first + second, reader.ids + reader_2.ids
    for at, last_id in enumerate(ids[:-1]):
        async with talk.follow(paused["turn_id"], last_id=last_id) as again:
            rest = await again.rest()
        # What was asked before has been answered since.
        missed = [event for event in events[at + 1 :] if event not in first[-2:]]
        assert [event["type"] for event in rest] == [event["type"] for event in missed], (at, events[at])
    async with talk.follow(paused["turn_id"], last_id=ids[-1]) as again:
        assert (again.status, await again.whole()) == (204, None)


async def test_the_same_request_with_a_last_event_id_starts_no_second_turn(
    talk: Talk, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("One ", "two ", "three.").slowly(0.1))
    async with talk.say("Count") as reader:
        events = [await reader.next()]
    async with talk.say("Count", last_id=reader.last_id) as again:
        events += await again.rest()
    assert text_of(events) == "One two three." and await Turn.objects.acount() == 1


async def test_it_pauses_with_the_calls_and_streams_what_comes_of_the_approval(
    talk: Talk, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE, ("note", {"text": "z", "key": "b"}), LOOK, text="May I?"), says("Done."))
    async with talk.say() as reader:
        events = await reader.rest()
    assert kinds(events) == ["assistant_text_chunk", "tool_calls", "tool_result", "tool_calls", "done"]
    ran, waiting, done = events[-4], events[-2], events[-1]["result"]
    assert (ran["pending"], waiting["pending"]) == (False, True)
    assert [call["name"] for call in ran["tool_calls"]] == ["look"]
    assert waiting["tool_calls"] == done["tool_calls"] and len(done["tool_calls"]) == 2
    first, second = (call["id"] for call in done["tool_calls"])
    async with talk.approve(done["turn_id"], {first: True}) as reader:
        events = await reader.rest()
    assert kinds(events) == ["tool_result", "tool_calls", "done"]
    assert (events[0]["call_id"], events[0]["success"]) == (first, True)
    assert [call["id"] for call in events[1]["tool_calls"]] == [second] and events[-1]["result"]["turn_id"]
    async with talk.approve(done["turn_id"], {"unknown": True}) as reader:
        events = await reader.rest()
    assert kinds(events) == ["tool_calls", "done"] and events[-1]["result"]["unknown_calls"] == ["unknown"]
    async with talk.approve(done["turn_id"], {second: False}) as reader:
        events = await reader.rest()
    assert kinds(events) == ["tool_result", "round_executed", "assistant_text_chunk", "assistant_text_done", "done"]
    assert events[0]["success"] is False and "rejected" in events[0]["error"]
    assert events[-1]["result"]["text"] == "Done." and "turn_id" not in events[-1]["result"]


async def test_two_people_who_decide_at_once_both_hear_the_end(
    talk: Talk, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE), says("Done."))
    async with talk.say() as reader:
        done = (await reader.rest())[-1]["result"]
    decided = {done["tool_calls"][0]["id"]: True}

    async def approve() -> list[Event]:
        async with talk.approve(done["turn_id"], decided) as reader:
            return await reader.rest()

    for answer_events in await asyncio.gather(approve(), approve()):
        assert answer_events[-1]["result"]["text"] == "Done."
    assert await sync_to_async(notes().count)() == 1


async def test_auto_approve_runs_what_stays_with_the_document_and_asks_for_the_rest(
    talk: Talk, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(calls(NOTE, ("note", {"text": "z", "key": "shared"})))
    async with talk.say(auto_approve=True) as reader:
        events = await reader.rest()
    assert kinds(events) == ["tool_calls", "tool_result", "tool_calls", "done"]
    assert [call["name"] for call in events[-1]["result"]["tool_calls"]] == ["note"]
    assert await sync_to_async(notes(text="x").count)() == 1 and await sync_to_async(notes(text="z").count)() == 0


async def test_a_failing_provider_ends_the_stream_with_its_sentence(
    talk: Talk, worker: None, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(fails(401, "bad key"))
    async with talk.say() as reader:
        events = await reader.rest()
    (event,) = events
    turn = await Turn.objects.aget()
    assert event == {"type": "error", "error": turn.reason} and turn.reason


async def test_refusals_before_the_stream_are_json(talk: Talk, scripted_model: ScriptedModel) -> None:
    async with talk.say("  ") as reader:
        assert (reader.status, await reader.whole()) == (400, {"detail": "The message is empty."})
    async with talk.say(thread_id="nonsense") as reader:
        assert (reader.status, await reader.whole()) == (404, {"detail": "Thread not found"})
    async with talk.say(last_id="nonsense") as reader:
        assert reader.status == 400
    async with open_stream(talk.base, "org_wrong", send={"messages": [], "stream": True}) as reader:
        assert reader.status == 401


async def test_another_worker_that_takes_the_round_over_tells_it_anew(
    talk: Talk, work: Callable[[], None], scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("Wrong ", "words").with_hang(), says("Right."))
    async with talk.say() as reader:
        lost = asyncio.create_task(asyncio.to_thread(work))
        events = []
        while text_of(events) != "Wrong words":
            events += await until(reader, "assistant_text_chunk")
        # What the scheduler finds after the death of a worker: a lease that ran out.
        await Turn.objects.aupdate(lease_until=timezone.now() - timedelta(seconds=1))
        await asyncio.to_thread(sweep.run_once)
        await asyncio.to_thread(work)
        rest = await reader.rest()
    await lost
    assert kinds(rest) == ["round_restarted", "assistant_text_chunk", "assistant_text_done", "done"]
    assert text_of(rest) == "Right." == rest[-1]["result"]["text"]


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
