"""Locks of the database: how long one is waited for, and the failure to get it, told apart from every other."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Model, QuerySet

_SQLITE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
# lock_not_available and deadlock_detected: PostgreSQL's documentation, appendix A.
_POSTGRESQL = ("55P03", "40P01")


def is_lock_failure(error: BaseException) -> bool:
    cause = error.__cause__
    if not isinstance(error, OperationalError):
        return False
    if isinstance(cause, sqlite3.OperationalError):
        # The lower byte is the kind, what is above it says why.
        return cause.sqlite_errorcode & 0xFF in _SQLITE
    return getattr(cause, "sqlstate", "") in _POSTGRESQL


def lock_rows(rows: QuerySet[Model]) -> None:
    """Until the transaction ends. In SQLite a transaction has the whole file from its begin: nothing to ask for."""
    if connection.features.has_select_for_update:
        list(rows.select_for_update(of=("self",)).only("pk"))


@contextmanager
def limit_lock_wait(seconds: float) -> Iterator[None]:
    """A transaction that waits no longer than that for a lock. Begin it outside of any other."""
    if connection.vendor == "sqlite":
        with limit_busy_wait(seconds), transaction.atomic():
            yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        # PostgreSQL takes no parameters in SET, nor SQLite in a PRAGMA.
        cursor.execute(f"SET LOCAL lock_timeout = {round(seconds * 1000)}")
        yield


@contextmanager
def limit_busy_wait(seconds: float) -> Iterator[CursorWrapper]:
    """Give a cursor that waits so long for SQLite's other writer. Begin it outside of transactions."""
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")
        try:
            yield cursor
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {before}")
