"""Patterns of a profile, searched without regard to case and within a time."""

from __future__ import annotations

import regex

PATTERN_SECONDS = 0.2


def search_pattern(pattern: str, text: str, *, when_slow: bool) -> bool:
    """`when_slow` is the answer where a pattern takes too long: the one that lets nothing foreign pass."""
    try:
        return regex.search(pattern, text, flags=regex.IGNORECASE, timeout=PATTERN_SECONDS) is not None
    except TimeoutError:
        return when_slow
