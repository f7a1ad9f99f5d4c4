"""One `up` a DATA_DIR. The lock lives as long as any process that inherited its descriptor."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


class AlreadyRunning(Exception):
    """Another `up` works on the same folder; the text says who."""


@dataclass(frozen=True)
class Holder:
    pid: int
    since: str
    address: str

    def is_alive(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


class DataLock:
    """`flock` on a file in `folder`. The children of a killed `up` keep it until the last of them has ended."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.descriptor = os.open(folder / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)

    def take(self, address: str, *, patience_seconds: float, on_wait: Callable[[str], None]) -> None:
        """Takes it, waiting only for the leftovers of an `up` that is dead. Raises AlreadyRunning."""
        deadline = time.monotonic() + patience_seconds
        waited = False
        while not self._try():
            holder = self.holder()
            if (holder and holder.is_alive()) or time.monotonic() > deadline:
                raise AlreadyRunning(self._sentence(holder))
            if not waited:
                on_wait("The last run was killed; waiting for its processes to end.")
            waited = True
            time.sleep(0.2)
        self._sign(Holder(os.getpid(), datetime.now().astimezone().isoformat(timespec="seconds"), address))

    def holder(self) -> Holder | None:
        try:
            return Holder(**json.loads(os.pread(self.descriptor, 4096, 0)))
        except (ValueError, TypeError):
            return None

    def release(self) -> None:
        os.close(self.descriptor)

    def _try(self) -> bool:
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _sign(self, holder: Holder) -> None:
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, json.dumps(vars(holder)).encode(), 0)

    def _sentence(self, holder: Holder | None) -> str:
        if holder is None:
            return f"DocRouter is already starting on {self.folder}."
        return (
            f"DocRouter already runs on {self.folder}: process {holder.pid} since {holder.since}, at {holder.address}. "
            "Stop that one first, or give this one another DATA_DIR and PORT."
        )
