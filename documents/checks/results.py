"""The results of an extraction's value checks, as its rows are: computed with every change of its values."""

from __future__ import annotations

from collections.abc import Sequence

from documents.checks.checked_values import CheckedValues
from documents.checks.definitions import parse_checks
from documents.checks.duplicate_keys import list_twins, save_keys
from documents.checks.findings import CheckResult
from documents.checks.judging import iterate_failures, judge, judge_by_printed_totals
from documents.checks.kinds import CoverageCheck, DuplicateCheck
from documents.checks.schema_paths import SchemaPaths
from documents.checks.value_check import ValueCheck
from documents.models import Extraction, Page, SchemaRevision
from kit.json_types import JsonObject

COLUMNS = ("check_results", "failed_check_count")


def refresh_results(extraction: Extraction) -> tuple[str, ...]:
    """Judges the current values by the checks of the extraction's schema revision; answers which columns to save.

    In the transaction that changes the values, which is short: all checks together are bounded.
    """
    revision = extraction.schema_revision
    if revision is None or not (revision.value_checks or extraction.printed_sums):
        return ()
    checks = parse_checks(revision.value_checks, revision.json_schema)
    values = read_values(extraction, revision, checks)
    digests = {
        digest
        for check in checks
        if isinstance(check, DuplicateCheck) and (digest := check.compute_digest(values, revision.schema_id))
    }
    save_keys(extraction, digests)
    values.twins = list_twins(extraction, digests)
    set_results(extraction, [*judge_by_printed_totals(checks, values), *judge(checks, values)])
    return COLUMNS


def set_results(extraction: Extraction, results: list[CheckResult]) -> None:
    extraction.check_results = results
    extraction.failed_check_count = len({result["check"] for result in iterate_failures(results)})


def try_checks(extraction: Extraction, revision: SchemaRevision, configs: Sequence[JsonObject]) -> list[CheckResult]:
    """What other checks would say of the extraction; nothing is stored. Raises Invalid."""
    checks = parse_checks(list(configs), revision.json_schema)
    return judge(checks, read_values(extraction, revision, checks))


def read_values(extraction: Extraction, revision: SchemaRevision, checks: Sequence[ValueCheck]) -> CheckedValues:
    """`extraction` as the checks read it; its pages only where one of them asks for them."""
    return CheckedValues(
        extraction.current,
        SchemaPaths(revision.json_schema),
        provenance=extraction.provenance,
        pages=_list_pages(extraction) if any(isinstance(check, CoverageCheck) for check in checks) else (),
        pages_seen=extraction.coverage,
        page_count=extraction.page_count,
        printed=extraction.printed_sums,
        schema_id=revision.schema_id,
    )


def _list_pages(extraction: Extraction) -> list[int]:
    pages = Page.objects.filter(reading=extraction.reading_id).exclude(text="")
    return list(pages.order_by("number").values_list("number", flat=True))
