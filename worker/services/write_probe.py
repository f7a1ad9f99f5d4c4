"""Whether the database takes a write. One that only answers reads looks well while everything stands still."""

from __future__ import annotations

from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone

from kit.rows.locks import is_lock_failure, limit_lock_wait
from worker.models import ProcessLease
from worker.services import leases

NAME = "ready"
WAIT_SECONDS = 2.0


def try_write() -> str:
    """Say what is wrong as a sentence; empty where the write succeeded."""
    try:
        _write()
    except DatabaseError as error:
        # A connection that lay idle may have been cut: a new one says how the server is.
        connection.close()
        return _explain(error) if is_lock_failure(error) else _try_again()
    return ""


def _try_again() -> str:
    try:
        _write()
    except DatabaseError as error:
        connection.close()
        return _explain(error)
    return ""


def _write() -> None:
    with limit_lock_wait(WAIT_SECONDS):
        row = {"holder": leases.this_process(), "lease_until": timezone.now()}
        ProcessLease.objects.update_or_create(name=NAME, defaults=row)


def _explain(error: DatabaseError) -> str:
    return f"The database takes no write: {' '.join(str(error).split())}"
