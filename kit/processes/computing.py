"""A bound for what somebody's input may make a process compute."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from kit.errors import TooLarge

MAX_SECONDS = 20
_LOOK_EACH = 64
T = TypeVar("T")


def limit_computing(items: Iterable[T], *, sentence: str, seconds: float = MAX_SECONDS) -> Iterator[T]:
    """Pass the items on. Raises TooLarge with the sentence once their work has taken so long.

    The thread's own computing counts: a busy machine refuses nothing.
    """
    end = time.thread_time() + seconds
    for at, item in enumerate(items):
        if at % _LOOK_EACH == 0 and time.thread_time() > end:
            raise TooLarge(sentence)
        yield item
