"""Amounts that follow from others which are named so: a product in a row, a sum of rows, tax, net and gross.

Each is one equation between fields whose names say their parts in it. No set of numbers is searched for one that fits:
among some dozens there is always one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import combinations

from documents.locate.derived.inference import Evidence, get_container, infer_location, read_number
from documents.locate.leaves import Leaf
from documents.values.addresses import Where
from documents.values.provenance import Location
from printed.numbers import parse_number

CENT = Decimal("0.01")
HALF_CENT = Decimal("0.005")
MIN_PRODUCT = 10
MIN_ROWS = 2
_RATES = frozenset(["rate", "percent", "percentage"])
_GROSS = frozenset(["total", "gross", "due"])
_NO_AMOUNT = frozenset(["number", "id", "code", "date", "name", "count", "quantity"])


def infer_amounts(evidence: Evidence) -> Iterator[tuple[Where, Location]]:
    for leaf in evidence.open:
        if parse_number(leaf.value) is not None:
            options = [*_find_products(leaf, evidence), *_find_sums(leaf, evidence), *_find_taxes(leaf, evidence)]
            if options:
                yield leaf.where, options[0]


def name_role(leaf: Leaf) -> str:
    """`subtotal`, `tax`, `rate`, `total` or nothing, by the words of its name in any language."""
    own = leaf.label.own.keys()
    if own & _RATES:
        return "rate" if "tax" in own or own <= _RATES else ""
    if own & _NO_AMOUNT:
        return ""
    for role in ("subtotal", "tax"):
        if role in own:
            return role
    return "total" if own & _GROSS else ""


def _find_products(leaf: Leaf, evidence: Evidence) -> Iterator[Location]:
    """A number of a row that is the product of exactly two printed numbers of that row, as quantity × unit price."""
    product = read_number(leaf)
    if not leaf.row_id or abs(product) < MIN_PRODUCT:
        return
    printed = [each for each in evidence.list_printed(get_container(leaf)) if parse_number(each.value) not in (None, 1)]
    pairs = [
        (one, two)
        for one, two in combinations(printed, 2)
        if abs(read_number(one) * read_number(two) - product) <= HALF_CENT
    ]
    if len(pairs) == 1:
        one, two = pairs[0]
        yield from _infer(evidence, (one, two), f"{one.field} × {two.field}; the product itself is not printed.")


def _find_sums(leaf: Leaf, evidence: Evidence) -> Iterator[Location]:
    """The sum of a column of a list beside it, each cell of which is printed."""
    if leaf.row_id or name_role(leaf) not in ("total", "subtotal"):
        return
    for array, column in _list_columns(leaf, evidence):
        cells = [each for each in evidence.leaves if each.array == array and each.field == column]
        rows = {each.row_id for each in evidence.leaves if each.array == array}
        if len(cells) == len(rows) >= MIN_ROWS and sum(map(read_number, cells)) == read_number(leaf):
            note = f"The sum of {len(cells)} values of {array} ({column}); the sum itself is not printed."
            yield from _infer(evidence, cells, note)


def _list_columns(leaf: Leaf, evidence: Evidence) -> list[tuple[Where, str]]:
    """Amounts, or what the field's own name says beside “total”: total_hours sums hours."""
    own = leaf.label.own.keys() - _GROSS - {"subtotal", "amount"}
    columns = {
        (each.array, each.field): each
        for each in evidence.leaves
        if each.row_id and "[" not in each.array and "." not in each.field and parse_number(each.value) is not None
    }
    return [
        place
        for place, each in columns.items()
        if (own & each.label.own.keys() if own else each.label.column == "amount" or "amount" in each.label.own)
    ]


def _find_taxes(leaf: Leaf, evidence: Evidence) -> Iterator[Location]:
    """Net, tax, rate and gross by the names beside it, where the page prints two of them."""
    value, role = read_number(leaf), name_role(leaf)
    parts = {name: each for each in evidence.list_printed(get_container(leaf)) if (name := name_role(each))}
    names = [name_role(each) for each in evidence.list_printed(get_container(leaf))]
    for needed, result, note in _EQUATIONS.get(role, ()):
        if all(names.count(name) == 1 for name in needed):
            amounts = [read_number(parts[name]) for name in needed]
            if value and _round(_compute(result, amounts)) == value:
                words = note.format(*(parts[name].field or parts[name].where for name in needed))
                yield from _infer(evidence, [parts[name] for name in needed], words)


_EQUATIONS = {
    "tax": (
        (("total", "subtotal"), "difference", "{} − {}; the difference is not printed."),
        (("subtotal", "rate"), "share", "{} × {}; the tax itself is not printed."),
        (("total", "rate"), "contained", "The tax that is in {} at {}; it is not printed."),
    ),
    "subtotal": (
        (("total", "tax"), "difference", "{} − {}; the difference is not printed."),
        (("total", "rate"), "net", "{} without tax at {}; it is not printed."),
    ),
    "total": (
        (("subtotal", "tax"), "sum", "{} + {}; the sum is not printed."),
        (("subtotal", "rate"), "gross", "{} with tax at {}; it is not printed."),
    ),
}


def _compute(result: str, amounts: Sequence[Decimal]) -> Decimal:
    one, two = amounts
    rate = two / 100 if abs(two) >= 1 else two
    match result:
        case "difference":
            return one - two
        case "sum":
            return one + two
        case "share":
            return one * rate
        case "net":
            return one / (1 + rate)
        case "contained":
            return one - one / (1 + rate)
        case _:
            return one * (1 + rate)


def _round(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)


def _infer(evidence: Evidence, parts: Sequence[Leaf], note: str) -> Iterator[Location]:
    location = infer_location([evidence.locations[part.where] for part in parts], note)
    if location:
        yield location
