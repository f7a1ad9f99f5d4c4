"""From a worker to open pages: a process publishes, WebSocket clients of a running `up` take the time.

    python -m benchmarks.browsing.push_latency [sockets]

Once with one open page, once with that many of the same organization, each of which gets every event.
In the end a document is uploaded while they all listen: how long does another request wait meanwhile?
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

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from benchmarks.instruments.processes import measure_costs
from tests import scripts
from tests.product import ROOT, Product

POLLING_SECONDS = 15.0
# A person may have 40 sockets open: enough people for all of them.
SOCKETS_A_PERSON = 40
SIGN_IN = f"""{scripts.PEOPLE}
import sys
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from accounts.models import Role
from accounts.services import members, tokens
print(actor.organization.pk, tokens.create(user, name="x", organization=actor.organization)[1])
for number in range(int(sys.argv[1])):
    member = users.create(None, email=f"{{number}}@example.com", password=None)
    members.add(actor, user=member, role=Role.VIEWER)
    session = SessionStore()
    session[SESSION_KEY] = member.pk
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = member.get_session_auth_hash()
    session.save()
    print(session.session_key)
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
        answer = product.run("-c", SIGN_IN, str(-(-sockets // SOCKETS_A_PERSON)))
        if answer.returncode:
            sys.exit(answer.stderr)
        organization, token, *sessions = answer.stdout.split()
        for number, events, pause in ((1, 300, 0.02), (sockets, 30, 1.0)):
            before = sum(cost.cpu_seconds for cost in measure_costs(product).values())
            delays = asyncio.run(measure(product, organization, sessions, number, events, pause))
            spent = sum(cost.cpu_seconds for cost in measure_costs(product).values()) - before
            report(number, events, delays, spent)
        for number in (0, sockets):
            asyncio.run(measure_upload(product, organization, token, sessions, number))
    finally:
        product.stop()
        shutil.rmtree(folder, ignore_errors=True)


def report(sockets: int, events: int, delays: list[float], spent: float) -> None:
    p95 = statistics.quantiles(delays, n=20)[-1]
    print(
        f"worker to browser, {events} events to {sockets} sockets: p50 {statistics.median(delays):.1f} ms, "
        f"p95 {p95:.1f} ms, {spent / events * 1000:.1f} ms of CPU an event"
    )


async def open_sockets(
    stack: AsyncExitStack, product: Product, organization: str, sessions: list[str], sockets: int
) -> list[ClientConnection]:
    address = f"ws://localhost:{product.port}/ws/orgs/{organization}"
    opened = []
    for number in range(sockets):
        headers = {"Cookie": f"sessionid={sessions[number // SOCKETS_A_PERSON]}"}
        connecting = connect(address, additional_headers=headers, origin=Origin(product.url))
        opened.append(await stack.enter_async_context(connecting))
    return opened


async def measure(
    product: Product, organization: str, sessions: list[str], sockets: int, events: int, pause: float
) -> list[float]:
    """Milliseconds of each event that arrived at each socket."""
    async with AsyncExitStack() as stack:
        opened = await open_sockets(stack, product, organization, sessions, sockets)
        command = [sys.executable, "-c", PUBLISH, organization, str(events), str(pause)]
        publisher = subprocess.Popen(command, cwd=ROOT, env=product.variables())
        try:
            delays = await asyncio.gather(*(listen(socket, events) for socket in opened))
        finally:
            publisher.wait(10)
    return [delay for one in delays for delay in one]


async def measure_upload(product: Product, organization: str, token: str, sessions: list[str], sockets: int) -> None:
    """Time requests for /health from before an upload until it was read, with that many sockets told of it."""
    async with AsyncExitStack() as stack:
        opened = await open_sockets(stack, product, organization, sessions, sockets)
        told = [0] * sockets
        listening = [asyncio.create_task(count_events(socket, told, index)) for index, socket in enumerate(opened)]
        polling = asyncio.create_task(asyncio.to_thread(poll_health, product, time.monotonic() + POLLING_SECONDS))
        await asyncio.sleep(1)
        status = await asyncio.to_thread(upload, product, organization, token)
        delays = await polling
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
    events = f"{min(told, default=0)} to {max(told, default=0)}"
    print(
        f"an upload ({status}) told to {sockets} sockets, {events} events each: "
        f"/health p50 {statistics.median(delays):.1f} ms, at most {max(delays):.1f} ms of {len(delays)}"
    )


async def count_events(socket: ClientConnection, told: list[int], index: int) -> None:
    async for _message in socket:
        told[index] += 1


def poll_health(product: Product, until: float) -> list[float]:
    delays = []
    while time.monotonic() < until:
        started = time.monotonic()
        product.get("/health")
        delays.append((time.monotonic() - started) * 1000)
    return delays


def upload(product: Product, organization: str, token: str) -> int:
    files = {"file": ("note.txt", b"Total: 12.50 EUR")}
    address = f"{product.url}/v0/orgs/{organization}/documents/multipart"
    return httpx.post(address, headers={"Authorization": f"Bearer {token}"}, files=files, timeout=60).status_code


async def listen(socket: ClientConnection, events: int) -> list[float]:
    delays: list[float] = []
    while len(delays) < events:
        event = json.loads(await asyncio.wait_for(socket.recv(), 60))
        if event.get("kind") == "benchmark":
            delays.append((time.time() - event["sent"]) * 1000)
    return delays


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
