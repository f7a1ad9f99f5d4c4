"""The one asyncio loop of this process on which model calls run, in a thread of its own, started when first needed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Runs it on the loop. Cancelling the future cancels the coroutine at its next await."""
    return asyncio.run_coroutine_threadsafe(work, _running_loop())


def _running_loop() -> asyncio.AbstractEventLoop:
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="model-calls", daemon=True).start()
        return _loop
