"""Rows that refer to others, and the database's refusal where the other was deleted at the same moment."""

from __future__ import annotations

import sqlite3

from django.db import IntegrityError

# foreign_key_violation: PostgreSQL's documentation, appendix A.
_POSTGRESQL = "23503"


def is_reference_failure(error: BaseException) -> bool:
    cause = error.__cause__
    if not isinstance(error, IntegrityError):
        return False
    if isinstance(cause, sqlite3.IntegrityError):
        return cause.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
    return getattr(cause, "sqlstate", "") == _POSTGRESQL
