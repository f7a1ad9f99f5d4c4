"""Limits on guessing, counted in the cache: per address and per account, for a quarter of an hour."""

from __future__ import annotations

from django.core.cache import cache

from accounts.services.tokens import digest
from docrouter.kit.errors import TooMany

WINDOW_SECONDS = 15 * 60
MOST_PER_ACCOUNT, MOST_PER_ADDRESS = 10, 100


def count_attempt(purpose: str, *, address: str, account: str = "") -> None:
    """Counts one attempt and raises TooMany over the limit; accounts that do not exist count alike."""
    limits = {_key(purpose, "address", address): MOST_PER_ADDRESS}
    if account:
        limits[_key(purpose, "account", account.strip().lower())] = MOST_PER_ACCOUNT
    counts = {key: _count(key) for key in limits}
    if any(counts[key] > most for key, most in limits.items()):
        raise TooMany("Too many attempts. Wait 15 minutes, then try again.", retry_after=WINDOW_SECONDS)


def forget(purpose: str, *, account: str) -> None:
    """After the right password: earlier mistakes no longer count."""
    cache.delete(_key(purpose, "account", account.strip().lower()))


def _key(purpose: str, kind: str, value: str) -> str:
    return f"attempts:{purpose}:{kind}:{digest(value)}"


def _count(key: str) -> int:
    cache.add(key, 0, WINDOW_SECONDS)
    try:
        return cache.incr(key)
    except ValueError:  # it ran out between the two calls
        return 1
