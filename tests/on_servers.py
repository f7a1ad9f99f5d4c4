"""Loaded by `-p tests.on_servers`: leaves out tests to which no PostgreSQL or Redis of their own makes a difference."""

from __future__ import annotations

import pytest

DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    without = [item for item in items if not asks_servers(item)]
    config.hook.pytest_deselected(items=without)
    items[:] = [item for item in items if asks_servers(item)]


def asks_servers(item: pytest.Item) -> bool:
    """Whether it reaches the database, or by its mark Redis alone or servers of its own."""
    fixtures = set(getattr(item, "fixturenames", ()))
    marks = ("django_db", "redis", "services")
    return bool(DATABASE_FIXTURES & fixtures) or any(item.get_closest_marker(mark) for mark in marks)
