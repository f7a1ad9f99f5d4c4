"""Whether the whole works, part by part: what `/ready` answers and the log says."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from redis.exceptions import RedisError

from documents.storage import data_folder
from kit.processes import heartbeats
from worker.services import write_probe

EVERY_SECONDS = 5.0
STARTS = {"reading": "work reading", "agent": "work agent", "scheduler": "scheduler"}
NO_SIGN = "Nothing was heard of it for {seconds} seconds. Start it: manage.py {command}."
log = logging.getLogger(__name__)
Clock = Callable[[], float]


@dataclass(frozen=True)
class State:
    """A sentence for each part that is wrong; it is empty where nothing is."""

    parts: Mapping[str, str]
    checked_at: float

    @property
    def is_ready(self) -> bool:
        return not any(self.parts.values())


class PatientCheck:
    """Asks at most every few seconds: a write is too dear for each who looks."""

    def __init__(self, check: Callable[[], str], clock: Clock = time.monotonic) -> None:
        self._check, self._clock = check, clock
        self._asked_at: float | None = None
        self._sentence = ""

    def find(self) -> str:
        if self._asked_at is None or self._clock() - self._asked_at >= EVERY_SECONDS:
            self._sentence = self._check()
            self._asked_at = self._clock()
        return self._sentence


class PartsCheck:
    """Looks at every part, and logs what has changed since the last look. For one thread."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._database = PatientCheck(write_probe.try_write, clock)
        self._storage = PatientCheck(data_folder.explain_failure, clock)
        self._failures: Mapping[str, str] = {}

    def look(self) -> State:
        parts = {"database": self._database.find(), "storage": self._storage.find(), **_check_workers()}
        self._log_changes({name: sentence for name, sentence in parts.items() if sentence})
        return State(parts, self._clock())

    def _log_changes(self, failures: Mapping[str, str]) -> None:
        for name, sentence in failures.items():
            if self._failures.get(name) != sentence:
                log.warning("not ready, %s: %s", name, sentence)
        if self._failures and not failures:
            log.info("ready again")
        self._failures = failures


def _check_workers() -> dict[str, str]:
    """Redis, and the processes that sign there."""
    try:
        alive = heartbeats.find_alive()
    except (RedisError, OSError) as error:
        sentence = f"Redis does not answer: {error}"
        return {"redis": sentence, **dict.fromkeys(heartbeats.KINDS, "Its signs of life are in Redis.")}
    silent = {kind: NO_SIGN.format(seconds=heartbeats.KEPT_SECONDS, command=STARTS[kind]) for kind in heartbeats.KINDS}
    return {"redis": "", **{kind: "" if alive[kind] else silent[kind] for kind in heartbeats.KINDS}}
