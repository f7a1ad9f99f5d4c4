"""What durability costs: a whole round trip through rows against the two bare model calls that it contains.

    python -m benchmarks.round_trip [times]

Durable: message → proposal saved → approval → execution → final text saved, with SQLite and Redis, in one process, as
the workers do it. Bare: the same two streamed calls with litellm alone. Both against the scripted server on loopback,
warm; the ratio is of the medians.

Then the same in threads that already hold 1, 20 and 60 rounds, with the seconds of work (CPU) beside those on the
clock, and with the messages that the model was sent: a round must not cost more and more as a thread grows.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from django.apps import apps

from benchmarks import embedded

if not apps.ready:
    embedded.start()

from django.conf import settings

from accounts.access import enter
from accounts.actor import Actor
from accounts.services import organizations, users
from agent.calls import decisions, execution
from agent.conversation import messages, threads
from agent.models import Thread, ToolCall, Turn
from agent.toolkit.registry import registry
from agent.turns import loop, turns
from documents.backends.llm.litellm_loader import litellm
from documents.models import Document
from kit.ids import new_id
from tests.scripted_model import Reply, ScriptedModel, calls, says

Work = Callable[[], None]
INNER = {"type": "object", "properties": {"a": {"type": "string", "description": "A."}}, "required": ["a"]}
FORMAT = {"type": "json_schema", "json_schema": {"name": "a", "schema": INNER}}


def main(times: int) -> None:
    model = ScriptedModel()
    model.start()
    settings.MODEL_API_BASE, settings.MONTHLY_BUDGET_USD = model.base_url, 100_000
    settings.DEFAULT_MODEL = settings.EXTRACTION_MODEL = model.model
    timings = {"bare": time_work(bare_calls(model), times), "durable": time_work(durable_round_trip(model), times)}
    for name, seconds in timings.items():
        p95 = sorted(seconds)[int(len(seconds) * 0.95)]
        print(f"{name:8} median {median(seconds) * 1000:6.1f} ms   p95 {p95 * 1000:6.1f} ms   ({times} times)")
    print(f"ratio    {median(timings['durable']) / median(timings['bare']):6.2f}")
    first = 0.0
    for earlier in (1, 20, 60):
        worked = measure_long_threads(model, earlier, times)
        first = first or worked
        sent = f"{len(model.requests[-1]['messages'])} messages sent"
        print(f"{earlier:3} earlier rounds: {worked * 1000:6.1f} ms of work, {worked / first:.2f} × the first, {sent}")
    model.stop()


def measure_long_threads(model: ScriptedModel, earlier: int, times: int) -> float:
    """Median seconds of CPU of one round trip in threads with so many rounds behind them."""
    actor, document = a_person_with_a_document()
    waiting = [thread_with(actor, document, earlier) for _ in range(times)]
    spent = []
    for thread in waiting:
        began = time.process_time()
        round_trip(model, actor, thread)
        spent.append(time.process_time() - began)
    return median(spent)


def thread_with(actor: Actor, document: Document, rounds: int) -> Thread:
    """Each round: a request, a call with a result of 1,500 characters, and an answer of 500."""
    thread = threads.create(actor, document=document)
    turn = Turn.objects.create(
        thread=thread, number=1, model="none", max_rounds=1, limit_micros=1, status="completed", code_version="0"
    )
    for number in range(rounds):
        messages.write(turn, role="user", blocks=[{"type": "text", "text": f"Look at item {number}"}])
        message = messages.write(turn, role="assistant", blocks=[{"type": "text", "text": "I look."}])
        ToolCall.objects.create(
            thread=thread,
            turn=turn,
            message=message,
            round=number,
            position=0,
            wire_id=f"{number:09}",
            tool="get_tag",
            proposed_text="{}",
            effective={},
            status="succeeded",
            result={"found": "x" * 1500},
        )
        messages.write(turn, role="assistant", blocks=[{"type": "text", "text": "It is so. " * 50}])
    return thread


def a_person_with_a_document() -> tuple[Actor, Document]:
    person = users.create(None, email=f"{new_id()}@example.org", password=None, name="A")
    actor = enter(person, organizations.create(person, name=new_id(), type="team").pk)
    document = Document.objects.create(
        organization=actor.organization, name="x.pdf", sha256="0" * 64, size=1, media_type="application/pdf", file="x"
    )
    return actor, document


def time_work(work: Work, times: int) -> list[float]:
    for _ in range(3):
        work()
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return seconds


def proposal() -> Reply:
    call = ("create_schema", {"name": f"Schema {new_id()}", "response_format": FORMAT})
    return calls(call, text="I propose this.")


def bare_calls(model: ScriptedModel) -> Work:
    module, tools, runs = litellm(), [tool.schema() for tool in registry], asyncio.new_event_loop()

    async def one_call(messages: list[dict[str, Any]]) -> None:
        stream = await module.acompletion(
            model=model.model,
            messages=messages,
            tools=tools,
            stream=True,
            api_base=model.base_url,
            api_key="none",
            max_retries=0,
            stream_options={"include_usage": True},
        )
        async for _ in stream:
            pass

    async def both() -> None:
        messages = [{"role": "system", "content": "You help."}, {"role": "user", "content": "Make a schema"}]
        await one_call(messages)
        await one_call([*messages, {"role": "assistant", "content": "I propose."}, {"role": "user", "content": "Go"}])

    def work() -> None:
        model.will(proposal(), says("Done."))
        runs.run_until_complete(both())

    return work


def durable_round_trip(model: ScriptedModel) -> Work:
    actor, document = a_person_with_a_document()
    return lambda: round_trip(model, actor, threads.create(actor, document=document))


def round_trip(model: ScriptedModel, actor: Actor, thread: Thread) -> None:
    model.will(proposal(), says("Done."))
    turn = turns.start(actor, thread=thread, text="Make a schema")
    loop.run_round(turn.pk, holder="benchmark")
    call = ToolCall.objects.get(turn=turn)
    preconditions = {"version": call.version, "shown_hash": call.shown_hash, "idempotency_key": new_id()}
    decisions.decide(actor, call=call, kind="approved", **preconditions)
    execution.execute(call.pk, holder="benchmark")
    loop.run_round(turn.pk, holder="benchmark")
    assert Turn.objects.get(pk=turn.pk).status == "completed"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
