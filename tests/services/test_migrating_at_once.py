"""Two machines that start on one database at once."""

from __future__ import annotations

from threading import Thread
from time import monotonic, sleep

import pytest
from django.db import connection

from worker.supervision.preparation import lock_migrations, migrate

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
WAITING = """
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
"""


def test_one_migrates_and_the_other_waits_until_it_has() -> None:
    other = Thread(target=_migrate_in_a_thread)
    with lock_migrations():
        other.start()
        deadline = monotonic() + 120
        while not _count_waiting() and monotonic() < deadline:
            sleep(0.02)
        assert _count_waiting() == 1
    other.join(120)
    assert not other.is_alive()
    assert _count_waiting() == 0


def _migrate_in_a_thread() -> None:
    try:
        migrate(print)
    finally:
        connection.close()


def _count_waiting() -> int:
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return int(cursor.fetchone()[0])
