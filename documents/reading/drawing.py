"""Drawing once: who comes while a file is drawn waits for it, and what cannot be drawn is not tried again and again.

A failure is a small file beside the pictures, so that it lives as long as they would.
"""

from __future__ import annotations

import fcntl
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import IO

from django.conf import settings
from django.db import connection

from documents.storage.stored_files import DERIVED, UPLOADS
from kit.errors import AppError, Busy, Invalid, NotFound, TooLarge, Upstream
from reader.pool.refusals import LATE

# Longer than one drawing may compute.
WAIT_SECONDS = 20.0
LOOK_SECONDS = 0.1
# For failures that may be the machine's: a reader that was ended, or that was late by the clock.
SHORT_SECONDS, LATE_SECONDS = 30.0, 600.0
KINDS: dict[str, type[AppError]] = {kind.__name__: kind for kind in (Invalid, TooLarge, Upstream)}
BUSY = "This document is being drawn for somebody else. Try again in a few seconds."
MISSING = "The stored file is missing. Upload the document again."


@dataclass(frozen=True)
class Failure:
    """`size` is what was drawn in, as a width: in less it may still succeed. `until` is a time; None is for good."""

    kind: str
    sentence: str
    size: int
    until: float | None
    drawn_by: str


def draw_once(upload: str, key: str, draw: Callable[[IO[bytes]], bytes], *, failure: str, size: int = 0) -> IO[bytes]:
    """Keeps under `key` what `draw` makes of the upload, unless it is there by then. Keeps no database connection.

    Raises what `draw` raised, now or when it was tried before; Busy, or NotFound when the stored file is missing.
    """
    _raise_known_failure(failure, size)
    if not connection.in_atomic_block:
        connection.close()
    with _lock_source(upload) as source:
        if kept := DERIVED.open_used(key):
            return kept
        _raise_known_failure(failure, size)
        try:
            DERIVED.save_bytes(key, draw(source))
        except (Invalid, TooLarge, Upstream) as error:
            _save_failure(failure, error, size)
            raise
        if not UPLOADS.exists(upload):
            # Deleted for good while it was drawn: what was made of it went before this was kept.
            DERIVED.delete(key)
            raise NotFound(MISSING)
        return DERIVED.open(key)


@contextmanager
def _lock_source(upload: str) -> Iterator[IO[bytes]]:
    """One drawing of a file at a time, over all threads and processes: one document takes one reader at most.

    The lock is on the upload itself. Where the storage is no folder each has a copy, and two may draw the same at once.
    """
    try:
        with UPLOADS.lend(upload) as source:
            _wait_for_lock(source.fileno())
            try:
                yield source
            finally:
                # A reader that was handed the descriptor shares the lock, and may close its own a moment later.
                fcntl.flock(source.fileno(), fcntl.LOCK_UN)
    except FileNotFoundError:
        raise NotFound(MISSING) from None


def _wait_for_lock(descriptor: int) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise Busy(BUSY) from None
            time.sleep(LOOK_SECONDS)


def _raise_known_failure(failure: str, size: int) -> None:
    known = _read_failure(failure)
    if known is None or size < known.size or known.drawn_by != _get_renderer():
        return
    if known.until is None or known.until > time.time():
        raise KINDS[known.kind](known.sentence)


def _read_failure(failure: str) -> Failure | None:
    file = DERIVED.open_used(failure)
    if file is None:
        return None
    try:
        with file:
            return Failure(**json.load(file))
    except (OSError, ValueError, TypeError):
        return None


def _save_failure(failure: str, error: AppError, size: int) -> None:
    seconds = SHORT_SECONDS if isinstance(error, Upstream) else LATE_SECONDS if error.code == LATE else None
    until = None if seconds is None else time.time() + seconds
    noted = Failure(type(error).__name__, error.sentence, size, until, _get_renderer())
    DERIVED.save_bytes(failure, json.dumps(asdict(noted)).encode())


@lru_cache(maxsize=1)
def _get_renderer() -> str:
    """What draws: another version may succeed where this one failed."""
    libraries = [f"{name} {version(name)}" for name in ("pypdfium2", "pillow")]
    return ", ".join([settings.VERSION, *libraries])
