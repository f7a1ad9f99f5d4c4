"""Places of which each of several groups gets its share, however much one of them asks for."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kit.errors import Busy

NONE_FREE = "Many ask for the same at this moment. Try again in a few seconds."


@dataclass(frozen=True, eq=False)
class _Ticket:
    group: str


class FairPlaces:
    """At most `size` are taken at once. A free one goes to the group with the fewest, then to the longest unserved."""

    def __init__(self, size: int, *, refusal: str = NONE_FREE) -> None:
        self.free, self.refusal = size, refusal
        self.taken: Counter[str] = Counter()
        self.waiting: list[_Ticket] = []
        # When a group last got a place, counted in places given. Forgotten as soon as all are free.
        self.latest: dict[str, int] = {}
        self.changed = threading.Condition()

    @contextmanager
    def take(self, group: str, seconds: float | None) -> Iterator[None]:
        """Waits as long as it takes, or raises Busy after `seconds`."""
        with self.changed:
            self._wait(_Ticket(group), seconds)
            self.free -= 1
            self.taken[group] += 1
            self.latest[group] = max(self.latest.values(), default=0) + 1
            self.changed.notify_all()
        try:
            yield
        finally:
            with self.changed:
                self.free += 1
                self.taken -= Counter([group])
                if not self.taken and not self.waiting:
                    self.latest.clear()
                self.changed.notify_all()

    def _wait(self, ticket: _Ticket, seconds: float | None) -> None:
        self.waiting.append(ticket)
        try:
            if not self.changed.wait_for(lambda: self.free > 0 and self._choose_next() is ticket, seconds):
                raise Busy(self.refusal)
        finally:
            self.waiting.remove(ticket)

    def _choose_next(self) -> _Ticket:
        return min(self.waiting, key=lambda ticket: (self.taken[ticket.group], self.latest.get(ticket.group, 0)))
