"""A disk that is full, told apart from every other failure of the system and of the database."""

from __future__ import annotations

import errno
import sqlite3
import tempfile
from pathlib import Path

from django.db import DatabaseError, connection

# SQLite says full of a disk without room, and names where a write has failed of a user's share that is used up: see
# seekAndWrite in its os_unix.c. Its shared memory is a file beside the database.
_FAILED_WRITES = (
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMMAP,
)
# disk_full: PostgreSQL's documentation, appendix A. A share that is used up has no code of its own there.
_DISK_FULL, _INTERNAL_ERROR, _QUOTA = "53100", "XX000", "quota exceeded"
_TRIED_BYTES = 64 * 1024


def is_disk_full(error: OSError) -> bool:
    """Also where it is only the user's share of it."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def is_database_full(error: BaseException) -> bool:
    cause = error.__cause__
    if not isinstance(error, DatabaseError):
        return False
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0)
        return code == sqlite3.SQLITE_FULL or (code in _FAILED_WRITES and _has_no_room())
    state = getattr(cause, "sqlstate", "")
    return state == _DISK_FULL or (state == _INTERNAL_ERROR and _QUOTA in str(cause))


def _has_no_room() -> bool:
    """A disk that is broken fails in the same way: only a file beside the database tells."""
    try:
        with tempfile.TemporaryFile(dir=Path(connection.settings_dict["NAME"]).parent) as file:
            file.write(bytes(_TRIED_BYTES))
            file.flush()
    except OSError as error:
        return is_disk_full(error)
    return False
