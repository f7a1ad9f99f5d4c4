"""What a durable round trip costs the whole running product, asked for over `/v0`: the CPU of all its processes.

    python -m benchmarks.round_trip_rest [times]

A message, its proposal, the approval and the final text: two requests to a running `up`. The model is a process of its
own. What the product takes while it idles for as long is subtracted. Bare are the same two model calls by litellm.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.instruments.model_server import proposing_model
from benchmarks.round_trip import MODEL, WARM_UP, bare_calls, measure
from tests import scripts
from tests.product import Product

IDLE_SECONDS = 10.0
PREPARE = f"""{scripts.PEOPLE}
from accounts.services import tokens
from documents.models import Document
document = Document.objects.create(
    organization=actor.organization, name="x.pdf", sha256="0" * 64, size=1, media_type="application/pdf", file="x",
    state="ocr_completed",
)
_, secret = tokens.create(user, name="benchmark", organization=actor.organization)
print(actor.organization.pk, document.pk, secret)
"""


class Client:
    def __init__(self, product: Product, chat: str, secret: str) -> None:
        self.connection = http.client.HTTPConnection("localhost", product.port, timeout=120)
        self.chat, self.headers = chat, {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        self.connection.request("POST", f"{self.chat}{path}", json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            sys.exit(f"{answer.status}: {text.decode()[:500]}")
        return dict(json.loads(text))

    def make_trip(self) -> None:
        paused = self.post("", {"messages": [{"role": "user", "content": "Make a schema"}]})
        approvals = [{"call_id": call["id"], "approved": True} for call in paused["tool_calls"]]
        done = self.post("/approve", {"turn_id": paused["turn_id"], "approvals": approvals})
        assert done["text"].startswith("Done"), done


def main(times: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="docrouter-trips-"))
    with proposing_model() as address:
        names = {"MODEL_API_BASE": address, "DEFAULT_MODEL": MODEL, "MONTHLY_BUDGET_USD": "100000"}
        product = Product(folder, names).start()
        try:
            product.wait_until(product.is_ready, "the workers")
            organization, document, secret = product.run("-c", PREPARE).stdout.split()
            client = Client(product, f"/v0/orgs/{organization}/documents/{document}/chat", secret)
            bare = bare_calls(address)
            for _ in range(WARM_UP):
                client.make_trip()
                bare()
            report(product, client, [measure(bare).cpu for _ in range(times)], times)
        finally:
            product.stop()
            shutil.rmtree(folder, ignore_errors=True)


def report(product: Product, client: Client, bare: list[float], times: int) -> None:
    idle_before = count_cpu(product)
    time.sleep(IDLE_SECONDS)
    idle_rate = sum(took(product, idle_before).values()) / IDLE_SECONDS
    before, clocks = count_cpu(product), []
    for _ in range(times):
        began = time.perf_counter()
        client.make_trip()
        clocks.append(time.perf_counter() - began)
    spent = took(product, before)
    each = (sum(spent.values()) - idle_rate * sum(clocks)) / times * 1000
    print(f"{times} round trips over REST, clock median {median(clocks) * 1000:.0f} ms")
    print(f"  bare calls {median(bare):6.1f} ms of CPU")
    print(f"  product    {each:6.1f} ms of CPU in all its processes, {each / median(bare):.2f} × bare")
    for command, seconds in sorted(spent.items(), key=lambda item: -item[1])[:6]:
        print(f"    {seconds / times * 1000:6.1f} ms  {command}")


def count_cpu(product: Product) -> dict[int, tuple[str, float]]:
    return {pid: (command, read_cpu(pid)) for pid, command in product.pids().items()}


def took(product: Product, before: dict[int, tuple[str, float]]) -> dict[str, float]:
    """Seconds of CPU by process since then; a process that began meanwhile counts whole."""
    now = count_cpu(product)
    return {
        f"{pid} {command.partition('manage.py ')[2] or command.split()[0]}": cpu - before.get(pid, ("", 0.0))[1]
        for pid, (command, cpu) in now.items()
        if command
    }


def read_cpu(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
