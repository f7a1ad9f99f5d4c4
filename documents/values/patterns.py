"""How much a pattern makes of itself before it is matched at all."""

from __future__ import annotations

import re
from functools import lru_cache

# In a pattern: an escaped sign, or a class of signs. Each stands for one sign.
ONE_SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.S)
_COUNTS = re.compile(r"\{(\d*),?(\d*)\}")
MAX_COUNTED = 5_000
"""A compiled pattern takes some 130 bytes for each counted repeat, so 200 letters can ask for 100 MB."""


@lru_cache(maxsize=1000)
def count_repeats(pattern: str) -> int:
    """The sum of the larger numbers in {n}, {n,} and {n,m}, read as far as MAX_COUNTED matters."""
    counts = _COUNTS.findall(ONE_SIGN.sub("x", pattern))
    # More than nine digits are no honest count, and slow to read as a number.
    return sum(max(int(number[:9] or 0) for number in pair) for pair in counts)
