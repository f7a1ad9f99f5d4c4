"""Changing values: by address on row ids, by dotted path, or a whole result at once."""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.db import transaction

from accounts.actor import Actor
from documents import values
from documents.catalog.row_versions import get_extraction_version, require_version
from documents.extractions.edits.changing import (
    apply,
    is_row,
    require_completed,
    schema_of,
    search,
    store,
    store_all,
    version_of,
)
from documents.extractions.edits.evidence import Evidence, find_evidence, with_evidence
from documents.extractions.storing import newest_like
from documents.models import Extraction, FieldEdit
from documents.values import Change, Json, Kind, Where
from documents.values.edits import old_value
from documents.values.fields import field_at, result_problems
from kit.errors import Invalid, NotFound, TooLarge
from kit.ids import new_id

# Three seconds' work.
MAX_CHANGED = 10_000


def set_field(
    actor: Actor,
    *,
    extraction: Extraction,
    where: Where,
    value: Json,
    expected_version: int | None = None,
    hint: str = "",
) -> FieldEdit:
    """Puts a value (wire shape) at an address. `hint` is the block id of the word that was clicked.

    `expected_version` is the field's version as shown. Invalid when the value does not fit the schema; Conflict, with
    what is there now as `winner`, when somebody changed the field meanwhile.
    """
    current = extraction.current
    schema = schema_of(extraction)
    inner = field_at(schema, values.wire_path_of(current, where)) if schema else None
    change = Change(where, old_value(current, where), values.with_row_ids(value, inner))
    return apply(actor, extraction=extraction, change=change, expected_version=expected_version, hint=hint)


def change_by_path(extraction: Extraction, path: str, value: Json) -> Change:
    """The change that a dotted path and a value mean now. Raises Invalid or NotFound naming the nearest paths."""
    schema = schema_of(extraction)
    inner = field_at(schema, path) if schema else None
    return values.change_at(extraction.current, path, value, inner)


def set_path(
    actor: Actor, *, extraction: Extraction, path: str, value: Json, call_id: str = "", evidence: Evidence | None = None
) -> FieldEdit:
    """The same by dotted path with array positions; one past the end adds a row. Unknown paths name the nearest.

    With `evidence` nothing is searched: for a caller who holds a lock. Outdated when it no longer holds.
    """
    change = change_by_path(extraction, path, value)
    if evidence is None:
        return apply(actor, extraction=extraction, change=change)
    return store(actor, extraction=extraction, change=change, evidence=evidence, call_id=call_id)


def set_result(actor: Actor, *, extraction: Extraction, result: Json) -> list[FieldEdit]:
    """Edits until the current value reads as `result`. Raises what `check_result` does."""
    check_result(extraction, result)
    return write_result(actor, extraction=extraction, result=result)


def check_result(extraction: Extraction, result: Json) -> None:
    """Raises Invalid when the top-level names differ or a value does not fit. May take seconds: hold no lock then."""
    if not isinstance(result, dict) or set(result) != set(values.on_wire(extraction.current)):
        raise Invalid("Updated result signature does not match original: the top-level names differ.", code="signature")
    schema = schema_of(extraction)
    if schema and (problems := result_problems(schema, result)):
        raise Invalid(problems[0].message, problems=problems, code="value")


def write_result(
    actor: Actor,
    *,
    extraction: Extraction,
    result: Json,
    then: Callable[[], object] = lambda: None,
    expected_versions: Collection[str] | None = None,
) -> list[FieldEdit]:
    """The edits of a result that was checked, all or none, and in the same transaction what is to be done `then`."""
    return with_evidence(
        lambda: _search_result(extraction, result),
        lambda evidence: _store_result(actor, extraction, result, evidence, then, expected_versions),
    )


