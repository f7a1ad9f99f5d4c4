"""Schemas, changed: create one, save a new version or name, move one to the trash."""

from __future__ import annotations

from agent.toolkit.preconditions import base_revision
from agent.toolkit.previews import FieldChangeRow, FieldRow, Preview, change_row, format_count, quote_names
from agent.toolkit.registry import Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup, reach
from agent.tools.definitions.schema_patches import wrap_schema, write_out_format
from agent.tools.definitions.schemas import list_prompts_using
from agent.tools.definitions.shared import (
    move_to_trash,
    preconditions_of_change,
    preview_change,
    preview_deletion,
    save_change,
)
from agent.tools.definitions.value_checks import bring_checks, get_inner, list_checks_to_consider
from agent.tools.hooks import (
    Changes,
    find_changes,
    inverse_by,
    keep_changed,
    preconditions_of,
    preconditions_of_free_name,
    resolve_id,
)
from documents.definitions import schemas
from documents.definitions.check_changes import list_check_changes
from documents.definitions.definitions import describe_ids, get_newest_revision
from documents.definitions.schema_fields import FieldChange, list_field_changes
from documents.definitions.schema_rules import check_response_format, find_warnings
from documents.definitions.schema_templates.catalogue import get_template, list_templates
from documents.definitions.schemas import SchemaContent
from documents.models import Schema
from documents.values import is_same
from documents.values.references import resolve_plain
from kit.errors import Invalid
from kit.json_types import JsonObject, JsonSchema

PLAIN_TYPES = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "yes or no",
    "array": "list",
    "object": "group",
}
PINNED = "Prompts go on with the version they name until they are changed themselves."
TWIN = "The same fields are in {names} already. Reject this and ask to use that one, or to change it."
CHANGEABLE = ("name", "response_format", "value_checks")
PARTS = ("name", "version")
# What undoing rests on is what the schema says: an undo that went before has made a version with another number.
LEFT = ("name", "definition")
MAX_WARNINGS_SHOWN = 5


def list_field_rows(schema: JsonSchema) -> list[FieldRow]:
    """The top fields of a schema in plain words, with the columns of lists and groups."""
    required = schema.get("required", [])
    return [_build_row(name, field, schema, name in required) for name, field in schema.get("properties", {}).items()]


def _build_row(name: str, field: JsonSchema, root: JsonSchema, is_required: bool) -> FieldRow:
    inner = resolve_plain(field, root)
    columns = resolve_plain(inner.get("items", inner), root).get("properties", {})
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
    declared = inner.get("type", "")
    names = [name for name in (declared if isinstance(declared, list) else [declared]) if name != "null"]
    return " or ".join(PLAIN_TYPES.get(name, name) for name in names) or "any"


def _resolve_creation(context: ToolContext, arguments: Arguments) -> Arguments:
    """With what the template says, where nothing else is given: the card shows it, and a person changes it there."""
    if key := arguments.get("template"):
        template = get_template(key)
        return {"response_format": template.response_format, "value_checks": template.value_checks, **arguments}
    if arguments.get("response_format") is None:
        raise Invalid(f"Give a response_format, or one of the templates: {', '.join(list_templates())}.")
    return {**arguments, "response_format": wrap_schema(arguments["response_format"], arguments["name"])}


def _preview_creation(context: ToolContext, arguments: Arguments) -> Preview:
    json_schema = check_response_format(arguments["response_format"])
    fields = list_field_rows(json_schema)
    columns = sum(len(row["columns"]) for row in fields)
    inner = f", {columns} more inside lists and groups" if columns else ""
    return {
        "title": f"Create schema “{arguments['name']}”",
        "done": f"Created schema “{arguments['name']}”",
        "subtitle": f"{format_count(len(fields), 'field')}{inner}",
        "fields": fields,
        "field_changes": _make_change_rows(
            list_check_changes([], arguments.get("value_checks") or [], {}, json_schema)
        ),
        "effect": "Adds one schema to the organization. No prompt and no other document uses it yet.",
        "warnings": [*_list_twin_warnings(context, json_schema), *_list_rule_warnings(arguments["response_format"])],
    }


