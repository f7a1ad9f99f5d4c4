"""The events of a turn, read through the ASGI door: their order, resuming, approving, and clients that go away."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.utils import timezone

from agent.conversation.live_text import LiveText
from agent.models import Turn
from agent.turns import sweep
from kit import events
from kit.ids import new_id
from llm.client import Delta
from tests.agent.chat_stream_rows import (  # noqa: F401 - some are fixtures
    NOTE,
    Talk,
    kinds,
    own_layer,
    talk,
    text_of,
    worker,
)
from tests.agent.conftest import notes
from tests.agent.sse import Event, Reader, open_stream
from tests.scripted_model import ScriptedModel, calls, fails, says, thinks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tools")]


LOOK = ("look", {"word": "y"})


async def until(reader: Reader, type: str) -> list[Event]:
    """The events up to the first of this type."""
    events = []
    while (event := await reader.next()) is not None:
        events.append(event)
        if event["type"] == type:
            return events
    raise AssertionError(f"The stream ended without {type}: {events}")


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
    words = [f"{letter}-word " for letter in "abcdefghijkl"]
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
        # The scheduler finds this after the death of a worker. The lost one may renew its lease in between.
        while await Turn.objects.filter(status="running").aexists():
            await Turn.objects.aupdate(lease_until=timezone.now() - timedelta(seconds=1))
            await asyncio.to_thread(sweep.run_once)
        await asyncio.to_thread(work)
        rest = await reader.rest()
    await lost
    assert kinds(rest) == ["round_restarted", "assistant_text_chunk", "assistant_text_done", "done"]
    assert text_of(rest) == "Right." == rest[-1]["result"]["text"]


async def test_thoughts_of_a_batch_are_sent_before_its_words() -> None:
    turn, layer = Turn(thread_id=new_id()), get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(events.thread_group(turn.thread_id), channel)
    await sync_to_async(_write_a_batch)(LiveText(turn))
    assert [(await layer.receive(channel))["event"]["role"] for _ in range(2)] == ["thinking", "text"]


def _write_a_batch(live: LiveText) -> None:
    live.take(Delta("thinking", "Hm."))
    live.take(Delta("text", "Yes."))
    live.is_over()
