"""One database of `at_size`, in a process of its own: seeds it, then makes the calls whose names come in.

Lines in: `<call>` to measure it, `!<call>` to measure it with all remembered counts forgotten. Lines out: JSON.
"""

from __future__ import annotations

import json
import sys
import time
from io import StringIO
from typing import Any

from django.apps import apps
from django.core.management import call_command

from benchmarks.instruments import embedded

if not apps.ready:
    embedded.start(database_url=sys.argv[1])

from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Organization, User
from accounts.services import tokens, users
from benchmarks.growth.at_size_calls import Call, calls_for
from documents.models import Document


def main(documents: int, prompt_revisions: int, tags: int) -> None:
    person = User.objects.first() or users.create(
        None, email="a@example.org", password=None, name="A", is_superuser=True
    )
    began, seeded = time.perf_counter(), not Document.objects.exists()
    if seeded:
        call_command("seed_demo", documents=documents, prompts_revisions=prompt_revisions, tags=tags, stdout=StringIO())
    seconds = time.perf_counter() - began
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # As autovacuum does within a minute.
    organization = Organization.objects.get(name="Demo")
    _, secret = tokens.create(person, name="benchmark", organization=organization)
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    calls = calls_for(organization)
    tell(
        {
            "seconds": seconds if seeded else None,
            "facts": [describe_call(name, call, client, secret) for name, call in calls.items()],
        }
    )
    for line in sys.stdin:
        name = line.strip()
        if name.startswith("!"):
            cache.clear()
        tell(time_call(client, calls[name.removeprefix("!")], secret))


def describe_call(name: str, call: Call, client: Client, secret: str) -> dict[str, Any]:
    """Warms the call up; how many queries it makes, and how many rows match when the answer says so."""
    for _ in range(2):
        answer = send_call(client, call, secret)
        if answer.status_code != 200:
            sys.exit(f"{name}: {answer.status_code} {answer.headers} {answer.content[:500]!r}")
    with CaptureQueriesContext(connection) as queries:
        send_call(client, call, secret)
    is_json = answer.headers["Content-Type"].startswith("application/json")
    return {"name": name, "queries": len(queries), "matches": answer.json()["total_count"] if is_json else None}


def time_call(client: Client, call: Call, secret: str) -> float:
    began = time.perf_counter()
    send_call(client, call, secret)
    return (time.perf_counter() - began) * 1000


def send_call(client: Client, call: Call, secret: str) -> Any:
    headers = {"HX-Request": "true"} if call.htmx else {}
    if call.path.startswith("/v0"):
        headers["Authorization"] = f"Bearer {secret}"
    return client.get(call.path, call.query, headers=headers)


def tell(value: object) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[2:5]))
