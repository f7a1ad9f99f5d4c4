"""A tool over MCP beside the same question over /v0, and a hundred clients of both eras and two organizations at once.

`python -m benchmarks.mcp_clients`. CPU is that of the web process alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests import scripts
from tests.product import Product

TRIPS, CLIENTS, CALLS_EACH = 100, 100, 5
NAMES = ("acme", "other")
ROWS = f"""{scripts.START}
import json
from django.core.files.base import ContentFile
from accounts.access import enter
from accounts.services import organizations, tokens, users
from documents.intake import uploads
rows = []
for name in {NAMES!r}:
    user = users.create(None, email=name + "@mcp.example", password=None, name="Ada")
    organization = organizations.create(user, name=name, type="team")
    for number in range(20):
        uploads.store(enter(user, organization.pk), name=f"{{name}} {{number}}.txt", content=ContentFile(name.encode()))
    rows.append([organization.pk, tokens.create(user, name="T", organization=organization)[1]])
print(json.dumps(rows))
"""


def read_cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_memory(pid: int) -> float:
    """Resident, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def time_trips(ask: Callable[[], Awaitable[Any]], pid: int) -> tuple[float, float]:
    """(median milliseconds of the clock, milliseconds of CPU a trip)."""
    await ask()
    begun, clocks = read_cpu(pid), []
    for _ in range(TRIPS):
        start = time.perf_counter()
        await ask()
        clocks.append(time.perf_counter() - start)
    return statistics.median(clocks) * 1000, (read_cpu(pid) - begun) / TRIPS * 1000


async def compare(product: Product, organization: str, secret: str, pid: int) -> None:
    headers = {"Authorization": f"Bearer {secret}"}
    path = f"{product.url}/v0/orgs/{organization}/documents?limit=20"
    async with httpx.AsyncClient(headers=headers) as rest:
        rows = {"/v0": await time_trips(lambda: rest.get(path), pid)}
    for mode in ("auto", "legacy"):
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(f"{product.url}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:  # type: ignore[arg-type]
                rows[f"MCP, {mode}"] = await time_trips(lambda: client.call_tool("list_documents", {"limit": 20}), pid)
    for name, (clock, cpu) in rows.items():
        print(f"{name:12} {clock:7.1f} ms, {cpu:6.1f} ms of CPU, {clock / rows['/v0'][0]:.1f} times /v0")


async def ask_as(product: Product, name: str, secret: str, mode: str) -> tuple[int, int]:
    """(errors, names of documents that are another organization's)."""
    errors = foreign = 0
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {secret}"}, timeout=120) as http:
        transport = streamable_http_client(f"{product.url}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:  # type: ignore[arg-type]
            for number in range(CALLS_EACH):
                answer = await client.call_tool("list_documents", {"limit": 20})
                listed = answer.structured_content.get("documents", [])
                errors += answer.is_error or len(listed) != 20
                foreign += sum(not row["document_name"].startswith(name) for row in listed)
                if number == 0:
                    made = await client.call_tool("create_tag", {"name": f"{mode} tag"})
                    errors += made.is_error
    return errors, foreign


async def crowd(product: Product, rows: list[list[str]], pid: int) -> None:
    begun, start = read_cpu(pid), time.perf_counter()
    asked = [
        ask_as(product, NAMES[at % 2], rows[at % 2][1], "auto" if at % 4 < 2 else "legacy") for at in range(CLIENTS)
    ]
    counts = await asyncio.gather(*asked)
    errors, foreign = (sum(each) for each in zip(*counts, strict=True))
    tags = product.query("SELECT count(*) FROM agent_toolcall WHERE tool = 'create_tag'")[0][0]
    seconds, cpu = time.perf_counter() - start, read_cpu(pid) - begun
    print(
        f"{CLIENTS} clients at once: {errors} errors, {foreign} foreign names, {tags} cards of {CLIENTS} same requests"
    )
    print(f"{seconds:.1f} s, {cpu:.1f} s of CPU; web process {read_memory(pid):.0f} MB")


def main() -> None:
    limits = {"API_RATE_LIMIT": "0", "API_ADDRESS_RATE_LIMIT": "0", "MCP_WAIT_SECONDS": "0"}
    with TemporaryDirectory() as folder:
        product = Product(Path(folder), limits).start()
        try:
            product.wait_until(product.is_ready, "the workers")
            run = product.run("-c", ROWS)
            rows = json.loads(run.stdout.splitlines()[-1])
            pid = product.pid_of("web")
            print(f"web process before the first request over MCP: {read_memory(pid):.0f} MB")
            asyncio.run(compare(product, *rows[0], pid))
            print(f"after it: {read_memory(pid):.0f} MB")
            asyncio.run(crowd(product, rows, pid))
        finally:
            product.stop()


if __name__ == "__main__":
    main()
