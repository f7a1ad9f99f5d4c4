"""Going through something long in parts, a part each time, and from the start again after a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass
class Walk(Generic[T]):
    """`begin` gives all there is, one by one; `every_seconds` after one walk began the next one may.

    How far it has come is this process's own knowledge: after a restart it begins anew. `clock` is monotonic.
    """

    begin: Callable[[], Iterator[T]]
    every_seconds: float
    clock: Callable[[], float] = time.monotonic
    _rest: Iterator[T] | None = field(default=None, init=False)
    _due: float = field(default=float("-inf"), init=False)

    def next_part(self, maximum: int) -> list[T]:
        """Empty until the next walk may begin."""
        if self._rest is None:
            if self.clock() < self._due:
                return []
            self._due, self._rest = self.clock() + self.every_seconds, self.begin()
        part = list(islice(self._rest, maximum))
        if len(part) < maximum:
            self._rest = None
        return part
