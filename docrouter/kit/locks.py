"""A lock of the database that was not had in time, told apart from every other failure."""

from __future__ import annotations

import sqlite3

from django.db import OperationalError

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
