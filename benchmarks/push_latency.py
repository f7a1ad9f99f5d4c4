"""From a worker to an open page: a process publishes, a WebSocket client of a running `up` takes the time."""

from __future__ import annotations

import asyncio
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from websockets.asyncio.client import connect

from tests import scripts
from tests.product import ROOT, Product

EVENTS = 300
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
    time.sleep(0.02)
"""


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="docrouter-push-"))
    product = Product(folder).start()
    try:
        answer = product.run("-c", SIGN_IN)
        if answer.returncode:
            sys.exit(answer.stderr)
        organization, session = answer.stdout.split()
        delays = asyncio.run(measure(product, organization, session))
    finally:
        product.stop()
        shutil.rmtree(folder, ignore_errors=True)
    p95 = statistics.quantiles(delays, n=20)[-1]
    print(f"worker to browser, {len(delays)} events: p50 {statistics.median(delays):.1f} ms, p95 {p95:.1f} ms")


async def measure(product: Product, organization: str, session: str) -> list[float]:
    """Milliseconds of each event that arrived."""
    address = f"ws://localhost:{product.port}/ws/orgs/{organization}"
    headers = {"Cookie": f"sessionid={session}"}
    async with connect(address, additional_headers=headers, origin=product.url) as socket:
        command = [sys.executable, "-c", PUBLISH, organization, str(EVENTS)]
        publisher = subprocess.Popen(command, cwd=ROOT, env=product.variables())
        try:
            delays: list[float] = []
            while len(delays) < EVENTS:
                event = json.loads(await asyncio.wait_for(socket.recv(), 30))
                if event.get("kind") == "benchmark":
                    delays.append((time.time() - event["sent"]) * 1000)
            return delays
        finally:
            publisher.wait(10)


if __name__ == "__main__":
    main()
