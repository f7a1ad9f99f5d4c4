"""The value checks of a schema revision: parsed, refused with sentences, proposed from the names of fields."""

from __future__ import annotations

from collections.abc import Sequence

from documents.checks.kinds import KINDS
from documents.checks.schema_paths import SchemaPaths
from documents.checks.value_check import ValueCheck
from documents.values.stored import Schema
from kit.errors import Invalid, Problem
from kit.json_types import Json, JsonObject

MAX_CHECKS = 50


def parse_checks(configs: Json, schema: Schema) -> list[ValueCheck]:
    """Raises Invalid with every problem in `problems`, each with its place such as value_checks.0.field."""
    if not isinstance(configs, list):
        raise Invalid("value_checks must be a list.", code="value_checks")
    if len(configs) > MAX_CHECKS:
        raise Invalid(f"There are {len(configs)} value checks; {MAX_CHECKS} are the most.", code="value_checks")
    paths, checks, problems = SchemaPaths(schema), list[ValueCheck](), list[Problem]()
    for number, config in enumerate(configs):
        try:
            checks.append(parse_check(config, paths, f"value_checks.{number}"))
        except Invalid as error:
            problems += error.problems
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise Invalid(f"The value checks cannot be used: {problems[0].message}{more}", problems=problems)
    return checks


def parse_check(config: Json, paths: SchemaPaths, where: str) -> ValueCheck:
    """Raises Invalid with `problems`."""
    kind = config.get("kind") if isinstance(config, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        message = f"{where}: kind must be one of {', '.join(KINDS)}."
        raise Invalid(message, problems=[Problem(f"{where}.kind", message)], code="value_checks")
    return KINDS[kind].parse(config, paths, where)


def clean_checks(configs: Json, schema: Schema) -> list[JsonObject]:
    """As they are stored. Raises Invalid."""
    return [check.serialize() for check in parse_checks(configs, schema)]


def describe_checks(configs: Sequence[JsonObject], schema: Schema) -> list[str]:
    """A sentence for each check of a stored revision."""
    paths = SchemaPaths(schema)
    return [check.describe(paths) for check in parse_checks(list(configs), schema)]
