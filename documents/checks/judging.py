"""The verdict of value checks on values; never a model's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import DecimalException
from itertools import islice

from documents.checks.checked_values import CheckedValues
from documents.checks.findings import MAX_MESSAGE, CannotCompute, CheckResult, Finding, Status, make_pass
from documents.checks.kinds.arithmetic import SumCheck
from documents.checks.kinds.printed_total import PrintedTotalCheck
from documents.checks.value_check import ValueCheck
from documents.values.bounded_checks import TooMuchWork

MAX_FINDINGS = 20
TOO_MUCH = "The values are too many to compute all checks of the schema."
TOO_SLOW = "The patterns of the checks take too long on these values. Write them with fewer repeats."


def judge(checks: Sequence[ValueCheck], values: CheckedValues) -> list[CheckResult]:
    """At least one result for each check, in their order; at most MAX_FINDINGS for one."""
    return [
        _make_result(number, check, finding)
        for number, check in enumerate(checks, start=1)
        for finding in _judge_one(check, values)
    ]


def judge_by_printed_totals(checks: Sequence[ValueCheck], values: CheckedValues) -> list[CheckResult]:
    """What the product's own check finds, as number 0; nothing where it finds nothing."""
    own = PrintedTotalCheck(tuple(check.column for check in checks if isinstance(check, SumCheck)))
    return list(iterate_failures([_make_result(0, own, finding) for finding in _judge_one(own, values)]))


def _judge_one(check: ValueCheck, values: CheckedValues) -> list[Finding]:
    findings = list[Finding]()
    try:
        for finding in islice(check.judge(values), MAX_FINDINGS):
            findings.append(finding)
    except CannotCompute as error:
        findings.append(Finding(Status.NOT_COMPUTED, error.reason, error.places))
    except TooMuchWork:
        findings.append(Finding(Status.NOT_COMPUTED, TOO_MUCH))
    except TimeoutError:
        findings.append(Finding(Status.NOT_COMPUTED, TOO_SLOW))
    except (DecimalException, OverflowError):
        findings.append(Finding(Status.NOT_COMPUTED, "The numbers are too large to be computed."))
    return findings or [make_pass(check.describe(values.paths))]


def _make_result(number: int, check: ValueCheck, finding: Finding) -> CheckResult:
    result: CheckResult = {
        "check": number,
        "kind": check.kind,
        "status": finding.status.value,
        "message": finding.message[:MAX_MESSAGE],
        "places": [place for place in finding.places if place],
    }
    return {**result, "pages": list(finding.pages)} if finding.pages else result


def iterate_failures(results: Sequence[CheckResult]) -> Iterator[CheckResult]:
    return (result for result in results if result["status"] == Status.FAILED)
