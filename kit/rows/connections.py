"""The connection of this thread to the database, before a wait of unknown length."""

from __future__ import annotations

from django.db import connection


def release_connection() -> None:
    """Gives it back where a server grants few. SQLite keeps its open file: to open it anew takes 3 ms of CPU.

    Inside a transaction nothing happens.
    """
    if connection.vendor != "sqlite" and not connection.in_atomic_block:
        connection.close()
