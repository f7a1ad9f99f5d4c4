"""Numbers that stand in several words: 17 116,55 · 1 ,234.56 · 1,234 .56 · ( 40.50 )."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from reader.words import Word

THOUSANDS_GAP = 1.3
"""Widest space inside one number, in character widths: an ordinary space, not a column's."""
MAX_WORDS = 5

_TRIMMED = ")-%€£$"
# These spaces stand before or behind something that is no number of its own.
_LOOSE_MARK = re.compile(r"(?<=\d) (?=,\d{3}(?!\d))|(?<=\d) (?=\.\d{3}[.,])")
_CENTS = r"\d\d(?:\D|$)"
_LOOSE_CENTS = re.compile(rf"(?<=\d) (?=[.,]{_CENTS})|(?:(?<=\d\.\d{{3}},)|(?<=\d,\d{{3}}\.)) (?={_CENTS})")
_LONE_MARK = re.compile(rf"(?<=\d) ([.,]) (?={_CENTS}|\d{{3}}[.,])")
_BRACKETS = re.compile(r"^\( ?(\S+) ?\)$")


def iterate_joined_numbers(
    texts: Sequence[str], words: Sequence[Word], row: Sequence[int], width: float
) -> Iterator[tuple[tuple[int, ...], str]]:
    """The words and the text of what can be one number, from the first word of the row on."""
    text = texts[row[0]]
    for count in range(2, len(row) + 1):
        gap = words[row[count - 1]].x0 - words[row[count - 2]].x1
        following = texts[row[count - 1]]
        if gap > THOUSANDS_GAP * width or not _may_follow(following):
            return
        text = f"{text}{'' if gap < 0.25 * width and _is_cut_up(text, following) else ' '}{following}"
        joined = _join_marks(text)
        if _is_well_spaced(joined):
            yield tuple(row[:count]), joined


def list_cut_up(texts: Sequence[str], words: Sequence[Word], row: Sequence[int], width: float) -> set[int]:
    """The words that say no number of their own: “,234.56” behind “1”."""
    cut_up: set[int] = set()
    for before, at in pairwise(row):
        is_near = words[at].x0 - words[before].x1 <= THOUSANDS_GAP * width
        if is_near and _LOOSE_MARK.search(f"{texts[before]} {texts[at]}"):
            cut_up |= {before, at}
    return cut_up


def _may_follow(text: str) -> bool:
    return any(char.isdigit() for char in text) or text in (".", ",", ")")


def _is_cut_up(before: str, text: str) -> bool:
    return (before[-1:] in ".," or text[:1] in ".,") and text.rstrip(_TRIMMED).strip(".,").isdigit()


def _join_marks(text: str) -> str:
    text = _LONE_MARK.sub(r"\1", text)
    text = _LOOSE_CENTS.sub("", _LOOSE_MARK.sub("", text))
    return _BRACKETS.sub(r"(\1)", text)


def _is_well_spaced(text: str) -> bool:
    """Whether spaces stand between thousands alone."""
    head, *rest = text.split(" ")
    tails = [tail.rstrip(_TRIMMED) for tail in rest]
    grouped = all(tail[:3].isdigit() and len(tail) >= 3 and tail[3:4] in ("", ".", ",") for tail in tails)
    return (grouped and head[-1:].isdigit() and (not rest or len(head.lstrip("-(€$£")) <= 3)) or not rest
