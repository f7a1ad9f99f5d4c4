"""Finds the entries of two lists that are the same ones: by those that occur once, then by their order (patience diff).

See Bram Cohen, "Patience Diff Advantages". The time is n log n, also for a hundred thousand equal lines.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MAX_DEPTH = 12


class Pair(NamedTuple):
    """Places in the one and the other list."""

    one: int
    other: int


class _Span(NamedTuple):
    start: int
    end: int
    other_start: int
    other_end: int
    depth: int = 0


def match_equal(one: Sequence[str], other: Sequence[str]) -> list[Pair]:
    """In order, none crossing another."""
    pairs: list[Pair] = []
    spans = [_Span(0, len(one), 0, len(other))]
    while spans:
        span = _trim(one, other, spans.pop(), pairs)
        anchors = _find_anchors(one, other, span)
        pairs += anchors
        spans += _list_gaps(span, anchors) if anchors and span.depth < MAX_DEPTH else ()
    return sorted(pairs)


def _trim(one: Sequence[str], other: Sequence[str], span: _Span, pairs: list[Pair]) -> _Span:
    """Without what both begin and end with, which are pairs."""
    start, end, other_start, other_end, depth = span
    while start < end and other_start < other_end and one[start] == other[other_start]:
        pairs.append(Pair(start, other_start))
        start, other_start = start + 1, other_start + 1
    while start < end and other_start < other_end and one[end - 1] == other[other_end - 1]:
        end, other_end = end - 1, other_end - 1
        pairs.append(Pair(end, other_end))
    return _Span(start, end, other_start, other_end, depth)


def _find_anchors(one: Sequence[str], other: Sequence[str], span: _Span) -> list[Pair]:
    """Pairs entries that occur once in both; where none does, the first of one with the first of the other."""
    places = _list_places(one, span.start, span.end)
    other_places = _list_places(other, span.other_start, span.other_end)
    shared = [entry for entry in places if entry in other_places]
    single = [entry for entry in shared if len(places[entry]) == len(other_places[entry]) == 1]
    chosen = single if single and span.depth < MAX_DEPTH else shared
    candidates = [Pair(*both) for entry in chosen for both in zip(places[entry], other_places[entry], strict=False)]
    return find_longest_rise(sorted(candidates))


def _list_places(entries: Sequence[str], start: int, end: int) -> dict[str, list[int]]:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at in range(start, end):
        places[entries[at]].append(at)
    return places


def find_longest_rise(pairs: Sequence[Pair]) -> list[Pair]:
    """The most of these pairs, sorted by `one`, in which `other` rises too."""
    lasts: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for at, pair in enumerate(pairs):
        height = bisect_left(lasts, pair.other)
        before.append(tops[height - 1] if height else -1)
        lasts[height : height + 1] = [pair.other]
        tops[height : height + 1] = [at]
    rise: list[Pair] = []
    at = tops[-1] if tops else -1
    while at >= 0:
        rise.append(pairs[at])
        at = before[at]
    return rise[::-1]


def _list_gaps(span: _Span, anchors: Sequence[Pair]) -> Iterator[_Span]:
    start, other_start = span.start, span.other_start
    for one, other in [*anchors, Pair(span.end, span.other_end)]:
        if start < one and other_start < other:
            yield _Span(start, one, other_start, other, span.depth + 1)
        start, other_start = one + 1, other + 1


def match_moved(one: Sequence[str], other: Sequence[str], pairs: Sequence[Pair]) -> list[Pair]:
    """Equal entries of what no pair has, wherever they stand."""
    left = _list_unmatched(one, {pair.one for pair in pairs})
    right = _list_unmatched(other, {pair.other for pair in pairs})
    return sorted(
        Pair(*both) for entry, places in left.items() for both in zip(places, right.get(entry, ()), strict=False)
    )


def _list_unmatched(entries: Sequence[str], matched: set[int]) -> dict[str, list[int]]:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, entry in enumerate(entries):
        if at not in matched:
            places[entry].append(at)
    return places
