"""Failures below us that have a sentence: on pages, under /v0 and over MCP it is the same."""

from __future__ import annotations

from redis.exceptions import ConnectionError as RedisAway
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisSlow

from kit.errors import AppError, Busy, Conflict, DiskFull, Invalid
from kit.processes.disks import is_database_full, is_disk_full
from kit.rows.locks import is_lock_failure
from kit.rows.references import is_reference_failure
from kit.rows.texts import is_nul_failure
from kit.sanitize import NO_NUL

BUSY = "The database is busy with other work, so this could not be done. Try it again in a few seconds."
GONE = "Something that this refers to was deleted meanwhile, so nothing was done. Look at what is there now."
AWAY = "A part of DocRouter (Redis) does not answer, so this could not be done. Try it again in a minute."
FULL = "The disk is full, so nothing can be stored. Ask whoever runs DocRouter to make room, then try it again."


def explain_failure(error: BaseException | None) -> AppError | None:
    """None for what nobody expects."""
    if error is None:
        return None
    if is_lock_failure(error):
        return Busy(BUSY)
    if is_reference_failure(error):
        return Conflict(GONE)
    if is_nul_failure(error):
        return Invalid(NO_NUL)
    is_file_refused = isinstance(error, OSError) and is_disk_full(error)
    if is_file_refused or is_database_full(error) or _is_redis_full(error):
        return DiskFull(FULL)
    if isinstance(error, (RedisAway, RedisSlow)):
        return Busy(AWAY)
    return None


def find_failure(error: BaseException | None) -> AppError | None:
    """Explains the first of what caused the error that has a sentence."""
    while error is not None:
        if failure := explain_failure(error):
            return failure
        error = error.__cause__ or error.__context__
    return None


def _is_redis_full(error: BaseException) -> bool:
    """It answers so to every write while it cannot write its own file."""
    return isinstance(error, ResponseError) and str(error).startswith("MISCONF")
