"""Passages of two texts beside each other: the same ones, reworded ones, and those that stand in one alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from documents.comparing.matching import Pair, find_longest_rise, match_equal, match_moved
from documents.comparing.passages import Passage

# Share of the words that two passages have in common, counted twice, in all their words.
MIN_LIKENESS, MIN_MOVED_LIKENESS = 0.5, 0.8
MIN_MOVED_WORDS = 6
# A passage was cut in two where the other one has so much of it.
MIN_CONTAINED = 0.7
# Comparisons of one passage with another, in all. Beyond it what differs is said, and not what it was before.
MAX_COMPARISONS = 100_000
MAX_SHARED = 8


@dataclass(frozen=True)
class Alignment:
    """Places of passages in the one and the other text; one of them is empty for what was added or removed."""

    one: tuple[int, ...]
    other: tuple[int, ...]
    is_moved: bool = False


@dataclass
class Aligner:
    """`is_exhausted`: there was too much to compare each passage with each."""

    one: Sequence[Passage]
    other: Sequence[Passage]
    is_exhausted: bool = False

    def __post_init__(self) -> None:
        self._left = MAX_COMPARISONS
        self._count = lru_cache(maxsize=None)(lambda side, at: Counter(w.key for w in self._get(side, at).words))

    def _get(self, side: int, at: int) -> Passage:
        return (self.other if side else self.one)[at]

    def align(self) -> list[Alignment]:
        """In the order of the other text, with what was removed where it stood."""
        keys, others = [each.identity for each in self.one], [each.identity for each in self.other]
        equal = match_equal(keys, others)
        moved = self._choose_moved(match_moved(keys, others, equal))
        taken, others_taken = {pair.one for pair in moved}, {pair.other for pair in moved}
        rows = [Alignment((pair.one,), (pair.other,)) for pair in equal]
        for start, end, other_start, other_end in _list_gaps(equal, len(keys), len(others)):
            left = [at for at in range(start, end) if at not in taken]
            right = [at for at in range(other_start, other_end) if at not in others_taken]
            rows += self._pair_alike(left, right)
        rows += [Alignment((pair.one,), (pair.other,), is_moved=True) for pair in moved]
        return _sort(self._join_moved(rows))

    def _choose_moved(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Short passages, which may be the same by chance, only beside long ones."""
        long = {pair for pair in pairs if len(self.one[pair.one].words) >= MIN_MOVED_WORDS}
        beside = {Pair(pair.one + step, pair.other + step) for pair in long for step in (-1, 1)}
        return [pair for pair in pairs if pair in long or pair in beside]

    def _pair_alike(self, left: Sequence[int], right: Sequence[int]) -> Iterator[Alignment]:
        """In their order, so that they are as alike as can be together."""
        pairs = self._choose_pairs(left, right) if left and right else []
        joined = [self._extend(pair, left, right, pairs) for pair in pairs]
        yield from joined
        ones, others = {at for row in joined for at in row.one}, {at for row in joined for at in row.other}
        yield from (Alignment((at,), ()) for at in left if at not in ones)
        yield from (Alignment((), (at,)) for at in right if at not in others)

    def _choose_pairs(self, left: Sequence[int], right: Sequence[int]) -> list[Pair]:
        if len(left) * len(right) > self._left:
            self.is_exhausted = True
            return []
        self._left -= len(left) * len(right)
        likeness = [[self._measure(one, other) for other in right] for one in left]
        best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
        for at in reversed(range(len(left))):
            for to in reversed(range(len(right))):
                paired = likeness[at][to] + best[at + 1][to + 1] if likeness[at][to] >= MIN_LIKENESS else 0.0
                best[at][to] = max(paired, best[at + 1][to], best[at][to + 1])
        return list(_trace(best, left, right))

    def _measure(self, one: int, other: int) -> float:
        first, second = self._count(0, one), self._count(1, other)
        total = first.total() + second.total()
        return 2 * (first & second).total() / total if total else 1.0

    def _extend(self, pair: Pair, left: Sequence[int], right: Sequence[int], pairs: Sequence[Pair]) -> Alignment:
        """With neighbours that were one passage with it in the other text."""
        free = set(left) - {each.one for each in pairs}
        others_free = set(right) - {each.other for each in pairs}
        one, other = [pair.one], [pair.other]
        rest = self._count(1, pair.other) - self._count(0, pair.one)
        other_rest = self._count(0, pair.one) - self._count(1, pair.other)
        one += self._list_contained(0, pair.one, free, rest)
        other += self._list_contained(1, pair.other, others_free, other_rest)
        return Alignment(tuple(sorted(one)), tuple(sorted(other)))

    def _list_contained(self, side: int, at: int, free: set[int], rest: Counter[str]) -> Iterator[int]:
        for step in (-1, 1):
            near = at + step
            while near in free and _is_contained(self._count(side, near), rest):
                yield near
                near += step

    def _join_moved(self, rows: list[Alignment]) -> list[Alignment]:
        """Pairs passages that were removed here and added there, almost the same."""
        removed = [row.one[0] for row in rows if not row.other]
        added = [row.other[0] for row in rows if not row.one]
        pairs = list(self._find_moved(removed, added))
        ones, others = {pair.one for pair in pairs}, {pair.other for pair in pairs}
        alone = [row for row in rows if not (row.one and row.other)]
        left = [row for row in alone if ones.isdisjoint(row.one) and others.isdisjoint(row.other)]
        kept = [*(row for row in rows if row.one and row.other), *left]
        return [*kept, *(Alignment((pair.one,), (pair.other,), is_moved=True) for pair in pairs)]

    def _find_moved(self, removed: Sequence[int], added: Sequence[int]) -> Iterator[Pair]:
        by_words: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for at in added:
            for triple in _list_triples(self.other[at]):
                by_words[triple].append(at)
        taken: set[int] = set()
        for at in removed:
            listed = (by_words.get(triple, []) for triple in _list_triples(self.one[at]))
            near = Counter(other for places in listed if len(places) <= MAX_SHARED for other in places)
            for other, _ in near.most_common(1):
                if other not in taken and self._measure(at, other) >= MIN_MOVED_LIKENESS:
                    taken.add(other)
                    yield Pair(at, other)


