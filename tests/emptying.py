"""Empties the database after a test that commits. Most fill a few of its 60 tables.

Django's own way empties every table, and then makes the content types and permissions anew: 60 ms of work a test.
"""

from __future__ import annotations

from functools import cache

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

# What migrating leaves in them stands for the whole run.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}


def empty_quickly() -> None:
    """From now on, for every test that is not rolled back."""
    TransactionTestCase._fixture_teardown = _empty_databases


def delete_rows(connection: BaseDatabaseWrapper) -> None:
    """In one transaction, at whose end the references are checked: so the order of the tables does not matter."""
    quote = connection.ops.quote_name
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for table in filled_tables(connection):
            cursor.execute(f"DELETE FROM {quote(table)}")


def filled_tables(connection: BaseDatabaseWrapper) -> list[str]:
    """Those that hold rows of a test."""
    with connection.cursor() as cursor:
        cursor.execute(_question(connection.alias))
        return [table for (table,) in cursor.fetchall()]


@cache
def _question(alias: str) -> str:
    """Which tables hold rows."""
    connection = connections[alias]
    tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - KEPT
    quote = connection.ops.quote_name
    return " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quote(table)})" for table in sorted(tables)
    )


def _empty_databases(self: TransactionTestCase) -> None:
    for alias in self._databases_names(include_mirrors=False):
        delete_rows(connections[alias])
