"""Imports at the start: without a search for garbage among them, and without optional parts that nobody uses."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_collection() -> Iterator[None]:
    """No search for garbage until the end, and none among what is there by then: it is taken to be imported."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()


@contextmanager
def leave_out(*names: str) -> Iterator[None]:
    """Imports of these modules fail meanwhile, as where they are not installed: for libraries that can do without."""
    absent = [name for name in names if name not in sys.modules]
    # Python's own mark of a module that must not be looked for.
    sys.modules |= dict.fromkeys(absent)  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]
