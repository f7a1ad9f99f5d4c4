"""A burst of requests takes no more of PostgreSQL's connections than one process may have."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Organization
from kit.http.failures import BUSY
from tests.locks import set_wait

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


OF_CLIENTS = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
"""  # the server's own workers, autovacuum among them, come and go


def count_connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute(OF_CLIENTS)
        return int(cursor.fetchone()[0])


def test_who_comes_beyond_the_bound_waits_for_a_connection_and_gets_one(settings: Any) -> None:
    maximum = settings.MAX_DATABASE_CONNECTIONS
    everybody_has_one, go_on = threading.Event(), threading.Event()
    connection.ensure_connection()  # whatever the test before has left: an idle thread's stands in for one of a holder

    def hold(_: int) -> None:
        Organization.objects.exists()
        go_on.wait(60)
        connection.close()

    def ask() -> int:
        everybody_has_one.wait(60)
        try:
            return Organization.objects.count()
        finally:
            connection.close()

    with ThreadPoolExecutor(maximum + 4) as pool, ExitStack() as stack:
        stack.callback(go_on.set)
        for number in range(maximum - 1):  # and ours
            pool.submit(hold, number)
        deadline = time.monotonic() + 120
        while count_connections() < maximum and time.monotonic() < deadline:
            time.sleep(0.01)
        later = [pool.submit(ask) for _ in range(5)]
        everybody_has_one.set()
        time.sleep(0.1)
        assert count_connections() == maximum
        assert not any(each.done() for each in later)
        go_on.set()
        assert [each.result(60) for each in later] == [0] * 5


def test_a_thread_that_ends_without_closing_its_connection_gives_the_place_back(settings: Any) -> None:
    before = count_connections()
    for _ in range(2 * settings.MAX_DATABASE_CONNECTIONS):
        thread = threading.Thread(target=Organization.objects.exists)
        thread.start()
        thread.join()
    del thread
    deadline = time.monotonic() + 120  # the server notices the end of a connection a moment later
    while count_connections() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert count_connections() == before


def test_a_page_whose_asker_cannot_be_read_in_time_is_503(client: Client, actor: Actor) -> None:
    client.force_login(actor.user)
    url = reverse("documents", args=[actor.organization.pk])
    with psycopg.connect(**_address()) as other:
        other.execute("LOCK TABLE django_session IN ACCESS EXCLUSIVE MODE")
        set_wait(30)
        answer = client.get(url)
        set_wait(20_000)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert BUSY in answer.content.decode()


def _address() -> dict[str, Any]:
    given = connection.settings_dict
    return {"host": given["HOST"], "port": given["PORT"], "user": given["USER"], "dbname": given["NAME"]}
