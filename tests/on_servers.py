"""Loaded by `-p tests.on_servers`: leaves out tests to which no PostgreSQL or Redis of their own makes a difference."""

from __future__ import annotations

from pathlib import Path

import pytest

DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}
# Files that look at bytes of HTTP, answers of models or words alone. A row is only what they begin with, and each of their
# statements is sent by other tests too. Whatever looks at locks, constraints, order, search, JSON, times, connections or
# lists is run again; when in doubt, so is a new file.
ANY_DATABASE = (
    "tests/accounts/test_passwords.py",
    "tests/api/test_charset.py",
    "tests/api/test_ranges.py",
    "tests/documents/test_llm.py",
    "tests/documents/test_llm_cut_answers.py",
    "tests/documents/test_llm_merging.py",
    "tests/documents/test_llm_redacting.py",
    "tests/documents/test_llm_redirects.py",
    "tests/documents/test_llm_retries.py",
    "tests/documents/test_llm_silent_servers.py",
    "tests/kit/test_compression.py",
    "tests/web/test_bodies.py",
    "tests/web/test_cors.py",
    "tests/web/test_long_lines.py",
    "tests/web/test_slow_requests.py",
)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Nothing but True is an answer: others are asked then."""
    return any(collection_path.match(path) for path in ANY_DATABASE) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    without = [item for item in items if not asks_servers(item)]
    config.hook.pytest_deselected(items=without)
    items[:] = [item for item in items if asks_servers(item)]


def asks_servers(item: pytest.Item) -> bool:
    """Whether it reaches the database, or by its mark Redis alone or servers of its own."""
    fixtures = set(getattr(item, "fixturenames", ()))
    marks = ("django_db", "redis", "services")
    return bool(DATABASE_FIXTURES & fixtures) or any(item.get_closest_marker(mark) for mark in marks)
