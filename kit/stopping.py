"""Whether this process has been asked to end. Whatever takes long looks here and puts its work back."""

from __future__ import annotations

import threading

_stop_event = threading.Event()


def is_set() -> bool:
    return _stop_event.is_set()


def ask() -> None:
    _stop_event.set()


def wait(seconds: float) -> bool:
    """Sleeps, but not longer than the process may live. True when it has been asked to end."""
    return _stop_event.wait(seconds)
