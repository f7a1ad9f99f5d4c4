"""Answers that are slow to work out, kept in the cache until something in the organization changes.

Each group of pages (kit.events) has a generation. A message to the pages of an organization begins a new one, and
an answer counts only in the generation it was worked out in. That is read before the database: a change that
comes in between leaves an answer that nobody asks for any more.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Model, QuerySet
from redis.exceptions import RedisError

from kit.ids import new_id

log = logging.getLogger(__name__)
T = TypeVar("T")
# A wrong answer stands this long at most: a process died between a commit and the new generation, or Redis is away.
ANSWER_SECONDS = 60
_GENERATION_SECONDS = 86_400


def get_or_compute(group: str, query: str, work_out: Callable[[], T]) -> T:
    """Return what `work_out` gave for this query since the group's last change. It has to be picklable."""
    if connection.in_atomic_block:  # The rows seen here may still be undone.
        return work_out()
    generation_key, key = _generation_key(group), f"answer:{group}:{hashlib.sha256(query.encode()).hexdigest()}"
    try:
        cached = cache.get_many([generation_key, key])
        generation = cached.get(generation_key) or cache.get_or_set(generation_key, new_id, _GENERATION_SECONDS)
    except (RedisError, OSError):
        return work_out()
    cached_generation, answer = cached.get(key, ("", None))
    if cached_generation == generation:
        return answer  # type: ignore[no-any-return]
    answer = work_out()
    _set(key, (generation, answer), ANSWER_SECONDS)
    return answer


def read_generation(group: str) -> str:
    """Name the state that a page shows which reads its rows after this; empty where Redis is away."""
    try:
        return cache.get_or_set(_generation_key(group), new_id, _GENERATION_SECONDS) or ""
    except (RedisError, OSError):
        return ""


def forget(group: str) -> None:
    """Every answer kept for the group counts no more. To be called after the commit."""
    _set(_generation_key(group), new_id(), _GENERATION_SECONDS)


def query_key(rows: QuerySet[Model, object], what: str = "") -> str:
    """The words of a query, with its values."""
    try:
        return f"{what} {rows.query.sql_with_params()!r}"
    except EmptyResultSet:
        return f"{what} of nothing"


def _generation_key(group: str) -> str:
    return f"generation:{group}"


def _set(key: str, value: object, seconds: int) -> None:
    try:
        cache.set(key, value, seconds)
    except (RedisError, OSError) as error:
        log.warning("%s not kept: %s", key, error)
