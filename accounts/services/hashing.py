"""Passwords are slow to check on purpose, so few are checked at once: a crowd leaves the others a core."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from kit.errors import Busy

WAIT_SECONDS = 20.0
CROWDED = "Many passwords are being checked at this moment. Try again in a few seconds."
_places = threading.BoundedSemaphore(max(1, (os.cpu_count() or 1) // 2))


@contextmanager
def take_place() -> Iterator[None]:
    """Keeps no database connection while it waits. Raises Busy."""
    if not connection.in_atomic_block:
        connection.close()
    if not _places.acquire(timeout=WAIT_SECONDS):
        raise Busy(CROWDED)
    try:
        yield
    finally:
        _places.release()
