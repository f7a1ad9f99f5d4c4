"""One database of `at_size`, in a process of its own: seeds it, then makes the calls whose names come in.

Lines in: the name of a call to measure. Lines out: JSON.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from django.apps import apps
from django.core.management import call_command

from benchmarks.instruments import embedded

if not apps.ready:
    embedded.start(database_url=sys.argv[1])

from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Organization
from accounts.services import tokens, users
from benchmarks.growth.at_size_calls import Call, calls_for
from kit.static_files.collecting import collect_changed

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer


def main(documents: int, prompt_revisions: int, tags: int) -> None:
    person = users.create(None, email="a@example.org", password=None, name="A", is_superuser=True)
    call_command("seed_demo", documents=documents, prompts_revisions=prompt_revisions, tags=tags, stdout=StringIO())
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    collect_changed()
    organization = Organization.objects.get(name="Demo")
    _, secret = tokens.create(person, name="benchmark", organization=organization)
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    calls = calls_for(organization)
    tell([describe_call(name, call, client, secret) for name, call in calls.items()])
    # Do as the product does once it has started: what was made so far is not searched for garbage between two calls.
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        tell(measure_call(client, calls[line.strip()], secret))


def describe_call(name: str, call: Call, client: Client, secret: str) -> dict[str, object]:
    """Warm the call up, then count its queries, and the rows that match when the answer says so."""
    for _ in range(2):
        answer = send_call(client, call, secret)
        if answer.status_code != 200:
            sys.exit(f"{name}: {answer.status_code} {answer.headers} {answer.content[:500]!r}")
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        send_call(client, call, secret)
    is_json = answer.headers["Content-Type"].startswith("application/json")
    return {"name": name, "queries": len(queries), "matches": answer.json()["total_count"] if is_json else None}


def measure_call(client: Client, call: Call, secret: str) -> float:
    """Milliseconds of CPU with nothing remembered."""
    cache.clear()
    began = time.process_time() + read_server_seconds()
    send_call(client, call, secret)
    return (time.process_time() + read_server_seconds() - began) * 1000


def read_server_seconds() -> float:
    """CPU of the process of PostgreSQL that works for this connection; SQLite works in ours."""
    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    on_cpu = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text().split()[0]
    return int(on_cpu) / 1e9


def send_call(client: Client, call: Call, secret: str) -> Answer:
    headers = {"HX-Request": "true"} if call.htmx else {}
    if call.path.startswith("/v0"):
        headers["Authorization"] = f"Bearer {secret}"
    return client.get(call.path, call.query, headers=headers)


def tell(value: object) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[2:5]))
