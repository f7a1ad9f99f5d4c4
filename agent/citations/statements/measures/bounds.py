"""Whether a number is the least or the most: “at least 5”, “up to 5”, “5 or more”. Of seven languages."""

from __future__ import annotations

import re

MINIMUM, MAXIMUM = 1, -1
_MINIMUM = (
    "no less than,not less than,no fewer than,not fewer than,at least,more than,over,above,exceeding,exceeds,"
    "minimum of,nicht weniger als,mindestens,mehr als,über,au moins,plus de,pas moins de,au minimum,al menos,"
    "como mínimo,más de,"
    "no menos de,almeno,più di,oltre,non meno di,minstens,ten minste,meer dan,niet minder dan,co najmniej,"
    "przynajmniej,więcej niż,ponad,>,≥,>="
)
_MAXIMUM = (
    "no more than,not more than,at most,up to,less than,fewer than,under,below,not exceeding,not exceed,maximum of,"
    "nicht mehr als,höchstens,maximal,bis zu,weniger als,unter,au plus,jusqu'à,jusqu’à,moins de,pas plus de,"
    "au maximum,como máximo,hasta,menos de,no más de,al massimo,fino a,meno di,non più di,hoogstens,maximaal,"
    "minder dan,niet meer dan,najwyżej,maksymalnie,mniej niż,poniżej,<,≤,<="
)
_MINIMUM_BEHIND = "or more,and more,at least,oder mehr,und mehr,ou plus,o más,o più,of meer,lub więcej"
_MAXIMUM_BEHIND = "or less,or fewer,at most,oder weniger,ou moins,o menos,o meno,of minder,lub mniej"
_NEAR = 30
_DENIED = re.compile(r"\b(?:not|no|never|nicht|kein\w*|nie|pas|jamais|non|niet|geen)\b|n['’]t\b", re.I)


def _join(words: str) -> str:
    return "|".join(re.escape(word) for word in sorted(words.split(","), key=len, reverse=True))


_BEFORE = re.compile(
    rf"(?:(?<![^\W\d_])(?:(?P<maximum>{_join(_MAXIMUM)})|(?P<minimum>{_join(_MINIMUM)})))\s?(?:[^\W\d_]{{2,3}}|[€$£¥])?\s?$",
    re.I,
)
_BEHIND = re.compile(
    rf"\W{{0,2}}\w*\s?(?:(?P<maximum>{_join(_MAXIMUM_BEHIND)})|(?P<minimum>{_join(_MINIMUM_BEHIND)}))\b", re.I
)


def find_bound(text: str, start: int, end: int) -> int:
    """MINIMUM, MAXIMUM or 0, of the number at this place; 0 where something is denied before it."""
    before = text[max(0, start - 2 * _NEAR) : start]
    matches = (_BEFORE.search(before), _BEHIND.match(text, end, end + _NEAR))
    if _DENIED.search(before[: matches[0].start() if matches[0] else None]):
        return 0
    bounds = {(MAXIMUM if match["maximum"] else MINIMUM) for match in matches if match}
    return bounds.pop() if len(bounds) == 1 else 0
