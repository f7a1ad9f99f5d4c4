"""A database whose disk is full: each write meets one that a real database refuses for that very reason."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from django.db import connection

WRITES = ("INSERT", "UPDATE", "DELETE")
ON_POSTGRESQL = "DO $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$"


@contextmanager
def full_disk(table: str = "") -> Iterator[None]:
    """Of writes to this table alone, or to any."""
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as small:
        small.execute("CREATE TABLE filled (bytes BLOB)")
        small.execute("PRAGMA max_page_count = 3")

        def refuse(go_on: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            if not (sql.startswith(WRITES) and table in sql):
                return go_on(sql, params, many, context)
            if connection.vendor == "postgresql":
                return go_on(ON_POSTGRESQL, None, False, context)
            with connection.wrap_database_errors:
                return small.execute("INSERT INTO filled VALUES (zeroblob(1000000))")

        with connection.execute_wrapper(refuse):
            yield
