"""Guessing is slowed down, by failures alone: each one beyond a few doubles the wait for the next.

Counted in the cache for a quarter of an hour. A wait is a key there that runs out: nobody sleeps in a thread.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import NamedTuple

from django.core.cache import cache

from accounts.services.tokens import digest
from kit.errors import TooMany
from kit.http.client_address import network_of

WINDOW_SECONDS = 15 * 60


class Limit(NamedTuple):
    """So many failures are free; then the wait grows from one second to the longest."""

    free: int
    longest_seconds: int


# Somebody at one address who guesses one account is slowed down first, so that its owner elsewhere is not.
ONE_ACCOUNT_FROM_ONE_ADDRESS = Limit(5, 300)
ONE_ACCOUNT = Limit(25, 60)
ONE_ADDRESS = Limit(100, 60)
# A device that has signed in to the account before is held up by its own failures only.
KNOWN_DEVICE = Limit(10, 300)


@dataclass
class Attempt:
    """Counts as a failure from its begin, so that a hundred at once are not one; `succeed` takes that back."""

    limits: dict[str, Limit]
    counted: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)

    def begin(self) -> None:
        for key, limit in self.limits.items():
            if wait := self._wait(key, limit):
                self.withdraw()
                raise TooMany(f"Too many attempts. Try again in {_in_words(wait)}.", retry_after=wait)

    def succeed(self) -> None:
        """Mistakes of the same person at the same place no longer count; those of others do."""
        self.withdraw()
        cache.delete(next(iter(self.limits)))

    def _wait(self, key: str, limit: Limit) -> int:
        """Seconds until one may try again; 0 lets this one try, and closes the gate behind it."""
        count = _add(key, 1)
        self.counted.append(key)
        if count <= limit.free:
            return 0
        doublings = min(count - limit.free - 1, 20)
        gate, seconds = f"{key}:gate", min(2**doublings, limit.longest_seconds)
        if cache.add(gate, time.time() + seconds, seconds):
            self.closed.append(gate)
            return 0
        return max(1, round((cache.get(gate) or 0) - time.time()))

    def withdraw(self) -> None:
        """It came to no answer, so it counts as none."""
        for key in self.counted:
            _add(key, -1)
        cache.delete_many(self.closed)


def begin_attempt(purpose: str, *, address: str = "", account: str = "", device: str = "") -> Attempt:
    """Raises TooMany while one has to wait. Accounts that do not exist count alike.

    `device` is what `devices.find_device` knows of this account, if anything. Without an address the account is its own
    user's, who is signed in.
    """
    network, account = network_of(address), account.strip().lower()
    if device:
        named: dict[tuple[str, ...], Limit] = {("device", device, account): KNOWN_DEVICE}
    elif not account:
        named = {("address", network): ONE_ADDRESS}
    elif not address:
        named = {("account", account): ONE_ACCOUNT_FROM_ONE_ADDRESS}
    else:
        pair = ("account at address", account, network)
        named = {
            pair: ONE_ACCOUNT_FROM_ONE_ADDRESS,
            ("account", account): ONE_ACCOUNT,
            ("address", network): ONE_ADDRESS,
        }
    attempt = Attempt({f"attempts:{purpose}:{digest(' '.join(names))}": limit for names, limit in named.items()})
    attempt.begin()
    return attempt


def _add(key: str, number: int) -> int:
    cache.add(key, 0, WINDOW_SECONDS)
    try:
        return int(cache.incr(key, number))
    except ValueError:  # it ran out between the two calls
        return number


def _in_words(seconds: int) -> str:
    if seconds < 120:
        return "1 second" if seconds == 1 else f"{seconds} seconds"
    return f"{-(-seconds // 60)} minutes"
