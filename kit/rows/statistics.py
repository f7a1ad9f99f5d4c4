"""Statistics of the database's planner: how many rows stand under a key."""

from __future__ import annotations

from django.db import connection

# Rows of an index that SQLite looks at; without a limit it reads each index from end to end.
SAMPLED = 400


def refresh() -> None:
    """Without statistics SQLite takes an organization for ten rows and walks all of its documents to find a tag's."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA analysis_limit = {SAMPLED}")
        cursor.execute("ANALYZE")


def keep() -> None:
    """PostgreSQL sees to its own."""
    if connection.vendor == "sqlite":
        refresh()
