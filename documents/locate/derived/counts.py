"""A number of rows that no page prints, where the rows are on the pages."""

from __future__ import annotations

from collections.abc import Iterator

from documents.locate.derived.inference import Evidence, infer_location
from documents.locate.leaves import Leaf
from documents.values.addresses import Where
from documents.values.provenance import Location
from printed.folding import split_names

_COUNTS = frozenset(["count", "quantity", "number"])
_ROWS = frozenset(["rows", "lines", "line", "items", "item", "positions", "entries"])


def infer_counts(evidence: Evidence) -> Iterator[tuple[Where, Location]]:
    arrays = {leaf.array for leaf in evidence.leaves if leaf.row_id and "." not in leaf.array}
    for leaf in evidence.open:
        if not leaf.row_id and isinstance(leaf.value, int) and not isinstance(leaf.value, bool):
            for array in arrays:
                if _counts(leaf, array) and (location := _find_rows(leaf, array, evidence)):
                    yield leaf.where, location


def _counts(leaf: Leaf, array: str) -> bool:
    """Whether its name says that it counts this list: line_item_count, number of items."""
    words = set(split_names(leaf.where))
    of = {name.rstrip("s") for name in split_names(array)}
    return bool(leaf.label.own.keys() & _COUNTS) and bool({word.rstrip("s") for word in words} & of or words & _ROWS)


def _find_rows(leaf: Leaf, array: str, evidence: Evidence) -> Location | None:
    """With a printed value of each row as its part."""
    firsts: dict[str, Location] = {}
    rows = {each.row_id for each in evidence.leaves if each.array == array}
    for each in evidence.leaves:
        if each.array == array and evidence.locations[each.where].is_printed:
            firsts.setdefault(each.row_id, evidence.locations[each.where])
    if not len(rows) == len(firsts) == leaf.value:
        return None
    return infer_location(list(firsts.values()), f"The number of rows of {array}; it is not printed itself.")
