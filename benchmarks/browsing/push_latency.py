"""From a worker to open pages: a process publishes, WebSocket clients of a running `up` take the time.

    python -m benchmarks.browsing.push_latency [sockets]

Once with one open page, once with that many of the same organization, each of which gets every event.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.instruments.processes import measure_costs
from tests import scripts
from tests.product import ROOT, Product

SIGN_IN = f"""{scripts.PEOPLE}
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
session = SessionStore()
session[SESSION_KEY] = user.pk
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
print(actor.organization.pk, session.session_key)
"""
PUBLISH = f"""{scripts.START}
import sys, time
from kit import events
for number in range(int(sys.argv[2])):
    events.send_now(events.organization_group(sys.argv[1]), {{"kind": "benchmark", "sent": time.time()}})
    time.sleep(float(sys.argv[3]))
"""


def main(sockets: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="docrouter-push-"))
    product = Product(folder).start()
    try:
        answer = product.run("-c", SIGN_IN)
        if answer.returncode:
            sys.exit(answer.stderr)
        organization, session = answer.stdout.split()
        for number, events, pause in ((1, 300, 0.02), (sockets, 30, 1.0)):
            before = sum(cost.cpu_seconds for cost in measure_costs(product).values())
            delays = asyncio.run(measure(product, organization, session, number, events, pause))
            spent = sum(cost.cpu_seconds for cost in measure_costs(product).values()) - before
            report(number, events, delays, spent)
    finally:
        product.stop()
        shutil.rmtree(folder, ignore_errors=True)


def report(sockets: int, events: int, delays: list[float], spent: float) -> None:
    p95 = statistics.quantiles(delays, n=20)[-1]
    print(
        f"worker to browser, {events} events to {sockets} sockets: p50 {statistics.median(delays):.1f} ms, "
        f"p95 {p95:.1f} ms, {spent / events * 1000:.1f} ms of CPU an event"
    )


async def measure(
    product: Product, organization: str, session: str, sockets: int, events: int, pause: float
) -> list[float]:
    """Milliseconds of each event that arrived at each socket."""
    address = f"ws://localhost:{product.port}/ws/orgs/{organization}"
    headers = {"Cookie": f"sessionid={session}"}
    async with AsyncExitStack() as stack:
        opened = [
            await stack.enter_async_context(connect(address, additional_headers=headers, origin=product.url))
            for _ in range(sockets)
        ]
        command = [sys.executable, "-c", PUBLISH, organization, str(events), str(pause)]
        publisher = subprocess.Popen(command, cwd=ROOT, env=product.variables())
        try:
            delays = await asyncio.gather(*(listen(socket, events) for socket in opened))
        finally:
            publisher.wait(10)
    return [delay for one in delays for delay in one]


async def listen(socket: ClientConnection, events: int) -> list[float]:
    delays: list[float] = []
    while len(delays) < events:
        event = json.loads(await asyncio.wait_for(socket.recv(), 60))
        if event.get("kind") == "benchmark":
            delays.append((time.time() - event["sent"]) * 1000)
    return delays


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
