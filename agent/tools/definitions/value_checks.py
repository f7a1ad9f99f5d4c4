"""Value checks as models read of them."""

from __future__ import annotations

from agent.toolkit.registry import ToolContext
from documents.checks.kinds import KINDS
from documents.checks.parameters import Parameter
from documents.checks.proposing import add_proposed, propose_checks
from documents.definitions.schema_rules import check_response_format
from documents.models import SchemaRevision
from kit.json_types import JsonObject, JsonSchema


def get_inner(response_format: JsonObject) -> JsonSchema:
    inner: JsonSchema = response_format["json_schema"]["schema"]
    return inner


def bring_checks(
    context: ToolContext,
    value_checks: list[JsonObject] | None,
    response_format: JsonObject | None,
    start: SchemaRevision | None = None,
) -> list[JsonObject] | None:
    """With those that the new fields suggest, where nobody watches: what is only proposed brings its checks, and a
    person takes out what is wrong. To somebody in a chat they are only offered."""
    if not context.is_headless or response_format is None:
        return value_checks
    kept = (start.value_checks if start else []) if value_checks is None else value_checks
    return add_proposed(kept, check_response_format(response_format), before=start.json_schema if start else None)


def list_checks_to_consider(revision: SchemaRevision) -> dict[str, list[JsonObject]]:
    """Empty for a schema with checks, and where its fields suggest none."""
    proposed = [] if revision.value_checks else propose_checks(revision.json_schema)
    return {"checks_to_consider": proposed} if proposed else {}


def describe_kinds() -> str:
    """A line for each kind with its parameters; what may be left out has a question mark, lists have brackets."""
    return "\n".join(
        f"- {kind.kind}: {', '.join(map(_describe_parameter, kind.parameters))}" for kind in KINDS.values()
    )


def _describe_parameter(parameter: Parameter) -> str:
    return f"{parameter.name}{'[]' * parameter.many}{'' if parameter.required else '?'}"
