"""A child process that is started again when it ends, later each time it ends soon."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO

from django.conf import settings

from kit.processes import parents

SUPERVISOR = "DOCROUTER_SUPERVISOR"
FIRST_DELAY, LONGEST_DELAY = 1.0, 30.0
STEADY_SECONDS = 60.0


@dataclass
class Child:
    """`arguments` follow `manage.py`. `start_at` is a monotonic time, None while it runs or is not wanted yet."""

    name: str
    arguments: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    start_at: float | None = None
    started: float = 0.0
    delay: float = field(default=FIRST_DELAY)

    def start(self, lock_descriptor: int) -> IO[bytes]:
        """Returns its output, not blocking. Must run in the main thread: the death signal is tied to that."""
        self.start_at = None
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, str(settings.BASE_DIR / "manage.py"), *self.arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, SUPERVISOR: str(os.getpid()), "PYTHONUNBUFFERED": "1"},
            pass_fds=[lock_descriptor],
            preexec_fn=parents.die_with_parent(),
            # A Ctrl-C on the terminal reaches the supervisor only, which stops the children in order.
            start_new_session=True,
        )
        assert self.process.stdout  # noqa: S101 - asked for above
        os.set_blocking(self.process.stdout.fileno(), False)
        return self.process.stdout

    def poll_exit(self) -> int | None:
        """Its return code, once."""
        if self.process is None or (code := self.process.poll()) is None:
            return None
        self.process = None
        return code

    def plan_restart(self) -> float:
        """Doubles the delay unless it had run steadily; returns the seconds until the next start."""
        now = time.monotonic()
        delay = FIRST_DELAY if now - self.started > STEADY_SECONDS else self.delay
        self.delay = min(delay * 2, LONGEST_DELAY)
        self.start_at = now + delay
        return delay

    def send(self, number: signal.Signals) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)


def is_supervised() -> bool:
    return SUPERVISOR in os.environ


def watch_supervisor(grace_seconds: float = 10.0) -> None:
    """In a child: the kernel's death signal asks to end; a child too busy to hear it is ended by this watch."""
    if supervisor := os.environ.get(SUPERVISOR):
        parents.end_after_parent(int(supervisor), grace_seconds=grace_seconds)
