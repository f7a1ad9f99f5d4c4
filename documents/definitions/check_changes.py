"""Which value checks differ between two revisions of a schema, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from documents.checks.definitions import clean_checks, describe_checks
from documents.definitions.schema_fields import FieldChange
from documents.values.stored import Schema
from kit.json_types import JsonObject

# Where a change of a field has the field's name.
NAME = "Check"


def list_check_changes(before: Sequence[JsonObject], after: Sequence[JsonObject], schema: Schema) -> list[FieldChange]:
    """One for each check added or removed. Raises Invalid for one that makes no sense."""
    cleaned = clean_checks(list(after), schema)
    added = describe_checks([check for check in cleaned if check not in before], schema)
    removed = [_describe_removed(check) for check in before if check not in cleaned]
    changes = [FieldChange("add", NAME, words) for words in added]
    return changes + [FieldChange("cut", NAME, words) for words in removed]


def _describe_removed(check: JsonObject) -> str:
    """Its fields may be gone, so that it can no longer be said with their titles."""
    values = ", ".join(f"{name} {value}" for name, value in check.items() if name != "kind")
    return f"{check['kind']}: {values}"[:200]
