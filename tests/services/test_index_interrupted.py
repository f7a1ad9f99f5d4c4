"""Two workers index the same documents, and PostgreSQL ends their connections at random moments."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from accounts.actor import Actor
from documents.index.words.indexing import index_waiting
from documents.models import Reading
from tests.documents.find.moving_documents import MovingDocuments, check_index

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
SEED = 20261123
MAX_SECONDS = 600


def test_an_index_that_is_interrupted_again_and_again_ends_whole(actor: Actor, stranger: Actor) -> None:
    documents = MovingDocuments((actor, stranger), seed=SEED, number=30, changes=40)
    pause = 0.03
    workers, done, began = dict[int, int](), Event(), time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        indexers = [pool.submit(index_until, done, number, workers) for number in range(2)]
        try:
            while documents.count_left() and not any(each.done() for each in indexers):
                assert time.monotonic() - began < MAX_SECONDS
                documents.change_some(2)
                end_connections(list(workers.values()), documents.chance)
                time.sleep(pause)
                # On a busy machine no document is done in a life that short, however often it is tried.
                pause *= 1.05
        finally:
            done.set()
        ended = sum(each.result() for each in indexers)
    print(f"{ended} interruptions; {dict(documents.counts)}")
    assert ended >= 2 and not documents.count_left()
    check_index(actor, stranger)
    check_index(stranger, actor)


def index_until(done: Event, number: int, workers: dict[int, int]) -> int:
    """How often it lost its connection. `workers` says which process of the server has that of each."""
    ended = 0
    while not done.is_set():
        try:
            connection.ensure_connection()
            workers[number] = connection.connection.info.backend_pid
            index_waiting()
            time.sleep(0.01)
        except (OperationalError, InterfaceError):
            ended += 1
            connection.close()
            # All leases end, also that of whoever lives: what it writes has no effect then.
            Reading.objects.filter(indexing="working").update(indexing_lease_until=timezone.now())
    connection.close()
    return ended


def end_connections(processes: list[int], chance: random.Random) -> None:
    with connection.cursor() as cursor:
        for process in processes:
            if chance.random() < 0.3:
                cursor.execute("SELECT pg_terminate_backend(%s)", [process])
