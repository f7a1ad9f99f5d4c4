"""A value that the pages do not print rests on the words that it follows from, and on nothing less."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from documents.locate.labels import Labels
from documents.locate.leaves import Leaf
from documents.locate.matches import Matcher
from documents.locate.words.pages import Line
from documents.values.addresses import Where
from documents.values.provenance import Candidate, Location, State
from printed.numbers import parse_number

MAX_PARTS = 60
MAX_WORDS = 300


@dataclass(frozen=True)
class Evidence:
    """The values with what was found for them. `lines`: where rows stand, by their ids."""

    leaves: Sequence[Leaf]
    locations: Mapping[Where, Location]
    matcher: Matcher
    labels: Labels
    lines: Mapping[str, Line]

    @cached_property
    def open(self) -> list[Leaf]:
        """The values that no words say."""
        return [
            leaf
            for leaf in self.leaves
            if leaf.value not in (None, "") and self.locations[leaf.where].state is State.NOT_LOCATED
        ]

    @cached_property
    def groups(self) -> dict[Where, list[Leaf]]:
        """Values side by side, by the object that they are in."""
        groups: defaultdict[Where, list[Leaf]] = defaultdict(list)
        for leaf in self.leaves:
            groups[get_container(leaf)].append(leaf)
        return groups

    def list_printed(self, container: Where) -> list[Leaf]:
        return [leaf for leaf in self.groups.get(container, ()) if self.locations[leaf.where].is_printed]


def get_container(leaf: Leaf) -> Where:
    return leaf.where.rpartition(".")[0] if not leaf.where.endswith("]") else leaf.where


def read_number(leaf: Leaf) -> Decimal:
    return parse_number(leaf.value) or Decimal(0)


def infer_location(sources: Sequence[Location], note: str) -> Location | None:
    """It stands on the boxes of its sources on the first one's page, and `places` has each; all of them are printed."""
    if not sources or not all(source.is_printed for source in sources):
        return None
    page = sources[0].page
    here = [source for source in sources if source.page == page]
    return Location(
        State.INFERRED,
        page,
        tuple(dict.fromkeys(box for source in here for box in source.boxes)),
        " · ".join(dict.fromkeys(source.words for source in here))[:MAX_WORDS],
        note,
        tuple(dict.fromkeys(block for source in here for block in source.blocks)),
        tuple(dict.fromkeys(address for source in here for address in source.addresses)),
        places=tuple(Candidate(source.page or 0, source.boxes, source.words) for source in sources[:MAX_PARTS]),
    )
