"""Loaded by `-p tests.flows`: marks whole flows, so that the fast suite is what is run between two edits.

A flow talks to a model over HTTP, runs a worker's loop, commits, or is marked by hand: it starts processes, loads
litellm, or walks over all routes or pages. A new test falls to one suite or the other by what it asks for.
"""

from __future__ import annotations

import pytest

FLOW_FIXTURES = frozenset({"scripted_model", "loaded_litellm", "live_server", "transactional_db", "callers"})


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Before pytest chooses by marks."""
    for item in items:
        if is_flow(item):
            item.add_marker("flows")


def is_flow(item: pytest.Item) -> bool:
    return commits(item) or not FLOW_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def commits(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("django_db")
    return mark is not None and bool(mark.kwargs.get("transaction"))
