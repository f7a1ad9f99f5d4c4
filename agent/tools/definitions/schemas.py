"""Schemas, read: which there are, what one says, and whether a schema or data would pass."""

from __future__ import annotations

from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments, JsonText
from agent.tools import lookup
from agent.tools.definitions.shared import resolve_revision, summarize_revision
from agent.tools.definitions.value_checks import list_checks_to_consider
from agent.tools.listing import build_list, read_window, summarize_list
from documents.definitions import schemas
from documents.definitions.definitions import describe_ids
from documents.definitions.schema_rules import find_problems, find_result_problems, find_schema_problems, find_warnings
from documents.find import lists
from documents.models import Prompt, Schema
from kit import sanitize
from kit.json_types import JsonObject
from kit.paging import part_of
from kit.rows.grid import arrange

MAX_PROBLEMS = 20
MAX_FIELDS = 30


@tool(category="definition", access="read", title="List schemas", summary=summarize_list("schema"), is_rare=True)
def list_schemas(
    context: ToolContext,
    skip: int | None = None,
    limit: int | None = None,
    name_search: str | None = None,
    sort: list[JsonObject] | None = None,
    filters: JsonObject | None = None,
) -> Result:
    """The schemas of the organization in their latest version, with the names of their fields.

    skip: how many to leave out from the start
    limit: how many to show, 1 to 100; without it 20
    name_search: part of the name, taken literally; case does not matter
    sort: such as [{"field": "name", "sort": "asc"}]; fields: name, created_at
    filters: such as {"items": [{"field": "name", "operator": "startsWith", "value": "Inv"}]}
    """
    rows = lists.list_schemas(context.actor)
    rows = arrange(rows, lists.SCHEMAS, name_search=name_search or "", sort=sort, filters=filters)
    at = read_window(skip, limit)
    return build_list("schemas", part_of(rows, at), at, _describe_row)


def _describe_row(schema: Schema) -> Result:
    assert schema.latest is not None  # noqa: S101 - the list leaves out schemas without one
    schema.latest.schema = schema
    fields = list(schema.latest.json_schema.get("properties", {}))
    more = {"more_fields": len(fields) - MAX_FIELDS} if len(fields) > MAX_FIELDS else {}
    return {**describe_ids(schema.latest), "name": schema.name, "fields": fields[:MAX_FIELDS], **more}


@tool(
    category="definition",
    access="read",
    title="Read a schema",
    resolve=resolve_revision("schema", lookup.find_schema_revision),
    summary=summarize_revision("schema"),
)
def get_schema(context: ToolContext, schema_revid: str) -> Result:
    """One version of a schema with its whole response_format, and the prompts that use any version of it.

    schema_revid: a schema or one of its versions
    """
    revision = lookup.find_schema_revision(context, schema_revid)
    result = {"name": revision.schema.name, **describe_ids(revision)}
    if revision.schema.latest_id not in (None, revision.pk):
        result["latest_schema_revid"] = revision.schema.latest_id
    result |= {"value_checks": revision.value_checks} if revision.value_checks else list_checks_to_consider(revision)
    return {**result, "response_format": revision.response_format, "used_by": list_prompts_using(revision.schema)}


def list_prompts_using(schema: Schema) -> list[Result]:
    """The prompts that use the schema, with the version that each fills now."""
    heads = {revision.prompt_id: revision.prompt for revision in schemas.list_dependents(schema)}
    return [
        {"prompt_id": prompt.pk, "name": prompt.name, "schema_version": _find_version_used(prompt, schema)}
        for prompt in heads.values()
    ]


def _find_version_used(prompt: Prompt, schema: Schema) -> int | None:
    """None for a prompt whose earlier versions alone used it."""
    used = prompt.latest.schema_revision if prompt.latest else None
    return used.number if used and used.schema_id == schema.pk else None


def _summarize_check(arguments: Arguments, result: Result) -> str:
    wrong = len(result.get("problems") or result.get("errors") or ())
    return "nothing wrong" if result.get("valid") else f"{wrong} problem{'' if wrong == 1 else 's'}"


@tool(category="definition", access="read", title="Check a schema", summary=_summarize_check, is_rare=True)
def validate_schema(context: ToolContext, schema: JsonText) -> Result:
    """Checks a schema before it is created, without saving anything. Answers what is wrong and where.

    schema: JSON text of a response_format, or of the inner JSON Schema alone
    """
    try:
        value = sanitize.parse(schema)
    except ValueError as error:
        return {"valid": False, "problems": [f"This is not JSON: {error}."]}
    is_whole = isinstance(value, dict) and "json_schema" in value
    faults = find_problems(value) if is_whole else find_schema_problems(value)
    checked: Result = {"valid": not faults, "problems": [problem.message for problem in faults[:MAX_PROBLEMS]]}
    warnings = [] if faults else find_warnings(value if is_whole else {"json_schema": {"schema": value}})
    return checked | ({"warnings": [warning.message for warning in warnings[:MAX_PROBLEMS]]} if warnings else {})


@tool(category="definition", access="read", title="Check data against a schema", summary=_summarize_check, is_rare=True)
def validate_against_schema(context: ToolContext, schema_revid: str, data: JsonObject) -> Result:
    """Whether data fits a schema, without saving anything. Answers each place that does not fit, and why.

    schema_revid: the id of the version; a schema_id or a name gives the latest
    data: the object to check, with the schema's fields at its top
    """
    faults = find_result_problems(lookup.find_schema_revision(context, schema_revid).json_schema, data)
    errors = [{"path": problem.where, "message": problem.message} for problem in faults[:MAX_PROBLEMS]]
    return {
        "valid": not faults,
        "errors": errors,
        **({"error_count": len(faults)} if len(faults) > len(errors) else {}),
    }
