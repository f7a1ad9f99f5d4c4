"""Schemas: the fields that come out of documents of one kind."""

from __future__ import annotations

import json
from typing import Any

from agent.previews import FieldRow, Preview
from agent.registry import Preconditions, Result, ToolContext, tool
from agent.signatures import Arguments
from docrouter.kit.models import folded
from documents.services import schemas
from documents.services.schema_rules import check_response_format, problems, schema_problems
from documents.services.values.fields import plain

PLAIN_TYPES = {
    "string": "text", "number": "number", "integer": "whole number", "boolean": "yes or no", "array": "list",
    "object": "group",
}  # fmt: skip
JsonSchema = dict[str, Any]


def _on_name(context: ToolContext, arguments: Arguments) -> Preconditions:
    return {f"schema name:{folded(arguments['name'])}": 0}


def field_rows(schema: JsonSchema) -> list[FieldRow]:
    """The top fields of a schema in plain words, with the columns of lists and groups."""
    required = schema.get("required", [])
    return [_row(name, field, schema, name in required) for name, field in schema.get("properties", {}).items()]


def _row(name: str, field: JsonSchema, root: JsonSchema, is_required: bool) -> FieldRow:
    inner = plain(field, root)
    columns = plain(inner.get("items", inner), root).get("properties", {})
    return {
        "name": name,
        "type": f"{_type_words(inner)}{', required' if is_required else ''}",
        "description": field.get("description") or inner.get("description", ""),
        "columns": list(columns),
    }


def _type_words(inner: JsonSchema) -> str:
    if inner.get("format") in ("date", "date-time", "time", "email"):
        return str(inner["format"]).replace("-", " and ")
    if "enum" in inner:
        return "one of " + ", ".join(str(value) for value in inner["enum"][:6])
    given = inner.get("type", "")
    names = [name for name in (given if isinstance(given, list) else [given]) if name != "null"]
    return " or ".join(PLAIN_TYPES.get(name, name) for name in names) or "any"


def _shown(context: ToolContext, arguments: Arguments) -> Preview:
    fields = field_rows(check_response_format(arguments["response_format"]))
    columns = sum(len(row["columns"]) for row in fields)
    inner = f", {columns} more inside lists and groups" if columns else ""
    return {
        "title": f"Create schema “{arguments['name']}”",
        "done": f"Created schema “{arguments['name']}”",
        "subtitle": f"{len(fields)} field{'s' if len(fields) != 1 else ''}{inner}",
        "fields": fields,
        "effect": "Adds one schema to the organization. No prompt and no other document uses it yet.",
        "warnings": [],
    }


def _verdict(arguments: Arguments, result: Result) -> str:
    return "nothing wrong" if result.get("valid") else f"{len(result.get('problems', []))} problems"


@tool(group="schemas", access="read", title="Check a schema", summary=_verdict)
def validate_schema(context: ToolContext, schema: str) -> Result:
    """Checks a schema before it is created, without saving anything.

    schema: JSON text of a response_format, or of the inner JSON Schema alone
    """
    try:
        value = json.loads(schema)
    except ValueError as error:
        return {"valid": False, "problems": [f"This is not JSON: {error}."]}
    is_whole = isinstance(value, dict) and "json_schema" in value
    found = problems(value) if is_whole else schema_problems(value)
    return {"valid": not found, "problems": [problem.message for problem in found[:20]]}


@tool(group="schemas", access="write", title="Create schema", preconditions=_on_name, preview=_shown)
def create_schema(context: ToolContext, name: str, response_format: dict[str, Any]) -> Result:
    """Creates a schema. A name that exists is refused; answers schema_id and schema_revid.

    name: what people call documents of this kind, such as Supplier invoice
    response_format: {"type": "json_schema", "json_schema": {"name": "snake_case_name", "strict": true, "schema": {"type": "object", "properties": {...}, "required": [...], "additionalProperties": false}}}; each property has a type and a description
    """  # noqa: E501 - one line a parameter
    revision = schemas.create(context.actor, name=name, response_format=response_format)
    context.remember(schema_revid=revision.pk)
    return {"schema_id": revision.schema_id, "schema_revid": revision.pk, "schema_version": revision.number}
