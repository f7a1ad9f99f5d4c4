"""Parents and children on Linux: a child that learns of its parent's death even by SIGKILL."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1  # prctl(2)
_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent(with_signal: signal.Signals = signal.SIGTERM) -> Callable[[], None]:
    """A `preexec_fn`: the kernel sends the child `with_signal` when the starting *thread* ends. Call it there."""
    parent = os.getpid()

    def preexec() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, int(with_signal), 0, 0, 0)
        # The parent may have died between fork and prctl.
        if os.getppid() != parent:
            os._exit(1)

    return preexec


def end_after_parent(parent: int, *, grace_seconds: float) -> threading.Thread:
    """Watches for the death of `parent`; ends this process `grace_seconds` later, whatever it is busy with."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        time.sleep(grace_seconds)
        os.kill(os.getpid(), signal.SIGKILL)

    thread = threading.Thread(target=watch, name="parent-watchdog", daemon=True)
    thread.start()
    return thread
