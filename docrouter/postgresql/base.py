"""Django's PostgreSQL backend with a bound on connections, and without indexes that nothing reads.

One process has so many connections at once, and who comes then waits. A server grants 100 by default, to all processes
together. Each request and each job has a connection of its own, so without a bound a burst of one client's requests
takes them all, and everybody else gets an error.
"""

from __future__ import annotations

import threading
import weakref

from django.conf import settings
from django.db.backends.ddl_references import Statement
from django.db.backends.postgresql import base, schema
from django.db.models import Field, Model
from psycopg import Connection
from psycopg.errors import LockNotAvailable

from kit.cleanup import on_failure

# As long as SQLite waits for another writer.
WAIT_SECONDS = 20.0
NONE_FREE = "No database connection was free in time."
_places = threading.BoundedSemaphore(settings.MAX_DATABASE_CONNECTIONS)


class DatabaseSchemaEditor(schema.DatabaseSchemaEditor):
    """Columns that are searched by prefix have an index of their own; a second one on every id cost each write."""

    def _create_like_index_sql(self, model: type[Model], field: Field[object, object]) -> Statement | None:
        return None


class DatabaseWrapper(base.DatabaseWrapper):
    SchemaEditorClass = DatabaseSchemaEditor
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
