"""Passwords are slow to check on purpose, so few are checked at once: a crowd leaves the others a core, and a turn."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from kit.fair_places import FairPlaces

WAIT_SECONDS = 20.0
CROWDED = "Many passwords are being checked at this moment. Try again in a few seconds."
_places = FairPlaces(max(1, (os.cpu_count() or 1) // 2), refusal=CROWDED)


@contextmanager
def take_place(group: str) -> Iterator[None]:
    """In turn with other groups. Keeps no database connection while it waits. Raises Busy."""
    if not connection.in_atomic_block:
        connection.close()
    with _places.take(group, WAIT_SECONDS):
        yield
