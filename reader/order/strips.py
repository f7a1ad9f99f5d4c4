"""Empty strips from top to bottom between words, each with the rows that it passes."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reader.words import WordRow

# A row with more gaps is one of a table; a page has few strips at a time. Both bound the work.
MAX_GAPS, MAX_STRIPS = 24, 32
BEFORE_PAGE, BEHIND_PAGE = -1.0, 2.0

Gap = tuple[float, float]


class Strip(NamedTuple):
    """No word of the rows from `first` up to `end` (not with it) stands between left and right."""

    left: float
    right: float
    first: int
    end: int

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    def is_inside(self, other: "Strip") -> bool:
        return (
            other.first <= self.first and self.end <= other.end and self.left < other.right and other.left < self.right
        )


def find_strips(rows: Sequence[WordRow], narrowest: float) -> list[Strip]:
    """Find strips with words on both sides somewhere, each as far up and down as it goes."""
    ended: list[Strip] = []
    open_since: dict[Gap, int] = {}
    for at, row in enumerate(rows):
        gaps = list(iterate_gaps(row, narrowest))
        narrowed: dict[Gap, int] = {}
        for strip, first in open_since.items():
            shared = list(intersect(strip, gaps, narrowest))
            for gap in shared:
                narrowed[gap] = min(first, narrowed.get(gap, first))
            if not shared:
                ended.append(Strip(*strip, first, at))
        for gap in gaps:
            narrowed.setdefault(gap, at)
        open_since = dict(sorted(narrowed.items(), key=lambda pair: pair[1])[:MAX_STRIPS])
    ended += [Strip(*strip, first, len(rows)) for strip, first in open_since.items()]
    return drop_inner([strip for strip in ended if strip.left > BEFORE_PAGE and strip.right < BEHIND_PAGE])


def drop_inner(strips: list[Strip]) -> list[Strip]:
    """The longest, without those that are a stretch of another: rows that are no columns are none in part either."""
    kept: list[Strip] = []
    for strip in sorted(strips, key=lambda strip: strip.first - strip.end)[: 2 * MAX_STRIPS]:
        if not any(strip.is_inside(other) for other in kept):
            kept.append(strip)
    return kept


def iterate_gaps(row: WordRow, narrowest: float) -> Iterator[Gap]:
    """Iterate over gaps; where words stand on one side only, the rest of the page is a gap too."""
    edge, count = BEFORE_PAGE, 0
    for word in sorted(row.words, key=lambda word: word.x0):
        if word.x0 - edge >= narrowest:
            yield edge, word.x0
            count += 1
            if count > MAX_GAPS:
                return
        edge = max(edge, word.x1)
    yield edge, BEHIND_PAGE


def intersect(strip: Gap, gaps: Sequence[Gap], narrowest: float) -> Iterator[Gap]:
    for left, right in gaps:
        shared = max(strip[0], left), min(strip[1], right)
        if shared[1] - shared[0] >= narrowest:
            yield shared
