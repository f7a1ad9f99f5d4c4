"""The cache asks by one client, from whatever thread."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.core.cache import cache

pytestmark = pytest.mark.servers


def test_the_client_is_kept_and_every_thread_reads_what_another_wrote(empty_cache: None) -> None:
    clients: list[Any] = []

    def count() -> None:
        backend: Any = cache
        cache.incr("number")
        clients.extend([backend._cache.get_client(), backend._cache.get_client("other"), cache.get("number")])

    cache.set("number", 1, 60)
    other = threading.Thread(target=count)
    other.start()
    other.join()
    count()
    assert clients[0] is clients[1] and clients[3] is clients[4]
    assert (clients[2], clients[5]) == (2, 3)
