"""Loaded by `-p tests.stack_room`: each test runs with room on the stack, which takes a quarter less CPU."""

from __future__ import annotations

import pytest
from _pytest.runner import runtestprotocol

from kit.processes.stack_room import call_with_room


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """As pytest itself does it, inside of a large frame."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    call_with_room(runtestprotocol, item, nextitem=nextitem)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
