"""YAML that does not say so in its first line, as most API descriptions and settings are written."""

import re
from itertools import pairwise

# By their first key alone.
KNOWN = re.compile(rb"""(?:openapi|swagger|asyncapi|apiVersion|["']?\$schema["']?):\s""")
# A name, or an item of a list, or a remark.
LINE = re.compile(rb"""\s*(?:#.*|(?:-\s+)*(?:[\w$."'/{}~@*+-]+:(?:\s.*)?|-(?:\s.*)?))$""")
OPENING = re.compile(rb"""\s*(?:-\s+)*[\w$."'/{}~@*+-]+:\s*$""")
NAMED = re.compile(rb"""\s*(?:-\s+)*[\w$."'/{}~@*+-]+:(?:\s|$)""")
MIN_OPENINGS, MIN_SHARE = 2, 0.8


def is_bare_yaml(start: bytes) -> bool:
    """Whether names stand below names, and hardly anything else. A letter with a list in it is none."""
    lines = [line for line in start.splitlines()[:-1] if line.strip() and not line.lstrip().startswith(b"#")]
    if not lines or not NAMED.match(lines[0]) or lines[0][:1].isspace():
        return False
    if KNOWN.match(lines[0]):
        return True
    openings = sum(
        bool(OPENING.match(upper) and NAMED.match(lower) and measure(lower) > measure(upper))
        for upper, lower in pairwise(lines)
    )
    return openings >= MIN_OPENINGS and sum(bool(LINE.match(line)) for line in lines) >= MIN_SHARE * len(lines)


def measure(line: bytes) -> int:
    return len(line) - len(line.lstrip(b" "))
