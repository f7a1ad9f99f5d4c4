"""Rows that took a while to make, copied once and put back by each further test that starts from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection, transaction

from tests.emptying import delete_rows, filled_tables


class KeptRows:
    """What all tables held at one moment. Its ids are the same wherever it is put back, so it belongs to one module."""

    def __init__(self) -> None:
        self._tables: list[tuple[str, list[tuple[Any, ...]]]] = []

    def make_or_put_back(self, make: Callable[[], object]) -> None:
        """The database holds what `make` made, and what stood there before it."""
        if self._tables:
            self._put_back()
        else:
            make()
            self._copy()

    def _copy(self) -> None:
        with connection.cursor() as cursor:
            for table in filled_tables(connection):
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
                self._tables.append((table, cursor.fetchall()))

    def _put_back(self) -> None:
        """In one transaction, at whose end the references are checked."""
        with transaction.atomic():
            delete_rows(connection)
            with connection.cursor() as cursor:
                for table, rows in self._tables:
                    marks = ", ".join(["%s"] * len(rows[0]))
                    cursor.executemany(f"INSERT INTO {connection.ops.quote_name(table)} VALUES ({marks})", rows)
