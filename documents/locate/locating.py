"""The provenance locator: for every value the words of the page that say it, or an honest "not located"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from documents.locate.choice import NO_MATCH, Choices
from documents.locate.derived import infer_values
from documents.locate.derived.inference import Evidence
from documents.locate.labels import Labels
from documents.locate.leaves import Leaf, LineHints, list_leaves
from documents.locate.locations import MAX_QUOTE, make_candidate, make_location
from documents.locate.matches import Match, Matcher
from documents.locate.nearest import Nearest
from documents.locate.rows.tables import iterate_tables
from documents.locate.similar import Likenesses
from documents.locate.words.index import Index
from documents.locate.words.pages import Line, Spot
from documents.values.addresses import Where
from documents.values.provenance import Location, make_not_located
from documents.values.stored import Schema, Stored
from reader.words import Word

NO_VALUE = "There is no value to look for."
NEAREST = "The pages do not say this value. The nearest words are “{words}” on page {page}."
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
    search = _Search(Matcher(Index(pages)))
    matches = search.find(leaves)
    locations = {leaf.where: make_location(matches.get(leaf.where) or _explain_missing(leaf)) for leaf in leaves}
    locations |= {where: _describe_nearest(matches) for where, matches in search.nearest.items() if matches}
    evidence = Evidence(leaves, locations, search.matcher, search.labels, search.lines)
    return locations | infer_values(evidence)


@dataclass
class _Search:
    """`taken`: the words that values of rows use, at last those of all. `nearest`: words that come near to a value."""

    matcher: Matcher
    labels: Labels = field(default_factory=Labels)
    taken: set[Spot] = field(default_factory=set)
    lines: dict[str, Line] = field(default_factory=dict)
    nearest: dict[Where, list[Match]] = field(default_factory=dict)

    def find(self, leaves: Sequence[Leaf]) -> dict[Where, Match | str]:
        chosen: dict[Where, Match | str] = {}
        rest = [leaf for leaf in leaves if not leaf.row_id]
        for table in iterate_tables(self.matcher, leaves, self.taken):
            table.place()
            for row in table.rows:
                if row.line is not None:
                    self.lines[row.row_id] = row.line
                for leaf in row.leaves:
                    if leaf.field in row.matches:
                        chosen[leaf.where] = row.matches[leaf.field]
                    elif row.line is None:
                        rest.append(leaf)
                    elif self.matcher.find_all(leaf.value):
                        chosen[leaf.where] = NOT_ON_ROW
        present = [leaf for leaf in rest if leaf.value not in (None, "")]
        chosen |= Choices(self.matcher, self.labels, self.taken).choose(present)
        return chosen | self._find_similar(leaves, chosen)

    def _find_similar(self, leaves: Sequence[Leaf], chosen: Mapping[Where, Match | str]) -> dict[Where, Match | str]:
        """Find words near to values that no words say."""
        missing = [
            leaf for leaf in leaves if leaf.value not in (None, "") and chosen.get(leaf.where, NO_MATCH) == NO_MATCH
        ]
        self.taken |= {spot for match in chosen.values() if isinstance(match, Match) for spot in match.spots}
        likenesses = Likenesses(self.matcher, self.labels, self.taken)
        similar = likenesses.choose(missing, self.lines)
        nearest = Nearest(self.matcher, self.labels, self.taken)
        for leaf in missing:
            if leaf.where not in similar:
                text = likenesses.nearest.get(leaf.value) if isinstance(leaf.value, str) else None
                self.nearest[leaf.where] = [text] if text else nearest.find(leaf, self.lines.get(leaf.row_id))
        return {**similar}


def _describe_nearest(matches: Sequence[Match]) -> Location:
    first = matches[0]
    note = NEAREST.format(words=first.quote[:MAX_QUOTE], page=first.page.number)
    return make_not_located(note, *map(make_candidate, matches))


def _explain_missing(leaf: Leaf) -> str:
    return NO_VALUE if leaf.value in (None, "") else NO_MATCH
