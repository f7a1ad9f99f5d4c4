"""What is wrong with a response format, as faults of the body: each with its place in it and its value."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.api.wire.answers import Fault
from accounts.api.wire.errors import Location, shorten_input
from documents.definitions import schema_rules
from kit.errors import Problem
from kit.json_types import Json

_FORMAT: Location = ("body", "response_format")
_SCHEMA = ("json_schema", "schema")


def list_faults(response_format: object) -> list[Fault]:
    """Empty when it can be stored; fields may go without a description."""
    if envelope := schema_rules.find_envelope_problems(response_format):
        return [_describe(response_format, problem, ()) for problem in envelope]
    problems = schema_rules.find_problems(response_format, descriptions=False)
    return [_describe(response_format, problem, _SCHEMA) for problem in problems]


def describe_check_fault(checks: object, problem: Problem) -> Fault:
    """`problem.where` is like value_checks.0.field."""
    loc, node = Location(), {"value_checks": checks}
    for part in problem.where.split("."):
        steps, node = _step(node, part)
        loc = (*loc, *steps)
    return Fault(type="value_error", loc=["body", *loc], msg=problem.message, input=shorten_input(node))


def _describe(response_format: object, problem: Problem, below: tuple[str, ...]) -> Fault:
    loc, node = list(_FORMAT), response_format
    for part in (*below, *filter(None, problem.where.split("."))):
        steps, node = _step(node, part)
        loc += steps
    return Fault(type="value_error", loc=loc, msg=problem.message, input=shorten_input(node))


def _step(node: object, part: str) -> tuple[list[str | int], Json]:
    """A problem names a field as people do, without the `properties` around it."""
    if isinstance(node, list) and part.isdecimal() and int(part) < len(node):
        return [int(part)], node[int(part)]
    if isinstance(node, Mapping):
        fields = node.get("properties")
        if isinstance(fields, Mapping) and part in fields:
            return ["properties", part], fields[part]
        return [part], node.get(part, {})
    return [part], {}
