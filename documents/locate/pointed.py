"""A person pointed at a word: if it says the value, that is where the value stands, whatever its label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from documents.locate.locations import make_location
from documents.locate.matches import Match, Matcher
from documents.locate.words.index import Index
from documents.values.provenance import Location
from kit.json_types import Json
from reader.words import Word


def locate_pointed(block: str, value: Json, pages: Iterable[tuple[int, Sequence[Word]]]) -> Location | None:
    """`block` is `page.line.word` or `page.line`; None when the words there say something else."""
    matches = [match for match in Matcher(Index(pages)).find_all(value) if _covers(match, block)]
    return make_location(matches[0]) if matches else None


def _covers(match: Match, block: str) -> bool:
    words = [match.page.blocks[at] for at in match.span.words]
    lines = {word.rpartition(".")[0] for word in words}
    return block in words or block in lines
