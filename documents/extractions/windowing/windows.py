"""Long documents go to the model in windows of pages that overlap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

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
        is_next = bool(rest) and rest[0] == window[-1] + 1
        if not is_next or len(window) <= OVERLAP_PAGES or self.is_bound_by_output:
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
