"""Leftovers of deleted data on the disk of the embedded database and Redis: old pages of their logs.

SQLite zeroes what is deleted (`secure_delete` in the settings), but its write-ahead log still holds the pages as they
were; so does Redis' append-only file with the messages to pages. PostgreSQL and a Redis of one's own see to theirs.
"""

from __future__ import annotations

import logging

from django.conf import settings
from django.db import connection
from redis import Redis
from redis.exceptions import RedisError

from kit.rows.locks import limit_busy_wait

log = logging.getLogger(__name__)
# With the lock: others wait for the database meanwhile.
PATIENCE_SECONDS = 0.5
# At the start as well: the process before may have been killed before it came to it.
_left = {"database", "redis"}


def note() -> None:
    """Something was deleted that nobody may read any more."""
    _left.update({"database", "redis"})


def overwrite() -> bool:
    """Clears the logs when something was noted. False when one of them is in use: the next call tries again."""
    if "database" in _left and _truncate_log():
        _left.discard("database")
    if "redis" in _left and _rewrite_append_only_file():
        _left.discard("redis")
    return not _left


def _truncate_log() -> bool:
    """https://www.sqlite.org/pragma.html#pragma_wal_checkpoint: TRUNCATE waits for readers, which others wait for."""
    if connection.vendor != "sqlite":
        return True
    if connection.in_atomic_block:
        return False
    with limit_busy_wait(PATIENCE_SECONDS) as cursor:
        return not cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]


def _rewrite_append_only_file() -> bool:
    if not settings.EMBEDDED_REDIS:
        return True
    client = Redis.from_url(settings.REDIS_URL)
    try:
        client.bgrewriteaof()
    except (RedisError, OSError) as error:
        log.info("the append-only file of Redis is rewritten later: %s", error)
        return False
    finally:
        client.close()
    return True
