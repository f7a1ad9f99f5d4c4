"""When the pages of a document are searched for values, as the database sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def watch_searches(then: Callable[[], object] = lambda: None) -> Iterator[list[int]]:
    """Yields how many transactions were open at each search, and does something `then`, in the middle of it."""
    outside = len(connection.savepoint_ids) + connection.in_atomic_block
    depths: list[int] = []

    def watch(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        rows = execute(sql, *rest)
        if sql.startswith("SELECT") and '"documents_page"."words"' in sql:
            depths.append(len(connection.savepoint_ids) + connection.in_atomic_block - outside)
            then()
        return rows

    with connection.execute_wrapper(watch):
        yield depths
