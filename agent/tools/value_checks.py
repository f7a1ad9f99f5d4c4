"""Value checks as a card shows them, and as models read of them."""

from __future__ import annotations

from collections.abc import Sequence

from agent.toolkit.previews import FieldChangeRow
from documents.checks.definitions import clean_checks, describe_checks
from documents.checks.kinds import KINDS
from documents.checks.parameters import Parameter
from kit.json_types import JsonObject, JsonSchema


def get_inner(response_format: JsonObject) -> JsonSchema:
    inner: JsonSchema = response_format["json_schema"]["schema"]
    return inner


def list_check_changes(
    before: Sequence[JsonObject], after: Sequence[JsonObject], json_schema: JsonSchema
) -> list[FieldChangeRow]:
    """One row for each check added or removed. Raises Invalid for one that makes no sense."""
    cleaned = clean_checks(list(after), json_schema)
    added = [check for check in cleaned if check not in before]
    removed = [check for check in before if check not in cleaned]
    rows: list[FieldChangeRow] = [
        {"kind": "add", "name": "Check", "words": words} for words in describe_checks(added, json_schema)
    ]
    rows += [{"kind": "cut", "name": "Check", "words": _describe_removed(check)} for check in removed]
    return rows


def _describe_removed(check: JsonObject) -> str:
    """Its fields may be gone, so that it can no longer be said with their titles."""
    values = ", ".join(f"{name} {value}" for name, value in check.items() if name != "kind")
    return f"{check['kind']}: {values}"[:200]


def describe_kinds() -> str:
    """A line for each kind with its parameters; what may be left out has a question mark, lists have brackets."""
    return "\n".join(
        f"- {kind.kind}: {', '.join(map(_describe_parameter, kind.parameters))}" for kind in KINDS.values()
    )


def _describe_parameter(parameter: Parameter) -> str:
    return f"{parameter.name}{'[]' * parameter.many}{'' if parameter.required else '?'}"
