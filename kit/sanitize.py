"""Text and JSON from outside, as every database, socket and encoder can keep it.

JSON may name half a character ("\\ud800"), NUL, or a number beyond any float; UTF-8, PostgreSQL and SQLite's own JSON
refuse those only when it is too late.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import NoReturn

from kit.json_types import Json

NO_NUL = "Null characters are not allowed."
Place = tuple[str | int, ...]
DEEPEST = 200
# Ten times what a schema or a long invoice holds. Python makes an object of each, and looks at each.
MAX_VALUES = 50_000
_TOO_DEEP = f"nested more than {DEEPEST} levels deep"
# A string, to its end or to that of the text, or a sign that begins, parts or ends values. Never tries anything twice.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},]', re.DOTALL)
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_HALVES = re.compile("[\ud800-\udfff]")
# No font draws these, but models read them as letters: the Tags block, and variation selectors of the second kind.
_UNDRAWN = "\U000e0000-\U000e007f\U000e0100-\U000e01ef"
_UNSEEN = re.compile(f"[{_UNDRAWN}]")
# With these a line shows its letters in another order than it holds them, or words apart that read as one. The joiners
# stay: Persian and family emoji need them.
_TURNING = re.compile(f"[{_UNDRAWN}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


class TooDeep(ValueError):
    """JSON, but lists and objects stand inside each other beyond any use."""


class TooMuch(ValueError):
    """JSON of more values than anything here has."""


class Unkept(ValueError):
    """JSON that no database or encoder keeps."""


class HoldsNul(Unkept):
    """`place` says where: names and positions, the last one of the text that holds it."""

    def __init__(self, place: Place) -> None:
        super().__init__(f"The JSON holds a null character (\\u0000) in {'.'.join(map(str, place)) or 'its text'}.")
        self.place = place


def text(value: str) -> str:
    """Halves that belong together are joined, others become U+FFFD; NUL is left out."""
    if _HALVES.search(value):
        value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return value.replace("\0", "")


def strip_invisible(value: str) -> str:
    """Without letters that nobody sees."""
    return _UNSEEN.sub("", value)


def leave_visible(value: str) -> str:
    """Without letters that nobody sees, and signs behind which letters are shown in another order."""
    return _TURNING.sub("", value)


def visible_only(content: Json) -> Json:
    """Leave out what a person could not see, or would see in another order: people approve what they see."""
    if isinstance(content, str):
        return leave_visible(content)
    if isinstance(content, list):
        return [visible_only(inner) for inner in content]
    if isinstance(content, dict):
        return {visible_only(name): visible_only(inner) for name, inner in content.items()}
    return content


def value(content: Json) -> Json:
    """Apply `text` to every string, and put null for every number that is none."""
    if isinstance(content, str):
        return text(content)
    if isinstance(content, float):
        return content if math.isfinite(content) else None
    if isinstance(content, list):
        return [value(inner) for inner in content]
    if isinstance(content, dict):
        return {text(name): value(inner) for name, inner in content.items()}
    return content


def parse(source: str) -> Json:
    """JSON from a request, as it is. Raises ValueError with a sentence, its kinds above among them.

    What is too large is refused by its signs, before an object is made of any of it.
    """
    count_values(source)
    try:
        content = json.loads(source, parse_constant=_refuse_number, parse_float=_finite_number)
    except RecursionError as error:
        raise TooDeep("The JSON is nested too deeply.") from error
    if _ESCAPED_HALF.search(source) and not is_plain(content):
        raise Unkept("The JSON holds half a character (a lone surrogate).")
    if "\\u0000" in source and (place := next(_iterate_nuls(content, ()), None)) is not None:
        raise HoldsNul(place)
    return content


def _iterate_nuls(content: Json, place: Place) -> Iterator[Place]:
    if isinstance(content, str) and "\0" in content:
        yield place
    entries = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for name, inner in entries:
        if isinstance(name, str) and "\0" in name:
            yield (*place, name)
        yield from _iterate_nuls(inner, (*place, name))


def count_values(source: str) -> int:
    """Count the values of the JSON, at most one more. Raises TooDeep or TooMuch.

    Stops at the first value too many, and trusts no bracket inside a string.
    """
    depth = count = 0
    for number, token in enumerate(_TOKEN.finditer(source)):
        sign = source[token.start()]
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        count += sign in "[{,"
        if depth > DEEPEST:
            raise TooDeep("The JSON is nested too deeply.")
        # Strings side by side are no JSON, but would be read to their end.
        if count > MAX_VALUES or number > 5 * MAX_VALUES:
            raise TooMuch(f"The JSON holds more than {MAX_VALUES:,} values.")
    return count


def _finite_number(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse_number(digits)


def _refuse_number(digits: str) -> NoReturn:
    raise Unkept(f"The JSON holds {digits[:20]}, a number that is too large or none at all.")


def loads(source: str) -> Json:
    """JSON as a model wrote it, made plain. Raises ValueError, TooDeep among them."""
    content = _loads(source)
    if deeper_than(content, DEEPEST):
        raise TooDeep(_TOO_DEEP)
    return value(content)


def _loads(source: str) -> Json:
    try:
        return json.loads(source)
    except RecursionError as error:
        raise TooDeep(_TOO_DEEP) from error


def strip_trailing_commas(text: str) -> str:
    """Commas before a closing bracket, outside of strings."""
    # A string may end with the text: a regex that then began again at each of its quotes would take seconds.
    return re.sub(r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*[}\]])', lambda match: match[1] or "", text, flags=re.DOTALL)


def deeper_than(content: Json, levels: int) -> bool:
    """Whether lists and objects stand inside each other more often than that. Asks no stack."""
    layer = [content]
    for _ in range(levels + 1):
        layer = [inner for outer in layer for inner in _inside(outer)]
        if not layer:
            return False
    return True


def is_plain(content: Json) -> bool:
    """Whether no string holds half a character and every number is one. NUL counts as plain here."""
    stack = [content]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack += item
        if isinstance(item, str) and not item.isascii() and _HALVES.search(item):
            return False
        if isinstance(item, float) and not math.isfinite(item):
            return False
        stack += _inside(item)
    return True


def _inside(content: Json) -> Iterator[Json]:
    if isinstance(content, dict):
        yield from content.values()
    elif isinstance(content, list):
        yield from content
