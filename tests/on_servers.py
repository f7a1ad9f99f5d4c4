"""Loaded by `-p tests.on_servers`: leaves out tests to which no PostgreSQL or Redis of their own makes a difference."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.statements.covered import NO_RECORD, ROOT, Record, read_record

# The environment in which no test is left out because others send the same statements.
EVERYTHING = {"TESTS_ON_SERVERS": "all"}
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
    file = collection_path.relative_to(ROOT).as_posix() if collection_path.is_relative_to(ROOT) else ""
    return file in ANY_DATABASE or choose_record().covers_file(file) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    record = choose_record()
    chosen = [item for item in items if asks_servers(item) and not record.covers(item.nodeid)]
    running = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in running])
    items[:] = chosen


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    record = choose_record()
    if not record.entries:
        return
    terminalreporter.write_line(
        f"Tests of {len(record.entries)} files were left out: others send their statements; {record.changed_tests} have"
        " changed since that was counted, and run (python -m tests.statements counts anew)."
    )


def choose_record() -> Record:
    return NO_RECORD if EVERYTHING.items() <= os.environ.items() else read_record()


def asks_servers(item: pytest.Item) -> bool:
    """Whether it reaches the database, or by its mark Redis alone or servers of its own."""
    fixtures = set(getattr(item, "fixturenames", ()))
    marks = ("django_db", "redis", "services")
    return bool(DATABASE_FIXTURES & fixtures) or any(item.get_closest_marker(mark) for mark in marks)
