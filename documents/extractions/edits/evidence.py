"""Where the new values of changes stand on the pages: searched before the lock, for many pages take seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from documents import values
from documents.extractions.edits.current_values import compute_current_after
from documents.locate import locate, locate_pointed
from documents.models import Extraction
from documents.values import Change, EditKind, Location, Origin, State, Where
from documents.values.addresses import group_leaves_by_place
from reader.words import unpack

MAX_SEARCHES = 3
T = TypeVar("T")


class Outdated(Exception):
    """The values have changed since the pages were searched: what was to be stored rolls back, to search again."""


@dataclass(frozen=True)
class LocatedChange:
    """`locations` go leaf by leaf: ids of new rows are made anew each time a change is planned."""

    change: Change
    locations: tuple[Location, ...]

    def is_of(self, change: Change) -> bool:
        """Whether this puts the same value at the same place."""
        same_place = (self.change.kind, _get_place(self.change)) == (change.kind, _get_place(change))
        return same_place and values.strip_row_ids(self.change.new) == values.strip_row_ids(change.new)

    def find_unproven(self) -> dict[str, Location]:
        """The parts of the new value that no words say, nor follow from any: a value itself by "", a cell of a row by
        `.amount`."""
        if self.change.kind is EditKind.REMOVE_ROW:
            return {}
        new = {"": self.change.new}
        names = values.map_wire_paths(new)
        leaves = zip(values.iterate_leaves(new), self.locations, strict=False)
        return {
            names[where]: place
            for (where, value), place in leaves
            if value is not None and not (place.is_printed or place.state is State.INFERRED)
        }


@dataclass(frozen=True)
class Evidence:
    """Rests on the extraction as it was at `version`; None rests on nothing, as for a try that is rolled back."""

    version: int | None = None
    changes: tuple[LocatedChange, ...] = ()

    def require_current(self, extraction: Extraction) -> None:
        """Raises Outdated. Call it under the extraction's lock."""
        if self.version not in (None, extraction.version):
            raise Outdated

    def of(self, change: Change, at: int = 0) -> LocatedChange | None:
        """What was found for the change, which is the one number `at` of several."""
        located = self.changes[at] if at < len(self.changes) else None
        return located if located and located.is_of(change) else None

    def loosen(self) -> Evidence:
        """Good for any version: a place that says the value says it whatever else has changed meanwhile."""
        return replace(self, version=None)


NO_EVIDENCE = Evidence()
# No extraction has this version: whoever would store with it has to search again.
OUTDATED = Evidence(version=0)


def store_with_evidence(search: Callable[[], Evidence], store: Callable[[Evidence], T]) -> T:
    """Searches, then stores; again while others change values in between, but not for ever."""
    for _ in range(MAX_SEARCHES - 1):
        try:
            return store(search())
        except Outdated:
            continue
    return store(search().loosen())


def find_evidence(extraction: Extraction, changes: Sequence[Change], *, hint: str = "") -> Evidence:
    """Looks for the new values of all changes together. `hint` is the block id of the word that was clicked."""
    version = extraction.version
    is_needed = any(change.kind is not EditKind.REMOVE_ROW for change in changes)
    if not is_needed or not extraction.reading:
        return Evidence(version, tuple(LocatedChange(change, ()) for change in changes))
    # As if a person had made the changes: where a rule may not, nothing is stored and nothing needs to be found.
    current = compute_current_after(extraction, list(extraction.edits.all()), changes, Origin.PERSON)
    pages = [(page.number, unpack(bytes(page.words))) for page in extraction.reading.pages.order_by("number")]
    schema = extraction.schema_revision.json_schema if extraction.schema_revision else {}
    located = locate(current, schema, pages)
    if hint and changes[0].where in located:
        place = changes[0].where
        located[place] = locate_pointed(hint, changes[0].new, pages) or located[place]
    inside = group_leaves_by_place(current, {change.where for change in changes})
    return Evidence(version, tuple(_pick(change, inside[change.where], located) for change in changes))


def _pick(change: Change, leaves: Sequence[Where], located: dict[Where, Location]) -> LocatedChange:
    locations = () if change.kind is EditKind.REMOVE_ROW else tuple(located[where] for where in leaves)
    return LocatedChange(change, locations)


def _get_place(change: Change) -> Where:
    return change.where.rpartition("[")[0] if change.kind is EditKind.ADD_ROW else change.where