def _list_triples(passage: Passage) -> set[tuple[str, ...]]:
    keys = [word.key for word in passage.words]
    return set(zip(keys, keys[1:], keys[2:], strict=False)) if len(keys) >= MIN_MOVED_WORDS else set()


def _is_contained(words: Counter[str], rest: Counter[str]) -> bool:
    return (words & rest).total() >= MIN_CONTAINED * words.total()


def _list_gaps(pairs: Sequence[Pair], one_end: int, other_end: int) -> Iterator[tuple[int, int, int, int]]:
    start, other_start = 0, 0
    for one, other in [*pairs, Pair(one_end, other_end)]:
        if start < one or other_start < other:
            yield start, one, other_start, other
        start, other_start = one + 1, other + 1


def _trace(best: Sequence[Sequence[float]], left: Sequence[int], right: Sequence[int]) -> Iterator[Pair]:
    at = to = 0
    while at < len(left) and to < len(right):
        if best[at][to] == best[at + 1][to]:
            at += 1
        elif best[at][to] == best[at][to + 1]:
            to += 1
        else:
            yield Pair(left[at], right[to])
            at, to = at + 1, to + 1


def _sort(rows: Sequence[Alignment]) -> list[Alignment]:
    """By their places in the other text; what was removed follows what it stood behind."""
    steady = find_longest_rise(sorted(Pair(row.one[0], row.other[0]) for row in rows if row.one and row.other))
    places = {pair.one: pair.other for pair in steady}
    behind, last = {}, -1
    for at in range(max((row.one[-1] for row in rows if row.one), default=-1) + 1):
        last = places.get(at, last)
        behind[at] = last
    return sorted(rows, key=lambda row: (row.other[0], 0) if row.other else (behind[row.one[0]], 1 + row.one[0]))
