"""Whether this process has been asked to end. Whatever takes long looks here and puts its work back."""

from __future__ import annotations

import threading

_asked = threading.Event()


def is_set() -> bool:
    return _asked.is_set()


def ask() -> None:
    _asked.set()


def wait(seconds: float) -> bool:
    """Sleeps, but not longer than the process may live. True when it has been asked to end."""
    return _asked.wait(seconds)
