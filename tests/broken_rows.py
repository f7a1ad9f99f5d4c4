"""Rows that fail whoever writes them, as one with impossible content would: a trigger of the database refuses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.models import Model

_SQLITE = [
    "CREATE TRIGGER broken_row BEFORE UPDATE ON {table} WHEN OLD.id = '{pk}' BEGIN SELECT RAISE(ABORT, 'broken'); END"
]
_POSTGRESQL = [
    "CREATE OR REPLACE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$",
    "CREATE TRIGGER broken_row BEFORE UPDATE ON {table} FOR EACH ROW WHEN (OLD.id = '{pk}') EXECUTE FUNCTION refuse_row()",
]
_DROP = {"sqlite": "DROP TRIGGER broken_row", "postgresql": "DROP TRIGGER broken_row ON {table}"}


@contextmanager
def break_row(row: Model) -> Iterator[None]:
    """Inside, every change of this row fails."""
    names = {"table": row._meta.db_table, "pk": row.pk}
    with connection.cursor() as cursor:
        for statement in _SQLITE if connection.vendor == "sqlite" else _POSTGRESQL:
            cursor.execute(statement.format(**names))
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(_DROP[connection.vendor].format(**names))