def _search_result(extraction: Extraction, result: Json) -> Evidence:
    row = Extraction.objects.select_related("schema_revision", "reading").get(pk=extraction.pk)
    require_completed(row)
    changes = values.changes_to(row.current, result, schema_of(row))
    count = sum(max(1, len(list(values.leaves(change.new)))) for change in changes)
    if count > MAX_CHANGED:
        raise TooLarge(
            f"This changes {count:,} values, and {MAX_CHANGED:,} is the most at once. Send it in several steps: "
            "values that stay as they are do not count."
        )
    return find_evidence(row, changes)


@transaction.atomic
def _store_result(
    actor: Actor,
    extraction: Extraction,
    result: Json,
    evidence: Evidence,
    then: Callable[[], object],
    expected_versions: Collection[str] | None,
) -> list[FieldEdit]:
    row = Extraction.objects.select_for_update().get(pk=extraction.pk)
    if expected_versions is not None:
        require_version(get_extraction_version(newest_like(row)), expected_versions)
    edits = store_all(
        actor,
        extraction=extraction,
        evidence=evidence,
        plan=lambda row: values.changes_to(row.current, result, schema_of(row)),
    )
    then()
    return edits


def add_row(actor: Actor, *, extraction: Extraction, where: Where, value: Json = None) -> FieldEdit:
    """Adds a row at the end of the array at `where`; without a value an empty one. Its id is the edit's last step."""
    path = values.wire_path_of(extraction.current, where)
    schema = schema_of(extraction)
    inner = field_at(schema, f"{path}.0") if schema else None
    if value is None:
        value = {} if inner is None or inner.get("properties") else None
    change = Change(f"{where}[{new_id()}]", None, values.with_row_ids(value, inner), Kind.ADD_ROW)
    return apply(actor, extraction=extraction, change=change)


def remove_row(actor: Actor, *, extraction: Extraction, where: Where, expected_version: int | None = None) -> FieldEdit:
    """Removes the row at `where`, an address that ends in a row id."""
    if not is_row(where):
        raise Invalid(f"{where} is not the address of a row.")
    if not values.has(extraction.current, where):
        raise NotFound("This row has been removed already.")
    change = Change(where, values.get(extraction.current, where), None, Kind.REMOVE_ROW)
    return apply(actor, extraction=extraction, change=change, expected_version=expected_version)


def undo(actor: Actor, *, edit: FieldEdit, evidence: Evidence | None = None) -> FieldEdit:
    """A new edit that takes this one back. Conflict when the place is not as this one left it.

    With `evidence`, of `search_undo`, nothing is searched: for a caller who holds a lock.
    """
    extraction, change, version = edit.extraction, _opposite_of(edit), _version_to_undo(edit)
    if evidence is None:
        return apply(actor, extraction=extraction, change=change, expected_version=version)
    return store(actor, extraction=extraction, change=change, evidence=evidence, expected_version=version)


def search_undo(edit: FieldEdit) -> Evidence:
    """Where the values stand that taking the edit back would bring back."""
    return search(edit.extraction, _opposite_of(edit))


def _opposite_of(edit: FieldEdit) -> Change:
    kinds = {
        FieldEdit.Kind.SET: Kind.SET,
        FieldEdit.Kind.ADD_ROW: Kind.REMOVE_ROW,
        FieldEdit.Kind.REMOVE_ROW: Kind.ADD_ROW,
    }
    return Change(edit.where, edit.new, edit.old, kinds[FieldEdit.Kind(edit.kind)])


def _version_to_undo(edit: FieldEdit) -> int:
    """The place's version when the value is the one that the edit left: what came after has been taken back."""
    version = version_of(list(edit.extraction.edits.all()), edit.where)
    # Read after the version: who comes in between makes a newer one, and the change is refused under the lock.
    current = Extraction.objects.values_list("current", flat=True).get(pk=edit.extraction_id)
    is_there = values.has(current, edit.where)
    if edit.kind == FieldEdit.Kind.REMOVE_ROW:
        is_as_left = not is_there
    else:
        is_as_left = is_there and values.same(values.get(current, edit.where), edit.new)
    return version if is_as_left else edit.number
