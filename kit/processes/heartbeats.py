"""Signs of life, kept in Redis with an expiry: they are no data, and writing rows every few seconds would be."""

from __future__ import annotations

import logging

from django.core.cache import cache
from redis.exceptions import RedisError

KINDS = ("reading", "agent", "scheduler")
EVERY_SECONDS = 10.0
KEPT_SECONDS = 35
# On a busy machine a worker is at work a minute after its process began.
STARTING_SECONDS = 180
log = logging.getLogger(__name__)


def record_heartbeat(kind: str, holder: str) -> None:
    try:
        cache.set(_key(kind), holder, KEPT_SECONDS)
        cache.delete(_start_key(kind))
    except (RedisError, OSError) as error:
        log.warning("sign of life of %s not sent: %s", kind, error)


def note_start(kind: str) -> None:
    """Its process has begun and will sign by itself before long: until then nobody is told that it is away."""
    try:
        cache.set(_start_key(kind), True, STARTING_SECONDS)
    except (RedisError, OSError) as error:
        log.warning("start of %s not noted: %s", kind, error)


def forget(kind: str) -> None:
    """For who has seen its only holder end, and knows sooner than the sign fades."""
    try:
        cache.delete_many([_key(kind), _start_key(kind)])
    except (RedisError, OSError) as error:
        log.warning("sign of life of %s not taken back: %s", kind, error)


def find_alive() -> dict[str, bool]:
    """For every kind whether one of them was heard of lately. Raises RedisError when Redis is away."""
    signs = cache.get_many([_key(kind) for kind in KINDS])
    return {kind: _key(kind) in signs for kind in KINDS}


def is_away(kind: str) -> bool:
    """Whether none of this kind was heard of lately, nor begins to work; without Redis nobody works either."""
    try:
        return not cache.get_many([_key(kind), _start_key(kind)])
    except (RedisError, OSError) as error:
        log.warning("signs of life not read: %s", error)
        return True


def _start_key(kind: str) -> str:
    return f"start.{kind}"


def _key(kind: str) -> str:
    return f"beat.{kind}"
