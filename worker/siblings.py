"""Several processes that are one worker: it forks the others before its first task, and they end together.

One process computes on one core only, however many threads it has.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess

from celery.signals import worker_shutting_down
from setproctitle import getproctitle, setproctitle

from kit import stopping
from kit.processes import parents

log = logging.getLogger(__name__)
Run = Callable[[int], None]


def run_together(count: int, run: Run) -> None:
    """Calls `run` with its number in each of `count` processes, this one included, and returns when all have ended.

    Must be called in the main thread while there is no other, and without a connection to the database.
    """
    siblings = [_fork(number, run) for number in range(2, count + 1)]
    if siblings:
        # They are told together: each puts its work back at the same time.
        worker_shutting_down.connect(lambda **_: _stop(siblings), weak=False)
        threading.Thread(target=_end_with, args=(siblings,), name="siblings", daemon=True).start()
    run(1)
    for sibling in siblings:
        sibling.join()


def _fork(number: int, run: Run) -> ForkProcess:
    # Without this process they would hold leases that its successor takes for void: they end at once.
    die_with_us = parents.die_with_parent(signal.SIGKILL)
    sibling = multiprocessing.get_context("fork").Process(target=_run, args=(number, run, die_with_us))
    sibling.start()
    return sibling


def _run(number: int, run: Run, die_with_parent: Callable[[], None]) -> None:
    die_with_parent()
    setproctitle(f"{getproctitle()} ({number})")
    run(number)


def _stop(siblings: list[ForkProcess]) -> None:
    for sibling in siblings:
        sibling.terminate()


def _end_with(siblings: list[ForkProcess]) -> None:
    """When one ends without having been asked to, all end, and whoever started this worker starts it anew."""
    wait([sibling.sentinel for sibling in siblings])
    if not stopping.is_set():
        log.error("a process of this worker ended; the worker ends")
        os.kill(os.getpid(), signal.SIGTERM)
