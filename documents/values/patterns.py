"""Which patterns are taken, and how much one makes of itself before it is matched at all."""

from __future__ import annotations

import re
from functools import lru_cache

import regex

# In a pattern: an escaped sign, or a class of signs. Each stands for one sign.
ONE_SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.S)
_COUNTS = re.compile(r"\{(\d*),?(\d*)\}")
MAX_PATTERN = 200
MAX_COUNTED = 5_000
"""A compiled pattern takes some 130 bytes for each counted repeat, so 200 letters can ask for 100 MB."""


@lru_cache(maxsize=1000)
def count_repeats(pattern: str) -> int:
    """The sum of the larger numbers in {n}, {n,} and {n,m}, read as far as MAX_COUNTED matters."""
    counts = _COUNTS.findall(ONE_SIGN.sub("x", pattern))
    # More than nine digits are no honest count, and slow to read as a number.
    return sum(max(int(number[:9] or 0) for number in pair) for pair in counts)


def find_pattern_problem(pattern: str) -> str:
    """What a sentence says of the pattern after "the pattern"; empty when it can be used."""
    if len(pattern) > MAX_PATTERN:
        return f"is longer than {MAX_PATTERN} characters"
    if count_repeats(pattern) > MAX_COUNTED:
        return f"counts more than {MAX_COUNTED:,} repeats; use * or + instead"
    if _repeats_a_choice(pattern):
        return "repeats a group that repeats or chooses, which can take for ever; write it without the outer repeat"
    try:
        # The second is the one that matches, and it refuses some that the first takes.
        re.compile(pattern)
        regex.compile(pattern)
    except (re.error, regex.error) as error:
        return f"is no regular expression: {error}"
    return ""


def _repeats_a_choice(pattern: str) -> bool:
    """Whether a group is repeated in which something repeats, may be missing or is one of several, such as (a|a)*b.

    There are then many ways to read a short text, and all of them are tried before it does not match: hours of them.
    """
    signs = ONE_SIGN.sub("x", pattern)
    chooses = [False]
    for before, sign, after in zip(f" {signs}", signs, f"{signs[1:]} ", strict=False):
        if sign == "(":
            chooses.append(False)
        elif sign == ")" and len(chooses) > 1:
            inner = chooses.pop()
            if inner and after in "*+{":
                return True
            chooses[-1] |= inner
        elif sign in "*+{|" or (sign == "?" and before != "("):
            chooses[-1] = True
    return False
