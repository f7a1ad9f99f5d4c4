"""Sums and products of amounts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from operator import mul

from documents.checks.checked_values import Cell, CheckedValues
from documents.checks.findings import CannotCompute, Finding, make_failure
from documents.checks.kinds.printed_total import find_missing_rows
from documents.checks.parameters import Parameter, ParameterType
from documents.checks.schema_paths import SchemaPaths
from documents.checks.value_check import ValueCheck

_TOLERANCE = Parameter(
    "tolerance",
    "How far apart they may be",
    ParameterType.TOLERANCE,
    required=False,
    help="Empty: one of the currency's smallest unit, such as 0.01.",
)


@dataclass(frozen=True)
class SumCheck(ValueCheck):
    kind = "sum"
    title = "A column adds up to a field"
    parameters = (
        Parameter("column", "The column", ParameterType.COLUMN),
        Parameter("field", "What it adds up to", ParameterType.SINGLE_NUMBER),
        _TOLERANCE,
    )

    column: str
    field: str
    tolerance: Decimal | None = None

    def describe(self, paths: SchemaPaths) -> str:
        return f"{paths.title_of(self.column)} of all rows adds up to {paths.title_of(self.field)}."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        cells = values.list_cells(self.column)
        amounts = [amount for cell in cells if (amount := values.read_amount(cell)) is not None]
        owner, expected = values.require_amount(self.field)
        if not amounts:
            title = values.paths.title_of(self.column)
            raise CannotCompute(f"No row has a value of {title}.{values.describe_gap()}", owner.where)
        values.require_one_currency([*cells, owner])
        total = sum(amounts, Decimal(0))
        if values.is_close(total, expected, self.tolerance):
            return
        missing = find_missing_rows(values, self.column, expected - total)
        empty = len(cells) - len(amounts)
        without = f" {empty} more {'have' if empty > 1 else 'has'} no value there." if empty else ""
        rows = "1 line adds" if len(amounts) == 1 else f"{len(amounts):,} lines add"
        yield make_failure(
            f"{rows} up to {values.format_amount(total)}; {values.describe_source(owner)} "
            f"{values.format_amount(expected)}.{without}"
            f"{missing.sentence or values.describe_gap()}",
            owner.where,
            pages=missing.pages,
        )


@dataclass(frozen=True)
class ProductCheck(ValueCheck):
    kind = "product"
    title = "Fields multiply to another, in each row"
    parameters = (
        Parameter("factors", "The factors, such as quantity and unit price", ParameterType.NUMBER, many=True),
        Parameter("field", "Their product", ParameterType.NUMBER),
        _TOLERANCE,
    )

    factors: tuple[str, ...]
    field: str
    tolerance: Decimal | None = None

    def describe(self, paths: SchemaPaths) -> str:
        return f"{' × '.join(map(paths.title_of, self.factors))} is {paths.title_of(self.field)}."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        computed = 0
        for *factors, product in values.iterate_together([*self.factors, self.field]):
            amounts = [values.read_amount(cell) for cell in factors]
            expected = values.read_amount(product)
            known = [amount for amount in amounts if amount is not None]
            if expected is None or len(known) < len(amounts):
                continue
            computed += 1
            yield from self._compare(values, known, product, expected)
        if not computed:
            raise CannotCompute("No row has a value in each of these fields.", values.get(self._owner(values)).where)

    def _owner(self, values: CheckedValues) -> str:
        known = values.paths.find(self.field)
        return (known.table if known else "") or self.field

    def _compare(
        self, values: CheckedValues, factors: list[Decimal], product: Cell, expected: Decimal
    ) -> Iterator[Finding]:
        computed = reduce(mul, factors)
        if not values.is_close(computed, expected, self.tolerance):
            formula = " × ".join(f"{factor.normalize():f}" for factor in factors)
            yield make_failure(
                f"{formula} is {values.format_amount(computed)}; {values.describe_source(product)} "
                f"{values.format_amount(expected)}.",
                product.where,
            )


@dataclass(frozen=True)
class TotalCheck(ValueCheck):
    kind = "total"
    title = "Fields add up to a total"
    parameters = (
        Parameter("parts", "The parts, such as subtotal and tax", ParameterType.SINGLE_NUMBER, many=True),
        Parameter("field", "Their total", ParameterType.SINGLE_NUMBER),
        _TOLERANCE,
    )

    parts: tuple[str, ...]
    field: str
    tolerance: Decimal | None = None

    def describe(self, paths: SchemaPaths) -> str:
        return f"{' + '.join(map(paths.title_of, self.parts))} is {paths.title_of(self.field)}."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        cells = [values.get(part) for part in self.parts]
        amounts = [values.read_amount(cell) for cell in cells]
        owner, expected = values.require_amount(self.field)
        values.require_one_currency([*cells, owner])
        total = sum((amount for amount in amounts if amount is not None), Decimal(0))
        if values.is_close(total, expected, self.tolerance):
            return
        empty = [values.title_of(cell) for cell, amount in zip(cells, amounts, strict=True) if amount is None]
        if empty:
            verb = "are" if len(empty) > 1 else "is"
            raise CannotCompute(f"{' and '.join(empty)} {verb} empty.", owner.where)
        formula = " + ".join(values.format_amount(amount) for amount in amounts if amount is not None)
        yield make_failure(
            f"{formula} is {values.format_amount(total)}; {values.describe_source(owner)} "
            f"{values.format_amount(expected)}.",
            owner.where,
        )
