"""Requests that a sender has left in its minute, counted in Redis, in one round trip, and never at the price of
the request: when Redis is away everything is served, and the log says so once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

log = logging.getLogger(__name__)
WINDOW_SECONDS = 60
# A Redis that hangs costs one request in so many seconds this long, and the others nothing.
_ANSWER_SECONDS, _PAUSE_SECONDS = 0.5, 10.0


@dataclass(frozen=True)
class Limit:
    """`sender` says whose requests are counted, in a word for people; `key` which one it is."""

    sender: str
    key: str
    requests: int


@dataclass(frozen=True)
class Quota:
    """The rest of a limit. The window begins with the first request and is a minute long."""

    limit: Limit
    used: int
    reset_seconds: int

    @property
    def remaining(self) -> int:
        return max(0, self.limit.requests - self.used)

    @property
    def is_exceeded(self) -> bool:
        return self.used > self.limit.requests


def count_request(limits: Sequence[Limit]) -> list[Quota]:
    """The quotas with this request; none when Redis is away."""
    return _read(limits, add=1)


def read_quotas(limits: Sequence[Limit]) -> list[Quota]:
    """As a further request would find them."""
    return _read(limits, add=0)


def _read(limits: Sequence[Limit], *, add: int) -> list[Quota]:
    if not limits or OUTAGE.is_present():
        return []
    try:
        with _redis(settings.REDIS_URL).pipeline(transaction=True) as pipe:
            for limit in limits:
                pipe.set(_key(limit), 0, ex=WINDOW_SECONDS, nx=True)
                pipe.incrby(_key(limit), add)
                pipe.pttl(_key(limit))
            answers = pipe.execute()
    except (RedisError, OSError) as error:
        OUTAGE.begin(error)
        return []
    OUTAGE.end()
    counted = zip(limits, answers[1::3], answers[2::3], strict=True)
    return [Quota(limit, used + 1 - add, max(1, ceil(left / 1000))) for limit, used, left in counted]


def _key(limit: Limit) -> str:
    return f"docrouter:rate:{limit.sender}:{limit.key}"


@cache
def _redis(url: str) -> Redis:
    # Tried twice: after a restart of Redis the connections kept here are dead, and it is not away.
    return Redis.from_url(
        url,
        socket_timeout=_ANSWER_SECONDS,
        socket_connect_timeout=_ANSWER_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )


class Outage:
    """Redis is not asked again for a while after it did not answer. The log hears of the begin and the end."""

    def __init__(self) -> None:
        self.ask_again_at: float | None = None
        self.lock = threading.Lock()

    def is_present(self) -> bool:
        return self.ask_again_at is not None and time.monotonic() < self.ask_again_at

    def begin(self, error: Exception) -> None:
        with self.lock:
            is_new = self.ask_again_at is None
            self.ask_again_at = time.monotonic() + _PAUSE_SECONDS
        if is_new:
            log.warning("requests are not counted, and not limited, until Redis answers: %s", error)

    def end(self) -> None:
        if self.ask_again_at is None:
            return
        with self.lock:
            self.ask_again_at = None
        log.warning("requests are counted and limited again")


OUTAGE = Outage()
