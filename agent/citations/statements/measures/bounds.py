"""Whether a number is the least or the most: “at least 5”, “up to 5”, “5 or more”."""

from __future__ import annotations

import re

from printed.languages import write_pattern

MINIMUM, MAXIMUM = 1, -1
_NEAR = 30
_DENIED = re.compile(rf"{write_pattern(lambda language: language.negations)}|n['’]t\b", re.I)
_MINIMUM = write_pattern(lambda language: language.minimum)
_MAXIMUM = write_pattern(lambda language: language.maximum)
_MINIMUM_BEHIND = write_pattern(lambda language: language.minimum_behind)
_MAXIMUM_BEHIND = write_pattern(lambda language: language.maximum_behind)
_BEFORE = re.compile(rf"(?:(?P<maximum>{_MAXIMUM})|(?P<minimum>{_MINIMUM}))\s?(?:[^\W\d_]{{2,3}}|[€$£¥])?\s?$", re.I)
_BEHIND = re.compile(rf"\W{{0,2}}\w*\s?(?:(?P<maximum>{_MAXIMUM_BEHIND})|(?P<minimum>{_MINIMUM_BEHIND}))", re.I)


def find_bound(text: str, start: int, end: int) -> int:
    """MINIMUM, MAXIMUM or 0, of the number at this place; 0 where something is denied before it."""
    before = text[max(0, start - 2 * _NEAR) : start]
    matches = (_BEFORE.search(before), _BEHIND.match(text, end, end + _NEAR))
    if _DENIED.search(before[: matches[0].start() if matches[0] else None]):
        return 0
    bounds = {(MAXIMUM if match["maximum"] else MINIMUM) for match in matches if match}
    return bounds.pop() if len(bounds) == 1 else 0
