"""An asyncio loop in a thread of its own, for what sync code wants done there. Started when first needed."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class Background:
    def __init__(self, name: str) -> None:
        self.name = name
        self._forget()
        # A forked child has the loop but not its thread.
        os.register_at_fork(after_in_child=self._forget)

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        """Runs it on the loop. Cancelling the future cancels the coroutine at its next await."""
        return asyncio.run_coroutine_threadsafe(work, self._ensure_loop())

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def _ensure_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name=self.name, daemon=True).start()
            return self._loop