def _list_twin_warnings(context: ToolContext, json_schema: JsonSchema) -> list[str]:
    twins = schemas.find_twins(context.actor.organization, json_schema)
    return [TWIN.format(names=quote_names([twin.name for twin in twins]))] if twins else []


@tool(
    category="definition",
    access="write",
    title="Create schema",
    creates=True,
    resolve=_resolve_creation,
    preconditions=preconditions_of_free_name("schema"),
    preview=_preview_creation,
    inverse=inverse_by("schemas.trash", "schema", LEFT),
)
def create_schema(
    context: ToolContext,
    name: str,
    response_format: JsonObject | None = None,
    value_checks: list[JsonObject] | None = None,
    template: str | None = None,
) -> Result:
    """Creates a schema, under a name that is free.

    name: what people call documents of this kind, such as Supplier invoice
    response_format: a JSON Schema, {"type": "object", "properties": {...}}, or one in OpenAI's form; each property has a type and a description
    value_checks: what must hold, such as [{"kind": "sum", "column": "line_items.amount", "field": "subtotal"}]. Kinds: sum(column, field), product(factors[], field), total(parts[], field), date_order(first, then), required_if(field, if_field, equals?), one_of(field, choices[]), pattern(field, pattern), identifier(field, standard), duplicate(fields[]), coverage(list?), expression(expression, field)
    template: instead of both, for such documents: invoice, receipt, credit_note, order, delivery_note, contract, lease, payslip, bank_statement, cv or form; answers its fields and a prompt. Adapt it with update_schema
    """  # noqa: E501 - one line a parameter
    start = get_template(template) if template else None
    assert response_format is not None  # noqa: S101 - the arguments are resolved
    revision = schemas.create(
        context.actor,
        name=name,
        response_format=response_format,
        value_checks=value_checks if start else bring_checks(context, value_checks, response_format),
        proposed=context.is_headless,
    )
    context.remember(schema_revid=revision.pk)
    about = {"fields": list(revision.json_schema["properties"]), "prompt": start.prompt} if start else {}
    return {**describe_ids(revision), **about, **list_checks_to_consider(revision)}


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the whole new format in the place of single fields: that is what the card shows and what is approved."""
    schema = lookup.find_schema(context, arguments["schema_id"])
    plain = write_out_format(base_revision(context, schema).response_format, arguments)
    return keep_changed({**plain, "schema_id": schema.pk}, _find_changes(context, schema, plain), CHANGEABLE)


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    schema = lookup.find_schema(context, arguments["schema_id"])
    # A proposed revision changes nothing for anybody else.
    return Reach.DOCUMENT if context.proposes(schema) else reach.of_schema(context, schema)


def _find_changes(context: ToolContext, schema: Schema, arguments: Arguments) -> Changes:
    name, response_format = arguments.get("name"), arguments.get("response_format")
    base, checks = base_revision(context, schema), arguments.get("value_checks")
    was = base.response_format
    unchanged = response_format is None or is_same(response_format, was)
    requested = {
        "name": " ".join((name or "").split()) or None,
        "response_format": None if unchanged else response_format,
        "value_checks": None if checks is None or is_same(checks, base.value_checks) else checks,
    }
    return find_changes({"name": schema.name, "response_format": was, "value_checks": base.value_checks}, requested)


def _preview_change(context: ToolContext, arguments: Arguments) -> Preview:
    schema = lookup.find_schema(context, arguments["schema_id"])
    start, changes = base_revision(context, schema), _find_changes(context, schema, arguments)
    fields = list_field_changes(*changes["response_format"]) if "response_format" in changes else list[FieldChange]()
    _, response_format = changes.get("response_format", ("", start.response_format))
    checks = (
        list_check_changes(*changes["value_checks"], start.json_schema, get_inner(response_format))
        if "value_checks" in changes
        else []
    )
    return {
        **preview_change(schema, start.number, changes, PINNED),
        "changes": [change_row("Name", *changes["name"])] if "name" in changes else [],
        "field_changes": _make_change_rows([*fields, *checks]),
        "used_by": _list_uses(schema),
        "warnings": [
            *_list_cut_warnings([change.name for change in fields if change.kind == "cut"]),
            *(_list_rule_warnings(response_format) if "response_format" in changes else []),
        ],
    }


def _make_change_rows(changes: list[FieldChange]) -> list[FieldChangeRow]:
    return [{"kind": change.kind, "name": change.name, "words": change.words} for change in changes]


def _list_rule_warnings(response_format: JsonObject) -> list[str]:
    return [warning.message for warning in find_warnings(response_format)[:MAX_WARNINGS_SHOWN]]


def _list_uses(schema: Schema) -> list[str]:
    return [
        f"prompt “{prompt['name']}”, " + (f"version {version}" if version else "in an earlier version of its own")
        for prompt in list_prompts_using(schema)
        for version in [prompt["schema_version"]]
    ]


def _list_cut_warnings(cut: list[str]) -> list[str]:
    return [f"Removes {quote_names(cut)}: extractions with the new version have no value there."] if cut else []


@tool(
    category="definition",
    access="write",
    title="Change schema",
    icon="i-braces",
    resolve=_resolve,
    reach=_reach,
    preconditions=preconditions_of_change(
        "schema", {"name": "name", "response_format": "version", "value_checks": "version"}
    ),
    preview=_preview_change,
    inverse=inverse_by("schemas.return_to", "schema", {"name": "name", "schema_revid": "definition"}),
)
def update_schema(
    context: ToolContext,
    schema_id: str,
    name: str | None = None,
    response_format: JsonObject | None = None,
    value_checks: list[JsonObject] | None = None,
    set: JsonObject | None = None,  # the three are written out as a response_format before anybody approves
    remove: list[str] | None = None,
    rename: JsonObject | None = None,
) -> Result:
    """Saves a new version of a schema, or renames it. Prompts keep the version they name until update_prompt.

    schema_id: its id or name
    name: the new one
    response_format: the whole new one, as create_schema takes it
    value_checks: all of the new ones, of the kinds that create_schema names; without it those of before stay
    set: single fields to add or replace, such as {"iban": {"type": "string", "description": "..."}}; a column of a list is line_items.sku
    remove: names of fields to leave out
    rename: old names of fields to new ones
    """  # noqa: E501 - one line a parameter
    schema = lookup.find_schema(context, schema_id)
    start = base_revision(context, schema)
    checks = bring_checks(context, value_checks, response_format, start)
    arguments = {"name": name, "response_format": response_format, "value_checks": checks}
    changes = _find_changes(context, schema, arguments)
    if not changes:
        raise Invalid("Nothing would change: give a name, response_format or value_checks that differ from what is.")
    new: SchemaContent = {"response_format": response_format, "value_checks": checks}
    revision = save_change(context, schemas.SchemaDefinition(needs_descriptions=True), schema, start, changes, new)
    older = [prompt for prompt in list_prompts_using(schema) if prompt["schema_version"] not in (None, revision.number)]
    return {**describe_ids(revision), **({"prompts_on_older_versions": older} if older else {})}


def _preview_deletion(context: ToolContext, arguments: Arguments) -> Preview:
    schema = lookup.find_schema(context, arguments["schema_id"])
    stays = "It can be taken out again. No prompt uses it."
    fields = list_field_rows(get_newest_revision(schema).json_schema)
    return {**preview_deletion(schema, _list_uses(schema), stays), "fields": fields}


@tool(
    category="definition",
    access="destructive",
    title="Delete schema",
    icon="i-trash-2",
    resolve=resolve_id("schema", lookup.find_schema),
    reach=reach.of_shared,
    preconditions=preconditions_of("schema", [*PARTS, "used_by"]),
    preview=_preview_deletion,
    inverse=inverse_by("schemas.restore", "schema", ["trash"]),
    is_rare=True,
)
def delete_schema(context: ToolContext, schema_id: str) -> Result:
    """Moves a schema with all its versions to the trash. Refused while any version of a prompt uses it.

    schema_id: its id or name
    """
    return move_to_trash(context, schemas.SCHEMAS, lookup.find_schema(context, schema_id))
