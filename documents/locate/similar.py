"""Words that say nearly the value: a slip of a letter, by the model or by whoever read the page.

A text may differ in letters alone, an amount or a date only by letters that read like its digits (2O26): digits that
are others make another value, however near it is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from documents.locate.labels import Labels
from documents.locate.leaves import Leaf
from documents.locate.matches import Match, Matcher
from documents.locate.weights import is_self_evident
from documents.locate.words.flows import Flow, build_flow
from documents.locate.words.pages import Line, Page, Span, Spot
from printed.confusable import list_differences
from printed.dates import parse_dates
from printed.folding import compact_text, digits_agree
from printed.numbers import parse_money

LIKE = 0.9
NEAR = 0.75
LABELLED = 0.3
MIN_LETTERS = 4
TELLING = 10
"""Letters and digits of a text that needs no label to be meant."""
MAX_LETTERS = 400
LINES_ABOVE, LINES_BELOW = 1, 2
MAX_SEARCHES = 600
"""Pages and rows searched for all values together; each takes up to a few milliseconds."""


@dataclass
class Likenesses:
    """Looks for the values that stand nowhere as they are. `nearest`: by a value the words that come nearest to it."""

    matcher: Matcher
    labels: Labels
    taken: set[Spot]
    nearest: dict[str, Match] = field(default_factory=dict)
    _searches: int = 0

    def choose(self, leaves: Iterable[Leaf], lines: Mapping[str, Line]) -> dict[str, Match]:
        """By the address of a value. `lines`: where rows stand, by their ids."""
        chosen: dict[str, Match] = {}
        for leaf in leaves:
            match = self._choose(leaf, lines.get(leaf.row_id))
            if match:
                chosen[leaf.where] = match
                self.taken |= match.spots
        return chosen

    def _choose(self, leaf: Leaf, line: Line | None) -> Match | None:
        options = [match for match in self._find(leaf.value, line) if not match.spots & self.taken]
        if line is not None:
            return options[0] if len({match.quote for match in options}) == 1 else None
        scored = sorted(((self.labels.fit(leaf.label, match), match) for match in options), key=lambda pair: -pair[0])
        if not scored:
            return None
        fit, best = scored[0]
        is_tied = fit >= LABELLED or (best.kind == "text" and self._speaks_for_itself(str(leaf.value), best))
        rivals = {match.quote for other, match in scored if other == fit}
        return best if is_tied and len(rivals) == 1 else None

    def _speaks_for_itself(self, value: str, match: Match) -> bool:
        """A long text, a code that reads alike, or all that stands in its cell."""
        if all(each.is_alike for each in match.differences) and is_self_evident(value):
            return True
        cells = {match.page.cell_of[at] for at in match.span.words}
        is_whole = sum(len(match.page.cells[cell]) for cell in cells) == len(match.span.words)
        return len(compact_text(value)) >= TELLING or is_whole

    def _find(self, value: object, line: Line | None) -> list[Match]:
        if isinstance(value, bool) or value in (None, ""):
            return []
        if not isinstance(value, str) or parse_money(value) or parse_dates(value):
            confused = self.matcher.find_confused(value)
            return [match for match in confused if line is None or (match.span.page, match.lines[0]) == line]
        compact = compact_text(value)
        if not MIN_LETTERS <= len(compact) <= MAX_LETTERS:
            return []
        flows = self.matcher.index.flows if line is None else list(_list_row_flows(self.matcher.index.pages, line))
        matches: dict[frozenset[Spot], Match] = {}
        for match, ratio in self._iterate_near(compact, flows):
            match.differences = list_differences(value, match.quote)
            if _is_alike(value, match, ratio):
                matches.setdefault(match.spots, match)
            elif value not in self.nearest:
                self.nearest[value] = match
        return sorted(matches.values(), key=lambda match: match.order)

    def _iterate_near(self, compact: str, flows: Sequence[Flow]) -> Iterator[tuple[Match, float]]:
        for flow in flows:
            if self._searches >= MAX_SEARCHES:
                return
            self._searches += 1
            place = fuzz.partial_ratio_alignment(compact, flow.text, score_cutoff=100 * NEAR)
            if place is None or len(flow.text) < len(compact) * NEAR:
                continue
            span, ratio = _fit_to_words(flow, compact, place.dest_start, place.dest_end)
            if span and ratio >= NEAR:
                yield Match(self.matcher.index.pages[flow.page], span, "text"), ratio


def _is_alike(value: str, match: Match, ratio: float) -> bool:
    """Where letters differ that do not read alike, no digit may: INV-2027 is no misreading of INV-2026."""
    if not match.differences or not digits_agree(value, match.quote):
        return False
    others = [each for each in match.differences if not each.is_alike]
    return not others or (ratio >= LIKE and not any(each.has_digits for each in others))


def _fit_to_words(flow: Flow, compact: str, start: int, end: int) -> tuple[Span | None, float]:
    """The whole words around that place which come nearest to the value."""
    starts, ends = list(flow.starts), list(flow.ends)
    first, last = bisect_right(starts, start) - 1, bisect_left(ends, end)
    best, best_ratio = None, 0.0
    for one in starts[max(0, first - 1) : first + 3]:
        for other in ends[max(0, last - 2) : last + 2]:
            ratio = Indel.normalized_similarity(compact, flow.text[one:other]) if one < other else 0.0
            if ratio > best_ratio:
                best, best_ratio = Span(flow.page, tuple(flow.words[flow.starts[one] : flow.ends[other] + 1])), ratio
    return best, best_ratio


def _list_row_flows(pages: Sequence[Page], line: Line) -> Iterator[Flow]:
    """The row's own line, and each of its cells with those above and below it."""
    page = pages[line[0]]
    yield build_flow(line[0], page, page.rows[line[1]])
    at = page.lines.index(line[1])
    around = page.lines[max(0, at - LINES_ABOVE) : at + 1 + LINES_BELOW]
    for cell in dict.fromkeys(page.cell_of[word] for word in page.rows[line[1]]):
        left, right = (page.words[page.cells[cell][place]] for place in (0, -1))
        yield build_flow(
            line[0],
            page,
            [
                word
                for other in around
                for word in page.rows[other]
                if page.words[word].x0 < right.x1 and page.words[word].x1 > left.x0
            ],
        )
