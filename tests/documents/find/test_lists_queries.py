"""Every call that the benchmark of lists makes asks the database a fixed number of times, however many rows it shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from accounts.models import User
from accounts.services import tokens
from benchmarks.growth.at_size_calls import Call, calls_for
from documents.management import demo

pytestmark = pytest.mark.flows

# A query for each row of a page, ten at least, would be beyond these.
MAX_QUERIES = {"api": 9, "page": 25, "columns": 32, "admin": 9}
EXCEPT = "page document"  # Its queries are those of one document; tests of its own count them.


@pytest.fixture
def count(client: Client, actor: Actor) -> Callable[[Call], int]:
    """`count(call)`: how many queries it makes."""
    User.objects.filter(pk=actor.user.pk).update(is_staff=True, is_superuser=True)
    client.force_login(actor.user)
    _, secret = tokens.create(actor.user, name="Test token", organization=actor.organization)

    def ask(call: Call) -> int:
        headers = {"HX-Request": "true"} if call.htmx else {}
        if call.path.startswith("/v0"):
            headers["Authorization"] = f"Bearer {secret}"
        client.get(call.path, call.query, headers=headers)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(call.path, call.query, headers=headers).status_code == 200
        return len(queries)

    return ask


def test_no_list_asks_the_database_for_each_row(actor: Actor, count: Callable[[Call], int]) -> None:
    for _ in demo.seed_rows(actor, documents=120, prompt_revisions=240, tags=60):
        pass
    calls = {name: call for name, call in calls_for(actor.organization).items() if name != EXCEPT}
    query_counts = {name: count(call) for name, call in calls.items()}
    assert {name: queries for name, queries in query_counts.items() if queries > MAX_QUERIES[_kind(name)]} == {}


def _kind(name: str) -> str:
    if "columns" in name:
        return "columns"  # Of each field it is asked once how its values are read.
    return "api" if ":" in name else name.split()[0]
