"""The sums below a document: by their labels, and where labels say several, by which of them add up."""

from collections.abc import Iterable
from itertools import product

from offline_model.fields.labels import FoundValue, LabelledValue, list_values
from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.tables import list_table_lines
from offline_model.fields.values import parse_number, parse_percent
from offline_model.fields.vocabulary import BY_NAME
from offline_model.text import compile_labels
from printed.folding import fold_letters

CENT = 0.015
_SUMS = tuple(label for name in ("total", "subtotal", "tax") for label in BY_NAME[name].labels)
Amounts = list[tuple[LabelledValue, float]]


def find_total(layout: Layout) -> FoundValue | None:
    totals, subtotals, taxes = (_list_amounts(layout, name) for name in ("total", "subtotal", "tax"))
    if not totals:
        sums = {round(net + tax, 2) for (_, net), (_, tax) in product(subtotals, taxes) if tax}
        return _find_printed(layout, sums) if len(sums) == 1 else None
    totals = [pair for pair in totals if pair[1]] or totals
    added = [pair for pair in totals if _is_sum(layout, pair[1], subtotals, taxes)]
    return _choose(added or totals, largest=True)


def _is_sum(layout: Layout, total: float, subtotals: Amounts, taxes: Amounts) -> bool:
    more = [sum(signs) for signs in product(*((0, value) for value in _list_extras(layout)))]
    sums = (net + tax + extra for (_, net), (_, tax) in product(subtotals, taxes) for extra in more if net != total)
    return any(abs(total - each) < CENT for each in sums)


def _list_extras(layout: Layout) -> list[float]:
    """List the amounts between the net sum and the total: the discount is taken off, the rest is added."""
    hits = {name: _choose(_list_amounts(layout, name)) for name in ("discount", "shipping", "rounding")}
    values = {name: hit.value for name, hit in hits.items() if hit}
    signs = {"discount": -1}
    return [
        signs.get(name, 1) * abs(v) if name in signs else v for name, v in values.items() if isinstance(v, int | float)
    ]


def find_subtotal(layout: Layout) -> FoundValue | None:
    subtotals, total, tax = _list_amounts(layout, "subtotal"), find_total(layout), find_tax(layout)
    if total and tax:
        gap = round(_as_float(total) - _as_float(tax), 2)
        fitting = [pair for pair in subtotals if abs(pair[1] - gap) < CENT]
        if fitting or not subtotals:
            return _choose(fitting) or (_find_printed(layout, {gap}) if _as_float(tax) else None)
    return _choose(subtotals)


def find_tax(layout: Layout) -> FoundValue | None:
    """One amount of tax; of several, the one that makes the total of a net sum."""
    taxes, subtotals, total = _list_amounts(layout, "tax"), _list_amounts(layout, "subtotal"), find_total(layout)
    exact = [pair for pair in taxes if isinstance(pair[0].found.value, float)] or taxes
    if total:
        exact = [pair for pair in exact if abs(pair[1]) < abs(_as_float(total)) or not pair[1]]
        gaps = [_as_float(total) - net for _, net in subtotals]
        fitting = [pair for pair in exact if any(abs(pair[1] - gap) < CENT for gap in gaps)]
        if fitting:
            return _choose(fitting)
    values = {value for _, value in exact}
    return _choose(exact) if len(values) == 1 and isinstance(exact[0][0].found.value, float) else None


def find_tax_rate(layout: Layout) -> FoundValue | None:
    """The only rate that is printed with a label of tax; none where amounts are taxed at others too."""
    labels = compile_labels(BY_NAME["tax_rate"].labels)
    rows = list_table_lines(layout)
    lines = [line for line in layout.lines if line not in rows]
    cells = [(line, cell) for line in lines for cell in line.cells if labels.search(fold_letters(cell))]
    rates = [FoundValue(rate, line, cell) for line, cell in cells if (rate := parse_percent(cell)) is not None]
    rates = rates or [each.found for each in list_values(layout, BY_NAME["tax_rate"])]
    others = [rate for line in lines if _is_summary_row(line) and (rate := parse_percent(line.text)) is not None]
    return rates[0] if len({hit.value for hit in rates} | set(others)) == 1 and rates else None


def _is_summary_row(line: LayoutLine) -> bool:
    """A rate and two amounts: what was taxed at it, and the tax."""
    return sum(isinstance(parse_number(cell), float) for cell in line.cells) > 1


def names_amount(text: str) -> bool:
    """Whether the text opens with the label of a sum."""
    return bool(compile_labels(_SUMS).match(fold_letters(text)))


def _list_amounts(layout: Layout, name: str) -> Amounts:
    values = ((each, each.found.value) for each in list_values(layout, BY_NAME[name]))
    return [(each, float(value)) for each, value in values if isinstance(value, int | float)]


def _choose(amounts: Iterable[tuple[LabelledValue, float]], *, largest: bool = False) -> FoundValue | None:
    """The best labelled; of those that are labelled alike the largest or the first."""
    ranked = [
        (each.distance, each.rank, -abs(value) if largest else 0, at, each) for at, (each, value) in enumerate(amounts)
    ]
    return min(ranked, key=lambda key: key[:4])[4].found if ranked else None


def _as_float(hit: FoundValue) -> float:
    return float(hit.value) if isinstance(hit.value, int | float) else 0.0


def _find_printed(layout: Layout, amounts: set[float]) -> FoundValue | None:
    """An amount that stands somewhere on the page, whatever its label."""
    for line in layout.lines:
        for cell in line.cells:
            number = parse_number(cell, layout.decimal_comma)
            if isinstance(number, float) and any(abs(number - amount) < CENT for amount in amounts):
                return FoundValue(number, line, cell)
    return None
