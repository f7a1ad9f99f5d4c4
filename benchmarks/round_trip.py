"""What durability costs: a whole round trip through rows against the two bare model calls that it contains.

    python -m benchmarks.round_trip [times] [--callers]

Durable: message → proposal saved → approval → execution → final text saved, with SQLite and Redis, in one process, as
the workers do it. Bare: the same two streamed calls with litellm alone. Both against the scripted model on loopback,
which is a process of its own, warm. CPU is this process's with all its threads; the ratio is of the medians.

Then what each part of a durable round takes, and the statements by table (with `--callers` by function); and the same
in threads that already hold 1, 20 and 60 rounds, beside bare calls that send the same messages: litellm walks through
each of them, and a round of ours must not cost more and more as a thread grows.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.apps import apps

from benchmarks.instruments import embedded

if not apps.ready:
    embedded.start()

from django.conf import settings

from accounts.access import enter
from accounts.actor import Actor
from accounts.services import organizations, users
from agent.calls import decisions, execution
from agent.conversation import messages, threads
from agent.conversation.model_input import context
from agent.models import Message, Thread, ToolCall, Turn
from agent.toolkit.registry import registry
from agent.turns import loop, turns
from benchmarks.instruments.model_server import make_format, proposing_model
from benchmarks.instruments.parts import Parts
from benchmarks.instruments.statements import StatementCount, statement_count
from documents.models import Document
from kit.ids import new_id
from llm.client.litellm_loader import litellm

Work = Callable[[], None]
MODEL = "openai/scripted"
# What is called by these names belongs to the part; what a part calls of another counts there.
PARTS = {
    "agent.turns.turns.start": "message",
    "agent.turns.turn_queue.claim_turn": "claim",
    "agent.calls.execution.claim_call": "claim",
    "agent.conversation.model_input.context.build_messages": "context",
    "agent.turns.loop.ask_model": "model call",
    "llm.money.spending.reserve": "budget",
    "llm.money.spending.book_cost": "budget",
    "agent.turns.turn_runner.record_round": "save",
    "agent.calls.decisions.decide": "approve",
    "agent.calls.execution.execute": "execute",
    "agent.turns.turn_queue.wake_next": "follow",
    "kit.jobs.send": "jobs sent",
    "kit.events.send_now": "events sent",
}
WARM_UP = 3


@dataclass(frozen=True)
class Spent:
    """Milliseconds of one piece of work: on the clock, and of CPU."""

    wall: float
    cpu: float


def main() -> None:
    wish = _read_wish()
    settings.MONTHLY_BUDGET_USD, settings.DEFAULT_MODEL, settings.EXTRACTION_MODEL = 100_000, MODEL, MODEL
    with proposing_model() as address:
        settings.MODEL_API_BASE = address
        bare, durable = time_in_turns(bare_calls(address), durable_round_trip(), wish.times)
        show_ratio(bare, durable, wish.times)
        show_statements(durable_round_trip(), by_caller=wish.callers)
        show_parts(durable_round_trip(), wish.times)
        show_growth(address, wish.times)


def _read_wish() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", type=int, nargs="?", default=40)
    parser.add_argument("--callers", action="store_true", help="each statement with the functions that asked for it")
    return parser.parse_args()


def show_ratio(bare: list[Spent], durable: list[Spent], times: int) -> None:
    print(f"milliseconds, median (95th percentile), {times} times")
    for name, spent in (("bare", bare), ("durable", durable)):
        print(f"  {name:8} clock {_describe([each.wall for each in spent])}   CPU {_describe([s.cpu for s in spent])}")
    wall, cpu = (
        median(getattr(each, name) for each in durable) / median(getattr(each, name) for each in bare)
        for name in ("wall", "cpu")
    )
    print(f"  ratio    clock {wall:6.2f} ×{'':17}CPU {cpu:6.2f} ×")


def _describe(milliseconds: list[float]) -> str:
    p95 = sorted(milliseconds)[int(len(milliseconds) * 0.95)]
    return f"{median(milliseconds):6.1f} ({p95:6.1f}) ms"


def show_statements(work: Work, *, by_caller: bool) -> None:
    work()
    with statement_count() as count:
        work()
    print(f"{count.total} statements, {count.kinds['BEGIN']} of them begin a transaction")
    print(f"  {_list_counts(count.kinds)}")
    tables = [f"{number} {kind} {table}" for (kind, table), number in count.tables.most_common() if table]
    print(f"  {', '.join(tables)}")
    if by_caller:
        _show_callers(count)


def _list_counts(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.most_common())


def _show_callers(count: StatementCount) -> None:
    for (kind, table, caller), number in sorted(count.callers.items(), key=lambda item: item[0][1]):
        print(f"  {number:3} {kind:9} {table:28} {caller}")


def show_parts(work: Work, times: int) -> None:
    """By the mean, so that the parts add up."""
    with statement_count() as count:

        def name_part(part: str) -> None:
            count.part = part

        parts = Parts(name_part)
        with parts.measure(PARTS):
            for _ in range(times):
                work()
    print("part         CPU ms  statements")
    for part, seconds in sorted(parts.seconds.items(), key=lambda item: -item[1]):
        print(f"  {part:11} {seconds * 1000 / times:5.1f} {count.parts[part] / times:11.1f}")


def show_growth(address: str, times: int) -> None:
    print("earlier rounds  CPU ms  × the first  bare, same messages  × bare  statements")
    first = 0.0
    for earlier in (1, 20, 60):
        spent, bare, statements, answer = measure_long_threads(address, earlier, times)
        first = first or spent
        figures = f"{spent:7.1f} {spent / first:12.2f} {bare:20.1f} {spent / bare:7.2f} {statements:11}"
        print(f"{earlier:14} {figures}  {answer}")


def measure_long_threads(address: str, earlier: int, times: int) -> tuple[float, float, int, str]:
    """Of round trips in threads with so many rounds behind them: median milliseconds of CPU, those of bare calls that
    send the same messages, statements, and what the model says last."""
    actor, document = a_person_with_a_document()
    counted = thread_with(actor, document, earlier)
    with statement_count() as count:
        round_trip(actor, counted)
    sent = context.build_messages(counted.turns.latest("number"), budget=settings.CONTEXT_TOKENS)
    bare = bare_calls(address, [dict(message) for message in sent[:-1]])  # without the final text
    waiting = [thread_with(actor, document, earlier) for _ in range(times)]
    pairs = [(measure(lambda thread=thread: round_trip(actor, thread)), measure(bare)) for thread in waiting]  # type: ignore[misc]
    answer = Message.objects.filter(thread=counted).latest("number").join_text()
    return median(ours.cpu for ours, _ in pairs), median(theirs.cpu for _, theirs in pairs), count.total, answer


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


def time_in_turns(first: Work, second: Work, times: int) -> tuple[list[Spent], list[Spent]]:
    """In turns, so that whatever else the machine does slows both alike."""
    for _ in range(WARM_UP):
        first()
        second()
    pairs = [(measure(first), measure(second)) for _ in range(times)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def measure(work: Work) -> Spent:
    clock, cpu = time.perf_counter(), time.process_time()
    work()
    return Spent((time.perf_counter() - clock) * 1000, (time.process_time() - cpu) * 1000)


def bare_calls(address: str, messages: list[dict[str, Any]] | None = None) -> Work:
    """Two calls: before a tool was called and after it. `messages` are those of the second, and short ones without."""
    sent = messages or make_short_messages()
    module, tools, runs = litellm(), [tool.schema() for tool in registry], asyncio.new_event_loop()

    async def one_call(messages: list[dict[str, Any]]) -> None:
        stream = await module.acompletion(
            model=MODEL,
            messages=messages,
            tools=tools,
            stream=True,
            api_base=address,
            api_key="none",
            max_retries=0,
            stream_options={"include_usage": True},
        )
        async for _ in stream:
            pass

    async def both() -> None:
        await one_call(sent[:-2])
        await one_call(sent)

    return lambda: runs.run_until_complete(both())


def make_short_messages() -> list[dict[str, Any]]:
    asked = {"name": "create_schema", "arguments": str(make_format("a"))}
    call = {"id": "123456789", "type": "function", "function": asked}
    return [
        {"role": "system", "content": "You help."},
        {"role": "user", "content": "Make a schema"},
        {"role": "assistant", "content": "I propose this.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "123456789", "content": "{}"},
    ]


def durable_round_trip() -> Work:
    actor, document = a_person_with_a_document()
    return lambda: round_trip(actor, threads.create(actor, document=document))


def round_trip(actor: Actor, thread: Thread) -> None:
    turn = turns.start(actor, thread=thread, text="Make a schema")
    loop.run_round(turn.pk, holder="benchmark")
    joined = ("thread__owner", "thread__organization", "thread__document", "turn")  # as the routes do
    call = ToolCall.objects.select_related(*joined).get(turn=turn)
    decisions.decide(
        actor,
        call=call,
        kind="approved",
        version=call.version,
        shown_hash=call.shown_hash,
        idempotency_key=new_id(),
    )
    execution.execute(call.pk, holder="benchmark")
    loop.run_round(turn.pk, holder="benchmark")
    assert Turn.objects.get(pk=turn.pk).status == "completed"


if __name__ == "__main__":
    main()
