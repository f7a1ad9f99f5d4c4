"""The provenance locator: for every value the words of the page that say it, or an honest "not located"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from documents.locate.choice import NO_MATCH, Choices
from documents.locate.inference import find_products
from documents.locate.labels import Labels
from documents.locate.leaves import Leaf, LineHints, list_leaves
from documents.locate.matches import Match, Matcher
from documents.locate.rows.tables import iterate_tables
from documents.locate.words.pages import Index, Spot
from documents.values.addresses import Where
from documents.values.provenance import Box, Location, State, make_not_located
from documents.values.stored import Schema, Stored
from reader.words import Word

NO_VALUE = "There is no value to look for."
NOT_ON_ROW = "The row of this value is on the page, but this value is not clearly in it."


def locate(
    stored: Stored,
    schema: Schema,
    pages: Iterable[tuple[int, Sequence[Word]]],
    hints: LineHints | None = None,
) -> dict[Where, Location]:
    """Provenance of every leaf. The same input always gives the same answer; hidden words are never used.

    `pages`: (page number, words). `hints`: lines that a model names. They decide only between places that say the value
    and are else as good as one another.
    """
    leaves = list_leaves(stored, schema, hints or {})
    matches = _find_matches(leaves, Matcher(Index(pages)))
    locations = {leaf.where: make_location(matches.get(leaf.where) or _explain_missing(leaf)) for leaf in leaves}
    return locations | find_products(leaves, locations)


def _find_matches(leaves: Sequence[Leaf], matcher: Matcher) -> dict[Where, Match | str]:
    taken: set[Spot] = set()
    chosen: dict[Where, Match | str] = {}
    rest = [leaf for leaf in leaves if not leaf.row_id]
    for table in iterate_tables(matcher, leaves, taken):
        table.place()
        for row in table.rows:
            for leaf in row.leaves:
                if leaf.field in row.matches:
                    chosen[leaf.where] = row.matches[leaf.field]
                elif row.line is None:
                    rest.append(leaf)
                elif matcher.find_all(leaf.value):
                    chosen[leaf.where] = NOT_ON_ROW
    present = [leaf for leaf in rest if leaf.value not in (None, "")]
    return chosen | Choices(matcher, Labels(), taken).choose(present)


def _explain_missing(leaf: Leaf) -> str:
    return NO_VALUE if leaf.value in (None, "") else NO_MATCH


def make_location(match: Match | str) -> Location:
    if isinstance(match, str):
        return make_not_located(match)
    return Location(
        State.EXACT if match.exact else State.NORMALIZED,
        match.page.number,
        tuple(_iterate_boxes(match)),
        match.quote,
        match.note,
        tuple(dict.fromkeys(match.page.blocks[at] for at in match.span.words)),
        match.addresses,
    )


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
