"""What the product computes, so that a model does no sums in its head."""

from __future__ import annotations

from collections.abc import Sequence

from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools.extraction import choose_extraction
from agent.tools.lookup import choose_document, name_other, pin_document
from documents.checks.calculating import calculate as calculate_value
from documents.checks.findings import CheckResult, Status
from documents.checks.results import try_checks
from documents.models import Document, Extraction
from kit.errors import Invalid, NotFound
from kit.json_types import JsonObject

MAX_SENTENCES = 50
WITHOUT_SCHEMA = "This extraction has no schema, and checks are beside a schema. Create one and run it first."
WITHOUT_CHECKS = "The schema has no value checks. Give value_checks to try some; help_schemas says which there are."


@tool(
    category="extraction",
    access="read",
    title="Calculate",
    resolve=pin_document,
    summary=lambda arguments, result: f"{arguments.get('expression', '')[:80]} = {str(result.get('value'))[:40]}",
    is_rare=True,
)
def calculate_expression(context: ToolContext, expression: str, document: str | None = None) -> Result:
    """Calculates exactly, with decimals, over numbers or over extracted values by their names, such as
    sum([row["amount"] for row in line_items]) - subtotal. Do no sums in your head.

    expression: numbers, names of fields, + - * / %, comparisons, and sum, count, min, max, abs, round, amount, days
    document: name or id of another document whose values are meant; without it this one
    """
    about = _find_document(context, document)
    extraction = _find_extraction(context, about) if about else None
    return {"value": calculate_value(expression, extraction), **(name_other(context, about) if about else {})}


def _find_document(context: ToolContext, document: str | None) -> Document | None:
    """None in a thread without one, where nothing but numbers can be meant."""
    return choose_document(context, document) if document or context.thread.document_id else None


def _find_extraction(context: ToolContext, document: Document) -> Extraction | None:
    try:
        return choose_extraction(context, document=document)
    except NotFound:
        return None


def _summarize(arguments: Arguments, result: Result) -> str:
    failed = len(result.get("failed", ()))
    return f"{format_count(result.get('passed', 0), 'check')} passed, {failed or 'none'} failed"


@tool(
    category="extraction",
    access="read",
    title="Check the values",
    resolve=pin_document,
    summary=_summarize,
    is_rare=True,
)
def check_values(
    context: ToolContext, value_checks: list[JsonObject] | None = None, document: str | None = None
) -> Result:
    """What the product's checks say of the extracted values as they are now: sums, products, dates, IBAN and the like,
    and rows that a printed total shows to be missing. Nothing is stored.

    value_checks: checks to try, in the form that create_schema takes; without it those of the schema
    document: name or id of another document; without it this one
    """
    about = choose_document(context, document)
    extraction = choose_extraction(context, document=about)
    revision = extraction.schema_revision
    if revision is None:
        raise Invalid(WITHOUT_SCHEMA)
    if value_checks is None and not (revision.value_checks or extraction.check_results):
        raise Invalid(WITHOUT_CHECKS)
    results = extraction.check_results if value_checks is None else try_checks(extraction, revision, value_checks)
    return {
        "passed": sum(result["status"] == Status.PASSED for result in results),
        "failed": _list_messages(results, Status.FAILED),
        "not_computed": _list_messages(results, Status.NOT_COMPUTED),
        **name_other(context, about),
    }


def _list_messages(results: Sequence[CheckResult], status: Status) -> list[str]:
    return [result["message"] for result in results if result["status"] == status][:MAX_SENTENCES]
