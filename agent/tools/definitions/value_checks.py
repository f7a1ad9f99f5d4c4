"""Value checks as models read of them."""

from __future__ import annotations

from documents.checks.kinds import KINDS
from documents.checks.parameters import Parameter
from kit.json_types import JsonObject, JsonSchema


def get_inner(response_format: JsonObject) -> JsonSchema:
    inner: JsonSchema = response_format["json_schema"]["schema"]
    return inner


def describe_kinds() -> str:
    """A line for each kind with its parameters; what may be left out has a question mark, lists have brackets."""
    return "\n".join(
        f"- {kind.kind}: {', '.join(map(_describe_parameter, kind.parameters))}" for kind in KINDS.values()
    )


def _describe_parameter(parameter: Parameter) -> str:
    return f"{parameter.name}{'[]' * parameter.many}{'' if parameter.required else '?'}"
