"""Which value checks differ between two revisions of a schema, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from documents.checks.definitions import clean_checks, describe_checks
from documents.checks.kinds import KINDS
from documents.definitions.schema_fields import FieldChange
from documents.values.stored import Schema
from kit.errors import Invalid
from kit.json_types import JsonObject

# Where a change of a field has the field's name.
NAME = "Check"
ORDER = "The order of the checks differs."


def list_check_changes(
    before: Sequence[JsonObject], after: Sequence[JsonObject], old_schema: Schema, schema: Schema
) -> list[FieldChange]:
    """One for each check added, removed, or put in the place of one of its kind.

    Each is said with the titles of its own schema. Raises Invalid for one of `after` that makes no sense.
    """
    cleaned = clean_checks(list(after), schema)
    removed = [check for check in before if check not in cleaned]
    changes, changed = list[FieldChange](), list[FieldChange]()
    for check in (check for check in cleaned if check not in before):
        [words] = describe_checks([check], schema)
        former = next((each for each in removed if each["kind"] == check["kind"]), None)
        if former is None:
            changes.append(FieldChange("add", NAME, words))
        else:
            removed.remove(former)
            changed.append(FieldChange("mod", NAME, f"“{_describe(former, old_schema)}” is now “{words}”"))
    changes += changed
    changes += [FieldChange("cut", NAME, f"removed: {_describe(check, old_schema)}") for check in removed]
    if not changes and list(before) != cleaned:
        changes.append(FieldChange("mod", "", ORDER))
    return changes


def _describe(check: JsonObject, schema: Schema) -> str:
    """By its kind alone where a rule that was made since would refuse it."""
    try:
        return describe_checks([check], schema)[0]
    except Invalid:
        return KINDS[check["kind"]].title if check["kind"] in KINDS else str(check["kind"])
