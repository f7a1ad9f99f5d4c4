"""Answers that are slow to work out, kept in the cache until something in the organization changes.

Each group of pages (kit.events) has a mark. A message to the pages of an organization changes its mark, and
an answer counts only under the mark that it was worked out with. The mark is read before the database: a change that
comes in between leaves an answer that nobody asks for any more.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet
from redis.exceptions import RedisError

from kit.ids import new_id

log = logging.getLogger(__name__)
T = TypeVar("T")
# How long a wrong answer could stand when a process dies, or Redis is away, between a commit and the new mark.
KEPT_SECONDS = 60
_MARK_SECONDS = 86_400


def remembered(group: str, question: str, work_out: Callable[[], T]) -> T:
    """What `work_out` gave for this question since the group's last change. The answer has to be picklable."""
    if connection.in_atomic_block:  # What is seen here may still be undone.
        return work_out()
    key = f"answer:{group}:{hashlib.sha256(question.encode()).hexdigest()}"
    try:
        found = cache.get_many([_mark_key(group), key])
        mark = found.get(_mark_key(group)) or cache.get_or_set(_mark_key(group), new_id, _MARK_SECONDS)
    except (RedisError, OSError):
        return work_out()
    kept_mark, answer = found.get(key, ("", None))
    if kept_mark == mark:
        return answer  # type: ignore[no-any-return]
    answer = work_out()
    _set(key, (mark, answer), KEPT_SECONDS)
    return answer


def forget(group: str) -> None:
    """Every answer kept for the group counts no more. To be called after the commit."""
    _set(_mark_key(group), new_id(), _MARK_SECONDS)


def question(rows: QuerySet[Any, Any], what: str = "") -> str:
    """The words of a query, with its values."""
    try:
        return f"{what} {rows.query.sql_with_params()!r}"
    except EmptyResultSet:
        return f"{what} of nothing"


def _mark_key(group: str) -> str:
    return f"mark:{group}"


def _set(key: str, value: object, seconds: int) -> None:
    try:
        cache.set(key, value, seconds)
    except (RedisError, OSError) as error:
        log.warning("%s not kept: %s", key, error)
