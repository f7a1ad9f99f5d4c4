"""Rows beside a total that the pages print: the product's own check, which no schema names.

It speaks only where it can show what is missing: lines of the pages that stand in no row and make up the difference.
So discounts, taxes, subtotals and sums that are carried on raise no false alarm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate, combinations
from typing import NamedTuple

from documents.checks.checked_values import Cell, CheckedValues, list_pages
from documents.checks.findings import CannotCompute, Finding, make_failure
from documents.checks.schema_paths import SchemaPaths
from documents.checks.value_check import ValueCheck
from documents.locate.printed_sums import PrintedAmount, is_sum_row
from documents.values.addresses import Where
from documents.values.stored import Stored
from printed.currencies import differ, find_currency

MAX_RUN_LINES = 40
MAX_ADJUSTMENTS = 12
MIN_ROWS = 2
MAX_AMOUNT = Decimal(10) ** 18


@dataclass(frozen=True)
class PrintedTotalCheck(ValueCheck):
    """`without`: columns that a check of the schema adds up."""

    kind = "printed_total"
    title = "Rows add up to a printed total"
    parameters = ()

    without: tuple[str, ...] = ()

    def describe(self, paths: SchemaPaths) -> str:
        return "Rows add up to the totals that the pages print, as far as they show what is missing."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        for column in values.printed.get("unused", {}):
            if column not in self.without and (finding := _judge_column(values, column)):
                yield finding


class MissingRows(NamedTuple):
    """A sentence that names the lines of the pages that make up a gap, and these pages; empty where there are none."""

    sentence: str
    pages: tuple[int, ...]


def find_missing_rows(values: CheckedValues, column: str, gap: Decimal) -> MissingRows:
    unused = _keep_same_currency(values, values.printed.get("unused", {}).get(column, ()))
    lines = _find_lines(values, unused, gap)
    pages = tuple(sorted({line["page"] for line in lines}))
    return MissingRows(_describe_lines(lines, pages) if lines else "", pages)


def _describe_lines(lines: Sequence[PrintedAmount], pages: Sequence[int]) -> str:
    where = f"page{'s' if len(pages) > 1 else ''} {list_pages(pages)}"
    if len(lines) == 1:
        return f" A row may be missing on {where}: “{lines[0]['words']}”."
    return f" {len(lines)} rows may be missing on {where}, the first: “{lines[0]['words']}”."


def _judge_column(values: CheckedValues, column: str) -> Finding | None:
    known = values.paths.find(column)
    table = known.table if known else column.rpartition(".")[0]
    try:
        cells = [cell for cell in values.list_cells(column) if not cell.is_empty]
        amounts = [values.read_amount(cell) or Decimal(0) for cell in cells]
        values.require_one_currency(cells)
    except CannotCompute:
        return None
    sum_rows = {row["row_id"] for row in values.list_rows(table) if _is_sum_row(row["value"])}
    variants = [amounts]
    if sum_rows:
        pairs = zip(cells, amounts, strict=True)
        variants.append([amount for cell, amount in pairs if _get_row_id(cell, table) not in sum_rows])
    if len(variants[-1]) < MIN_ROWS or _is_explained(values, {sum(part, Decimal(0)) for part in variants}):
        return None
    return next((finding for part in variants[::-1] if (finding := _compare(values, column, table, part))), None)


def _get_row_id(cell: Cell, table: str) -> str:
    return cell.where.removeprefix(f"{table}[").partition("]")[0]


def _compare(values: CheckedValues, column: str, table: str, amounts: Sequence[Decimal]) -> Finding | None:
    total = sum(amounts, Decimal(0))
    adjustments = _keep_same_currency(values, values.printed.get("adjustments", ()))
    changes = sum((Decimal(each["amount"]) for each in adjustments), Decimal(0))
    for printed in _keep_same_currency(values, values.printed.get("totals", ())):
        expected = Decimal(printed["amount"])
        for change in dict.fromkeys((Decimal(0), changes)):
            net = expected - change
            missing = find_missing_rows(values, column, net - total)
            if missing.pages:
                apart = f", {values.format_amount(net)} without tax, discount and the like" if change else ""
                message = (
                    f"{len(amounts):,} rows add up to {values.format_amount(total)}; page {printed['page']} prints a "
                    f"total of {values.format_amount(expected)}{apart}.{missing.sentence}"
                )
                return make_failure(message, _find_owner(values, expected) or table, pages=missing.pages)
    return None


def _keep_same_currency(values: CheckedValues, printed: Sequence[PrintedAmount]) -> Sequence[PrintedAmount]:
    """Without amounts that a page prints in another one than the document's, as a total converted for the reader."""
    own = find_currency("", None, values.stored)
    return [each for each in printed if not differ([own, each.get("currency", "")])]


def _is_sum_row(value: Stored) -> bool:
    texts = value.values() if isinstance(value, dict) else ()
    return any(isinstance(text, str) and is_sum_row(text) for text in texts)


def _is_explained(values: CheckedValues, sums: set[Decimal]) -> bool:
    """Whether one of the sums is printed as a total, or becomes one by at most two taxes, discounts and the like."""
    totals = [Decimal(each["amount"]) for each in _keep_same_currency(values, values.printed.get("totals", ()))]
    adjustments = _keep_same_currency(values, values.printed.get("adjustments", ()))
    changes = [Decimal(each["amount"]) for each in adjustments[:MAX_ADJUSTMENTS]]
    changes += [-change for change in changes]
    reached = [Decimal(0), *changes, *(one + other for one, other in combinations(changes, 2))]
    values.budget.spend(len(totals) + len(reached))
    known = {_round(values, change) for change in reached}
    return any(_round(values, total - each) in known for total in totals for each in sums)


def _find_lines(values: CheckedValues, unused: Sequence[PrintedAmount], gap: Decimal) -> Sequence[PrintedAmount]:
    """All of them, those of some pages that follow one another, or a few neighbours that add up to the gap."""
    # Larger ones cannot be rounded exactly.
    if not unused or not values.smallest_unit <= abs(gap) < MAX_AMOUNT:
        return ()
    gap = _round(values, gap)
    bounds = range(len(unused) + 1)
    if len(unused) > MAX_RUN_LINES:
        starts = [at for at in bounds[1:-1] if unused[at]["page"] != unused[at - 1]["page"]]
        bounds = [0, *starts, len(unused)]  # type: ignore[assignment]
    values.budget.spend(len(bounds) ** 2)
    sums = list(accumulate((Decimal(each["amount"]) for each in unused), initial=Decimal(0)))
    runs = sorted(combinations(bounds, 2), key=lambda run: run[1] - run[0])
    return next((unused[start:end] for start, end in runs if _round(values, sums[end] - sums[start]) == gap), ())


def _round(values: CheckedValues, amount: Decimal) -> Decimal:
    """To the smallest unit: values may be numbers that came of a division."""
    return amount.quantize(values.smallest_unit)


def _find_owner(values: CheckedValues, amount: Decimal) -> Where:
    """The field that holds the total."""
    for path in values.paths.all.values():
        if path.table or path.is_list:
            continue
        cell = values.get(path.path)
        try:
            if values.read_amount(cell) == amount:
                return cell.where
        except CannotCompute:
            continue
    return ""
