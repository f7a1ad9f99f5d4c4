"""Values that the pages do not print but that follow from located ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import combinations

from documents.locate.leaves import Leaf
from documents.values.addresses import Where
from documents.values.provenance import Location, State
from printed.numbers import parse_number

CENT = Decimal("0.005")


def infer_location(sources: Sequence[Location], note: str) -> Location | None:
    """A derived value stands on the boxes of its sources on the first one's page; all of them must be located."""
    if not sources or not all(source.is_printed for source in sources):
        return None
    page = sources[0].page
    here = [source for source in sources if source.page == page]
    return Location(
        State.INFERRED,
        page,
        tuple(dict.fromkeys(box for source in here for box in source.boxes)),
        " · ".join(dict.fromkeys(source.words for source in here)),
        note,
        tuple(dict.fromkeys(block for source in here for block in source.blocks)),
        tuple(dict.fromkeys(address for source in here for address in source.addresses)),
    )


def find_products(leaves: Sequence[Leaf], locations: Mapping[Where, Location]) -> dict[Where, Location]:
    """A number of a row that is the product of exactly two located numbers of that row, as quantity × unit price."""
    rows: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        if leaf.row_id and parse_number(leaf.value) is not None:
            rows.setdefault(leaf.row_id, []).append(leaf)
    derived: dict[Where, Location] = {}
    for members in rows.values():
        located = [leaf for leaf in members if locations[leaf.where].is_printed]
        for leaf in members:
            pairs = [] if locations[leaf.where].is_located else _find_factors(leaf, located)
            if len(pairs) == 1:
                one, two = pairs[0]
                note = f"{one.field} × {two.field}; the product itself is not printed."
                result = infer_location([locations[one.where], locations[two.where]], note)
                if result:
                    derived[leaf.where] = result
    return derived


def _find_factors(leaf: Leaf, located: Sequence[Leaf]) -> list[tuple[Leaf, Leaf]]:
    product = parse_number(leaf.value)
    if product is None or abs(product) < 10:
        return []
    return [
        (one, two)
        for one, two in combinations(located, 2)
        if 1 not in (a := parse_number(one.value) or Decimal(1), b := parse_number(two.value) or Decimal(1))
        and abs(a * b - product) <= CENT
    ]
