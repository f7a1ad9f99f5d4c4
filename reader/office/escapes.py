"""Letters that Office Open XML writes by their numbers, since XML has no place for them.

ECMA-376 part 1, 22.9.2.19.
"""

import re

ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff]")


def decode_escapes(text: str) -> str:
    """`_x000D_` is a line break, and `_x005F_` the underscore before what only looks like one."""
    if "_x" not in text:
        return text
    decoded = ESCAPE.sub(lambda match: chr(int(match[1], 16)), text).replace("\r\n", "\n").replace("\r", "\n")
    return CONTROLS.sub(" ", decoded)
