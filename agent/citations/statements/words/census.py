"""Names of people by a census, the most frequent first."""

from __future__ import annotations

from functools import cache

FIRST, FAMILY = ("female_names", "male_names"), ("surnames",)


@cache
def load_names(kinds: tuple[str, ...], limit: int | None = None) -> frozenset[str]:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 - 13 MB of words, for the first check

    return frozenset(name for kind in kinds for name in FREQUENCY_LISTS[kind][:limit])
