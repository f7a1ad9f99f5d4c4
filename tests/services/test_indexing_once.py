"""Several workers and wake-ups without end: each page is written to the index once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from documents.index.words import indexing
from documents.models import INDEXING_LEASE, IndexedPage, Reading
from tests.documents.reading_rows import document_with

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
WORKERS = 4


def count_written() -> int:
    """All that were ever inserted, those of transactions that rolled back too."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT last_value, is_called FROM documents_indexedpage_id_seq")
        last, is_called = cursor.fetchone()
    return int(last) if is_called else int(last) - 1


def index_whatever_wakes(keys: list[str]) -> None:
    for key in keys:
        indexing.index_reading(key)
    connection.close()


def work(keys: list[str]) -> None:
    with ThreadPoolExecutor(WORKERS) as pool:
        for each in [pool.submit(index_whatever_wakes, keys * 3) for _ in range(WORKERS)]:
            each.result()


def test_a_thousand_pages_are_inserted_once_by_several_workers(actor: Actor) -> None:
    for number in range(4):
        document_with(actor.organization, *[[f"page{number}x{page} gasket"] for page in range(250)])
    before = count_written()
    work(list(indexing.list_waiting().values_list("pk", flat=True)))
    assert count_written() - before == IndexedPage.objects.count() == 1000
    assert not indexing.list_unindexed().exists()


def test_what_a_worker_died_over_is_taken_over_and_inserted_once(actor: Actor) -> None:
    document_with(actor.organization, *[[f"page{page}"] for page in range(50)])
    reading = Reading.objects.get()
    assert INDEXING_LEASE.claim(reading)
    before = count_written()
    work([reading.pk])
    assert count_written() == before
    Reading.objects.update(indexing_lease_until=timezone.now())
    indexing.wake_indexing()
    work([reading.pk])
    assert count_written() - before == IndexedPage.objects.count() == 50
