"""Django's PostgreSQL backend with a bound: so many connections of one process at once, and who comes then waits.

A server grants 100 by default, to all processes together. Each request and each job has a connection of its own, so
without a bound a burst of one client's requests takes them all, and everybody else gets an error.
"""

from __future__ import annotations

import threading
import weakref

from django.conf import settings
from django.db.backends.postgresql import base
from psycopg import Connection
from psycopg.errors import LockNotAvailable

from kit.cleanup import on_failure

# As long as SQLite waits for another writer.
WAIT_SECONDS = 20.0
NONE_FREE = "No database connection was free in time."
_places = threading.BoundedSemaphore(settings.MAX_DATABASE_CONNECTIONS)


class DatabaseWrapper(base.DatabaseWrapper):
    _give_up: weakref.finalize[[Connection], threading.Thread] | None = None

    def get_new_connection(self, conn_params: dict[str, object]) -> Connection:
        """Raises LockNotAvailable, which pages and API answer with 503, when none is free in time."""
        if not _places.acquire(timeout=WAIT_SECONDS):
            raise LockNotAvailable(NONE_FREE)
        with on_failure(_places.release):
            connection: Connection = super().get_new_connection(conn_params)
        # A thread that ends without closing it would keep its place until some later garbage collection.
        self._give_up = weakref.finalize(threading.current_thread(), _give_up, connection)
        return connection

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # of BaseDatabaseWrapper, and not in its stubs
        finally:
            if self._give_up:
                self._give_up()  # takes effect once


def _give_up(connection: Connection) -> None:
    try:
        connection.close()
    finally:
        _places.release()
