"""The kinds of value checks, in the order in which they are offered."""

from __future__ import annotations

from documents.checks.kinds.arithmetic import ProductCheck, SumCheck, TotalCheck
from documents.checks.kinds.coverage import CoverageCheck
from documents.checks.kinds.duplicates import DuplicateCheck
from documents.checks.kinds.expressions import ExpressionCheck
from documents.checks.kinds.identifiers import IdentifierCheck
from documents.checks.kinds.wording import DateOrderCheck, OneOfCheck, PatternCheck, RequiredIfCheck
from documents.checks.value_check import ValueCheck

KINDS: dict[str, type[ValueCheck]] = {
    each.kind: each
    for each in (
        SumCheck,
        TotalCheck,
        ProductCheck,
        DateOrderCheck,
        RequiredIfCheck,
        OneOfCheck,
        PatternCheck,
        IdentifierCheck,
        DuplicateCheck,
        CoverageCheck,
        ExpressionCheck,
    )
}

__all__ = ["KINDS", "CoverageCheck", "DuplicateCheck"]
