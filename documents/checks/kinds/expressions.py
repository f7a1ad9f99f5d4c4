"""What no other kind says: an expression that must be true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from documents.checks.checked_values import CheckedValues
from documents.checks.expressions import evaluate, find_expression_problem
from documents.checks.findings import CannotCompute, Finding, make_failure
from documents.checks.parameters import Parameter, ParameterType, Parsed
from documents.checks.schema_paths import SchemaPaths
from documents.checks.value_check import ValueCheck


@dataclass(frozen=True)
class ExpressionCheck(ValueCheck):
    kind = "expression"
    title = "An expression is true"
    parameters = (
        Parameter(
            "expression",
            "The expression",
            ParameterType.EXPRESSION,
            help='near(sum([row["amount"] for row in line_items]), subtotal - discount)',
        ),
        Parameter("field", "The field that shows it", ParameterType.SINGLE),
        Parameter("message", "What to say when it is not true", ParameterType.TEXT, required=False),
    )

    expression: str
    field: str
    message: str | None = None

    @classmethod
    def find_problem(cls, parsed: dict[str, Parsed], paths: SchemaPaths) -> str:
        return find_expression_problem(str(parsed["expression"]), paths)

    def describe(self, paths: SchemaPaths) -> str:
        return f"{self.expression} is true."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        owner = values.get(self.field)
        try:
            holds, sides = evaluate(self.expression, values)
        except CannotCompute as error:
            raise CannotCompute(error.reason, owner.where) from error
        if not holds:
            message = self.message or f"This does not hold: {self.expression}"
            yield make_failure(f"{message.rstrip('.')}{f' ({sides})' if sides else ''}.", owner.where)
