"""A match as a location: boxes, words and block ids."""

from __future__ import annotations

from collections.abc import Iterable

from documents.locate.matches import Match
from documents.values.provenance import Box, Candidate, Location, State, make_not_located
from printed.confusable import describe_differences

MAX_QUOTE = 200
UNSURE = 80
"""Words that the OCR engine gives less percent are worth a look. Nothing else is concluded from it."""


def make_location(match: Match | str) -> Location:
    if isinstance(match, str):
        return make_not_located(match)
    state = State.SIMILAR if match.differences else State.EXACT if match.exact else State.NORMALIZED
    return Location(
        state,
        match.page.number,
        tuple(_iterate_boxes(match)),
        match.quote,
        describe_differences(match.differences) if match.differences else match.note,
        tuple(dict.fromkeys(match.page.blocks[at] for at in match.span.words)),
        match.addresses,
        differences=match.differences,
        places=tuple(map(make_candidate, match.repeats)),
        look_first=any(match.page.words[at].confidence < UNSURE for at in match.span.words),
    )


def make_candidate(match: Match) -> Candidate:
    return Candidate(match.page.number, tuple(_iterate_boxes(match)), match.quote[:MAX_QUOTE])


def _iterate_boxes(match: Match) -> Iterable[Box]:
    """One box for each visual line."""
    for line in match.lines:
        words = [match.page.words[at] for at in match.span.words if match.page.words[at].line == line]
        yield (
            min(word.x0 for word in words),
            min(word.y0 for word in words),
            max(word.x1 for word in words),
            max(word.y1 for word in words),
        )
