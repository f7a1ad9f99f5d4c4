"""The loop of `manage.py scheduler`. As many as one likes may run; the holder of the lease works."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Sequence

from django.db import Error as DatabaseError
from django.db import close_old_connections

from kit import stopping
from kit.processes import heartbeats
from worker.services import leases
from worker.services.folder_watch import end_without_files
from worker.services.schedule import Sweep

LEASE = "scheduler"
LEASE_SECONDS = 30.0
RENEW_SECONDS = 10.0
TICK_SECONDS = 1.0
log = logging.getLogger(__name__)


def run(sweeps: Sequence[Sweep]) -> None:
    """Returns after SIGTERM or SIGINT."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.ask())
    schedule = SweepSchedule(sweeps, holder=leases.this_process())
    while not stopping.is_set():
        schedule.tick(time.monotonic())
        close_old_connections()
        stopping.wait(TICK_SECONDS)
    leases.release(LEASE, holder=schedule.holder)


class SweepSchedule:
    """Tells which sweep is due. `now` is a monotonic time."""

    def __init__(self, sweeps: Sequence[Sweep], *, holder: str) -> None:
        self.sweeps = sweeps
        self.holder = holder
        self.due = dict.fromkeys((sweep.name for sweep in sweeps), 0.0)
        self.holds_until = self.renew_at = self.heartbeat_at = 0.0

    def tick(self, now: float) -> None:
        if now >= self.heartbeat_at:
            self.heartbeat_at = now + heartbeats.EVERY_SECONDS
            if end_without_files():
                return
            heartbeats.record_heartbeat(LEASE, self.holder)
        if not self._holds_lease(now):
            return
        for sweep in self.sweeps:
            if now >= self.due[sweep.name] and not stopping.is_set():
                self.due[sweep.name] = now + sweep.every_seconds
                _run_guarded(sweep)

    def _holds_lease(self, now: float) -> bool:
        if now >= self.renew_at:
            self.renew_at = now + RENEW_SECONDS
            try:
                is_ours = leases.acquire(LEASE, holder=self.holder, seconds=LEASE_SECONDS)
            except DatabaseError as error:
                log.warning("lease not renewed: %s", error)
                is_ours = False
            self.holds_until = now + LEASE_SECONDS if is_ours else 0.0
        return now < self.holds_until


def _run_guarded(sweep: Sweep) -> None:
    try:
        sweep.run()
    except Exception:  # The edge of the process: the other sweeps go on.
        log.exception("the sweep %r failed and will be tried again", sweep.name)
