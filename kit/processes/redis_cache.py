"""Django's cache in Redis, with a client that is kept: redis-py takes longer to make one than to ask by it."""

from __future__ import annotations

from functools import cached_property

from django.core.cache.backends import redis
from redis import Redis


class KeptClient(redis.RedisCacheClient):
    """A client of redis-py may be used by several threads, and takes its connections from the pool as it asks."""

    def get_client(self, key: object = None, *, write: bool = False) -> Redis:
        return self._write_client if write else self._read_client

    @cached_property
    def _write_client(self) -> Redis:
        return super().get_client(write=True)

    @cached_property
    def _read_client(self) -> Redis:
        return super().get_client()


class RedisCache(redis.RedisCache):
    def __init__(self, server: str, params: dict[str, object]) -> None:
        super().__init__(server, params)
        self._class = KeptClient
