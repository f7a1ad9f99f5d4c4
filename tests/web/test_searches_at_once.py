"""Many searches at the same moment over the real web process."""

from __future__ import annotations

import os
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from http.client import HTTPConnection
from threading import Barrier
from typing import NamedTuple
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from tests.documents.find.searches import add_document
from tests.open_files import list_open_files
from tests.web_process import WebProcess

pytestmark = pytest.mark.django_db(transaction=True)
SEARCHES, SECONDS = 50, 120
# Cheap and dear ones, and what no search is made of.
QUERIES = (
    "gasket{0}",
    '"acme gasket{0}"',
    "gaskte{0} acme",
    "ga*",
    "acme -gasket{0}",
    "total >",
    '"acme',
    "-*",
    "tag:",
)
OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


class Answer(NamedTuple):
    status: int
    text: str


def test_fifty_searches_at_once_are_all_answered_and_so_is_another_page(
    web: WebProcess, actor: Actor, stranger: Actor
) -> None:
    for at in range(SEARCHES // len(QUERIES) + 1):
        add_document(actor.organization, [f"ACME gasket{at}"], name=f"ours-{at}.pdf")
    add_document(stranger.organization, ["ACME gasket0"], name="theirs.pdf")
    cookie = sign_in(actor)
    search = reverse("search", args=[actor.organization.pk])
    queries = [QUERIES[at % len(QUERIES)].format(at // len(QUERIES)) for at in range(SEARCHES)]
    paths = [f"{search}?q={quote(query)}" for query in queries]
    paths.append(reverse("documents", args=[actor.organization.pk]))
    before = count_connections(web)
    together = Barrier(len(paths), timeout=SECONDS)

    def ask(path: str) -> Answer:
        together.wait()
        answer = get(web, path, cookie)
        for _ in range(5):  # who is told to come again, on a machine so slow that no connection was free for 20 s
            answer = get(web, path, cookie) if answer.status == 503 else answer
        return answer

    with ThreadPoolExecutor(len(paths)) as pool:
        pending = [pool.submit(ask, path) for path in paths]
        most = count_most_connections(web, pending)
    answers = [each.result() for each in pending]
    assert [answer.status for answer in answers] == [200] * len(paths)
    assert [f"ours-{at // len(QUERIES)}.pdf" in answers[at].text for at in range(0, SEARCHES, len(QUERIES))] == [
        True
    ] * 6
    assert not any("theirs.pdf" in answer.text for answer in answers)
    assert most - before <= (settings.MAX_DATABASE_CONNECTIONS if connection.vendor == "postgresql" else len(paths))
    wait_until_closed(web, before)


def sign_in(actor: Actor) -> str:
    browser = Client()
    browser.force_login(actor.user)
    return f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"


def get(web: WebProcess, path: str, cookie: str) -> Answer:
    client = HTTPConnection("localhost", web.port, timeout=SECONDS)
    try:
        # As htmx does: a page alone redirects to the form of the query that is kept.
        client.request("GET", path, headers={"Cookie": cookie, "HX-Request": "true"})
        answer = client.getresponse()
        return Answer(answer.status, answer.read().decode())
    finally:
        client.close()


def count_most_connections(web: WebProcess, pending: list[Future[Answer]]) -> int:
    """To the database, until all are answered. PostgreSQL lists a connection for a moment after its client has closed
    it, so that what one look alone sees does not count.
    """
    most, looks = 0, deque[int](maxlen=3)
    while not all(each.done() for each in pending):
        looks.append(count_connections(web))
        most = max(most, min(looks))
        time.sleep(0.01)
    return most


def wait_until_closed(web: WebProcess, number: int) -> None:
    deadline = time.monotonic() + SECONDS
    while count_connections(web) > number:
        assert time.monotonic() < deadline, "connections stayed open"
        time.sleep(0.01)


def count_connections(web: WebProcess) -> int:
    if connection.vendor != "postgresql":
        file = os.path.realpath(connection.settings_dict["NAME"])
        return list_open_files(web.process.pid).count(file)
    with connection.cursor() as cursor:
        cursor.execute(OTHERS)
        return int(cursor.fetchone()[0])
