"""Long documents go to the model in windows of pages that overlap; their results are put together by row identity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from documents.values import Location, Row, Stored, Where, match_rows

WINDOW_TOKENS = 24_000
OVERLAP_PAGES = 1


@dataclass
class WindowPlan:
    """Which pages go to the model together: as many as fit its input, and as its answer has room for.

    `sizes`: page number → tokens. How long an answer gets is learned from the ones before.
    """

    sizes: Mapping[int, int]
    max_input: int
    output_for_each_input: float = 0.0
    max_output: int = 0

    @property
    def is_bound_by_output(self) -> bool:
        return self.expected_room < self.max_input

    @property
    def expected_room(self) -> float:
        """Tokens of pages whose answer is as long as an answer may be."""
        return self.max_output / self.output_for_each_input if self.output_for_each_input else self.max_input

    def take_window(self, pages: Sequence[int], *, is_begun: bool = False) -> list[int]:
        """The first of these pages that go together. One that is larger alone is a window of its own.

        An answer is used to its end: the page on which it will be cut is among them, and the next answer goes on there.
        `is_begun`: rows of the first page were taken already, about half of them.
        """
        ends = list(accumulate(self.sizes[page] for page in pages))
        fitting = sum(1 for end in ends if end <= self.max_input)
        done = self.sizes[pages[0]] / 2 if is_begun else 0
        needed = sum(1 for end in ends if end - done < self.expected_room) + 1
        return list(pages[: max(1, min(fitting, needed))])

    def list_rest(self, pages: Sequence[int], window: Sequence[int]) -> list[int]:
        """The pages after a window that was answered. Where the input was its bound the last page goes once more, for
        what stands across two pages; where the answer was, it would make every answer longer."""
        rest = list(pages[len(window) :])
        if not rest or len(window) <= OVERLAP_PAGES or self.is_bound_by_output:
            return rest
        overlap = list(window[-OVERLAP_PAGES:])
        fits = sum(self.sizes[page] for page in [*overlap, rest[0]]) <= self.max_input
        return [*overlap, *rest] if fits else rest

    def learn(self, pages: Sequence[int], *, output: int, max_output: int, is_begun: bool, is_cut: bool) -> None:
        """So many tokens were the answer to these pages, of at most `max_output`. Of a page that it began or ended
        within it gave about half."""
        size: float = sum(self.sizes[page] for page in pages)
        size -= (self.sizes[pages[0]] / 2 if is_begun else 0) + (self.sizes[pages[-1]] / 2 if is_cut else 0)
        if size:
            self.output_for_each_input = output / size
            self.max_output = max_output

    def shrink(self, window: Sequence[int]) -> None:
        """Windows of half of this one's size from here on."""
        self.max_input = max(1, sum(self.sizes[page] for page in window) // 2)


@dataclass(frozen=True)
class Part:
    """What one window gave, located on its pages."""

    result: Stored
    provenance: dict[Where, Location]


def merge_parts(parts: Sequence[Part]) -> Part:
    """Earlier windows win for single values; a row that two windows saw is kept once, completed from the later."""
    whole = parts[0]
    for part in parts[1:]:
        rows = match_rows(whole.result, whole.provenance, part.result, part.provenance)
        result = _merge(whole.result, part.result, rows)
        whole = Part(result, part.provenance | whole.provenance)
    return whole


def _merge(one: Stored, other: Stored, rows: Mapping[str, str]) -> Stored:
    if isinstance(one, dict) and isinstance(other, dict):
        names = [*one, *(name for name in other if name not in one)]
        return {name: _merge(one.get(name), other.get(name), rows) for name in names}
    if isinstance(one, list) and isinstance(other, list):
        return _merge_rows(one, other, rows)
    return other if one in (None, "") or one == [] else one


def _merge_rows(one: list[Row], other: list[Row], rows: Mapping[str, str]) -> list[Row]:
    later = {row["row_id"]: row for row in other}
    kept = [
        Row(row_id=row["row_id"], value=_merge(row["value"], later[rows[row["row_id"]]]["value"], rows))
        if rows.get(row["row_id"]) in later
        else row
        for row in one
    ]
    seen = set(rows.values())
    return [*kept, *(row for row in other if row["row_id"] not in seen)]
