"""A worker beside a test, as in life: it takes what is queued while requests wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def keep_working(work: Callable[[], object]) -> Iterator[None]:
    """Does whatever is queued, in a thread of its own, until the end of the block."""
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(0.02):
            work()
        connection.close()

    thread = threading.Thread(target=go_on)
    thread.start()
    yield
    ended.set()
    thread.join(120)
