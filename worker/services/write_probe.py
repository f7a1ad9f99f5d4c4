"""Whether the database takes a write. One that only answers reads looks well while everything stands still."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from django.db import Error as DatabaseError
from django.utils import timezone

from kit.rows.locks import limit_lock_wait
from worker.models import ProcessLease
from worker.services import leases

NAME = "ready"
EVERY_SECONDS = 5.0
WAIT_SECONDS = 2.0
log = logging.getLogger(__name__)


class WriteProbe:
    """Tries at most every few seconds, for all requests of the process, and never twice at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._trying = threading.Lock()
        self._tried_at: float | None = None
        self._works = False

    def works(self) -> bool:
        # While one request tries, the others give the last answer; the first answer is waited for.
        if not self._trying.acquire(blocking=self._tried_at is None):
            return self._works
        try:
            if self._tried_at is None or self._clock() - self._tried_at >= EVERY_SECONDS:
                self._works = _try_write()
                self._tried_at = self._clock()
            return self._works
        finally:
            self._trying.release()


def _try_write() -> bool:
    try:
        with limit_lock_wait(WAIT_SECONDS):
            row = {"holder": leases.this_process(), "lease_until": timezone.now()}
            ProcessLease.objects.update_or_create(name=NAME, defaults=row)
    except DatabaseError as error:
        log.warning("the database takes no write: %s", error)
        return False
    return True


DATABASE = WriteProbe()
