"""A lock that another connection really holds, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.models import Model


@contextmanager
def lock_elsewhere(row: Model, *, wait_ms: int = 30) -> Iterator[None]:
    """Another connection holds the row, on SQLite the whole database; this one waits for it no longer than that."""
    is_sqlite = connection.vendor == "sqlite"
    other = connection.copy()
    other.set_autocommit(False, force_begin_transaction_with_broken_autocommit=is_sqlite)
    table, key = row._meta.db_table, row._meta.pk.column  # type: ignore[union-attr]
    set_wait(wait_ms)
    try:
        with other.cursor() as cursor:
            cursor.execute(f"UPDATE {table} SET {key} = {key} WHERE {key} = %s", [row.pk])
        yield
    finally:
        other.rollback()
        other.close()
        set_wait(20_000)


def set_wait(milliseconds: int) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
        else:
            cursor.execute(f"SET lock_timeout = {milliseconds}")
