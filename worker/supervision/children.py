"""A child process that is started again when it ends, later each time it ends soon.

It is a fork of the supervisor, which has imported what all children need: that is done once, and its memory is shared.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.context import ForkProcess
from typing import IO, cast

from django.core.management import execute_from_command_line
from setproctitle import setproctitle

from kit.processes import parents

SUPERVISOR = "DOCROUTER_SUPERVISOR"
FIRST_DELAY, LONGEST_DELAY = 1.0, 30.0
STEADY_SECONDS = 60.0


@dataclass
class Child:
    """`arguments` follow `manage.py`. `start_at` is a monotonic time, None while it runs or is not wanted yet."""

    name: str
    arguments: Sequence[str]
    process: ForkProcess | None = None
    start_at: float | None = None
    started: float = 0.0
    delay: float = field(default=FIRST_DELAY)

    def start(self, forget_parent: Callable[[], None]) -> IO[bytes]:
        """Returns its output, not blocking; `forget_parent` closes in the child what is the supervisor's alone.

        Must run in the main thread, to which the death signal is tied, and while there is no other.
        """
        self.start_at = None
        self.started = time.monotonic()
        reading, writing = os.pipe()
        self.process = multiprocessing.get_context("fork").Process(
            target=_run, args=(self.arguments, writing, parents.die_with_parent(), forget_parent), name=self.name
        )
        output = os.fdopen(reading, "rb", buffering=0)
        self.process.start()
        os.close(writing)
        os.set_blocking(reading, False)
        return output

    def poll_exit(self) -> int | None:
        """Its return code, once."""
        if self.process is None or (code := self.process.exitcode) is None:
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
        if self.is_running() and self.process and self.process.pid:
            os.kill(self.process.pid, number)

    def is_running(self) -> bool:
        return self.process is not None and self.process.exitcode is None


def _run(
    arguments: Sequence[str], output: int, die_with_parent: Callable[[], None], forget_parent: Callable[[], None]
) -> None:
    """Become `manage.py` with these arguments."""
    die_with_parent()
    forget_parent()
    # A Ctrl-C on the terminal reaches the supervisor only, which stops the children in order.
    os.setsid()
    _redirect(output)
    os.environ[SUPERVISOR] = str(os.getppid())
    sys.argv = ["manage.py", *arguments]
    setproctitle(f"{sys.executable} {' '.join(sys.argv)}")
    execute_from_command_line(sys.argv)


def _redirect(output: int) -> None:
    """No input, and all that is said goes to the supervisor, line by line."""
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    for number in (1, 2):
        os.dup2(output, number)
    os.close(output)
    for stream in (sys.stdout, sys.stderr):
        cast(io.TextIOWrapper, stream).reconfigure(line_buffering=True)


def is_supervised() -> bool:
    return SUPERVISOR in os.environ


def watch_supervisor(grace_seconds: float = 10.0) -> None:
    """In a child: the kernel's death signal asks to end; a child too busy to hear it is ended by this watch."""
    if supervisor := os.environ.get(SUPERVISOR):
        parents.end_after_parent(int(supervisor), grace_seconds=grace_seconds)
