"""Pages as people write them: 9-20, or 3, 5-7."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kit.errors import Invalid

SHAPE = "Write pages as 9-20, or 3, 5-7; “{text}” is something else."
_RANGE = re.compile(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?")


def parse_page_ranges(text: str, page_count: int) -> list[int]:
    """In their order, each once. Raises Invalid for what is no range, and for pages that there are not."""
    numbers: set[int] = set()
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            raise Invalid(SHAPE.format(text=text[:60]))
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= page_count:
            raise Invalid(f"There are no pages {part.strip()}. The document has {page_count} pages.")
        numbers.update(range(first, last + 1))
    return sorted(numbers)


def format_page_ranges(numbers: Sequence[int]) -> str:
    """3, 5-7: as `parse_page_ranges` reads it."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in runs)
