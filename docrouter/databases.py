"""The database of the settings, by its address."""

from __future__ import annotations

from typing import Any

import dj_database_url


def describe_database(url: str) -> dict[str, Any]:
    database: dict[str, Any] = {**dj_database_url.parse(url)}
    if database["ENGINE"] == "django.db.backends.postgresql":
        database["ENGINE"] = "docrouter.postgresql"
    if database["ENGINE"] == "django.db.backends.sqlite3":
        # IMMEDIATE: a deferred transaction that turns into a write fails at once instead of waiting its turn.
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=20000; PRAGMA foreign_keys=ON; "
                # Zero what is deleted or overwritten: a document that is gone stands in no free page of the file.
                "PRAGMA secure_delete=ON;"
            ),
        }
    return database
