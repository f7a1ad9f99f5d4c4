"""Many turns at once on one agent worker: the time they take against the time their model calls take.

    python -m benchmarks.concurrent_turns [turns] [seconds a call]

Each turn has two rounds: the model looks at the document with a tool, then answers. The model server is a process of
its own and answers each call after so many seconds with a stream; `manage.py up` runs everything else. The ideal is
rounds × seconds, since the calls could all run at once. The second line is the way of a delta from the model server to
an open page of one of the threads.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Iterator

from websockets.asyncio.client import connect

from benchmarks.browsing.push_latency import SIGN_IN
from benchmarks.instruments.model_server import product_with_model, serve
from benchmarks.instruments.processes import measure_costs
from tests import scripts
from tests.product import ROOT, Product
from tests.scripted_model import Json, Reply, ScriptedModel, calls

ROUNDS = 2
START_TURNS = f"""{scripts.START}
import sys
from accounts.access import enter
from accounts.models import Organization
from agent.conversation import threads
from agent.turns import turns
from documents.models import Document
organization = Organization.objects.get(pk=sys.argv[1])
actor = enter(organization.memberships.get().user, organization.pk)
made = []
for number in range(int(sys.argv[2])):
    document = Document.objects.create(
        organization=organization, name=f"{{number}}.pdf", sha256="0", size=1, media_type="application/pdf", file="x"
    )
    made.append(threads.create(actor, document=document))
print(made[0].pk, flush=True)
sys.stdin.readline()
for thread in made:
    turns.start(actor, thread=thread, text="Look at it")
"""
WATCH = f"""{scripts.START}
import time
from agent.models import Turn
from django.db.models import Count
while Turn.objects.filter(status__in=["queued", "running", "awaiting_approval"]).exists():
    time.sleep(0.1)
print(time.time(), dict(Turn.objects.values_list("status").annotate(number=Count("pk"))), flush=True)
"""


class Stamped(tuple[Json, ...]):
    """Twenty chunks, each with the time at which it goes out."""

    def __iter__(self) -> Iterator[Json]:
        for _ in range(20):
            yield {"content": f"{time.time()} "}


class Slow(ScriptedModel):
    """Every call takes `seconds`: a tool first, then an answer of stamped chunks."""

    seconds = 2.0

    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        self.requests.append(body["messages"][-1])
        if body["messages"][-1]["role"] != "tool":
            return calls(("help_schemas", {})).after(self.seconds)
        return Reply(Stamped()).slowly(self.seconds / 20)


def main(turns: int, seconds: float) -> None:
    with product_with_model("benchmarks.concurrent_turns", "serve", str(seconds)) as product:
        organization, session = product.run("-c", SIGN_IN).stdout.split()
        before = measure_costs(product)
        took, delays, ended = asyncio.run(measure(product, organization, session, turns))
        worked = {pid: cost.cpu_seconds - before[pid].cpu_seconds for pid, cost in measure_costs(product).items()}
        names = {pid: before[pid].name for pid in worked}
    ideal = ROUNDS * seconds
    print(f"{turns} turns of {ROUNDS} calls of {seconds:g} s: {took:.1f} s, {took / ideal:.2f} × the ideal   {ended}")
    for pid, spent in worked.items():
        print(f"  {spent:6.2f} s of CPU   {names[pid]}")
    print(f"  {sum(worked.values()):6.2f} s of CPU together, {sum(worked.values()) / turns * 1000:.0f} ms a turn")
    p95 = statistics.quantiles(delays, n=20)[-1]
    print(f"model server to page, {len(delays)} deltas: p50 {statistics.median(delays):.0f} ms, p95 {p95:.0f} ms")


async def measure(product: Product, organization: str, session: str, turns: int) -> tuple[float, list[float], str]:
    """Seconds until the last turn ended, milliseconds of each delta of the first thread, and how the turns ended."""
    starting = await _process(product, START_TURNS, organization, str(turns))
    assert starting.stdin and starting.stdout
    thread = (await starting.stdout.readline()).decode().strip()
    address = f"ws://localhost:{product.port}/ws/orgs/{organization}?thread={thread}"
    headers = {"Cookie": f"sessionid={session}"}
    async with connect(address, additional_headers=headers, origin=product.url) as socket:
        listening = asyncio.create_task(_listen(socket))
        began = time.time()
        starting.stdin.write(b"go\n")
        await starting.wait()
        watching = await _process(product, WATCH)
        assert watching.stdout
        line = (await watching.stdout.readline()).decode()
        await watching.wait()
        listening.cancel()
    ended, _, counts = line.partition(" ")
    return float(ended) - began, await listening, counts.strip()


async def _listen(socket: object) -> list[float]:
    delays: list[float] = []
    try:
        async for message in socket:  # type: ignore[attr-defined]
            event = json.loads(message)
            if event.get("kind") == "delta":
                # The last stamp of a batch: what came before it waited for the batch.
                delays.append((time.time() - float(event["text"].split()[-1])) * 1000)
    except asyncio.CancelledError:
        pass
    return delays


async def _process(product: Product, code: str, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        code,
        *arguments,
        cwd=ROOT,
        env=product.variables(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        model = Slow()
        model.seconds = float(sys.argv[2])
        serve(model)
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 64, float(sys.argv[2]) if len(sys.argv) > 2 else 2.0)
