"""Two lists of texts side by side: which stretch of the one became which of the other."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import TypeAlias

Block: TypeAlias = tuple[int, int, int, int]
"""Start and end in the old list, start and end in the new one."""

MAX_COMPARED = 40_000
"""Old times new texts. The time that SequenceMatcher takes grows with the cube of a length: here at most 0.1 s."""


def align(before: Sequence[str], after: Sequence[str]) -> list[Block]:
    """In order, without gaps. What is the same at both ends is found at once, what lies between as well as it may."""
    head = _count_same_at_start(before, after)
    old, new = before[head:], after[head:]
    tail = _count_same_at_start(old[::-1], new[::-1])
    old, new = old[: len(old) - tail], new[: len(new) - tail]
    between = [(head + a, head + b, head + c, head + d) for a, b, c, d in _align_middle(old, new)]
    same_end = (len(before) - tail, len(before), len(after) - tail, len(after))
    blocks = [(0, head, 0, head), *between, same_end]
    return [block for block in blocks if block[0] < block[1] or block[2] < block[3]]


def _count_same_at_start(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _align_middle(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    if len(old) * len(new) <= MAX_COMPARED:
        return [(a, b, c, d) for _, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()]
    return _align_by_rare_texts(old, new)


def _align_by_rare_texts(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Aligned at the texts that stand once in each (Bram Cohen's patience diff); between them by position."""
    once_old, once_new = _map_unique(old), _map_unique(new)
    places = [(at, once_new[text]) for text, at in once_old.items() if text in once_new]
    rise = _find_longest_rise(places)
    if 2 * len(rise) < min(len(old), len(new)):  # sorted otherwise, say: no row stands for another
        return [(0, len(old), 0, len(new))]
    blocks: list[Block] = []
    start = new_start = 0
    for at, new_at in rise:
        blocks += [(start, at, new_start, new_at), (at, at + 1, new_at, new_at + 1)]
        start, new_start = at + 1, new_at + 1
    return [*blocks, (start, len(old), new_start, len(new))]


def _map_unique(texts: Sequence[str]) -> dict[str, int]:
    counts = Counter(texts)
    return {text: at for at, text in enumerate(texts) if counts[text] == 1}


def _find_longest_rise(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of places in the order of the old list as many as possible that are in the order of the new one too."""
    tops: list[int] = []
    last: list[int] = []
    before: list[int | None] = []
    for at, (_, new_at) in enumerate(places):
        pile = bisect_left(tops, new_at)
        tops[pile : pile + 1], last[pile : pile + 1] = [new_at], [at]
        before.append(last[pile - 1] if pile else None)
    rise, at_place = [], last[-1] if last else None
    while at_place is not None:
        rise.append(places[at_place])
        at_place = before[at_place]
    return rise[::-1]
