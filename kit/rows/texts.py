"""Texts that PostgreSQL does not keep: SQLite takes NUL, PostgreSQL has no place for it."""

from __future__ import annotations

from django.db import DataError

# untranslatable_character: PostgreSQL's documentation, appendix A. JSON names NUL by an escape; elsewhere it does not
# come as far as the server.
_POSTGRESQL, _DRIVER = "22P05", "cannot contain NUL"


def is_nul_failure(error: BaseException) -> bool:
    cause = error.__cause__
    return isinstance(error, DataError) and (getattr(cause, "sqlstate", "") == _POSTGRESQL or _DRIVER in str(cause))
