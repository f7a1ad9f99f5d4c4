"""Changing values: by address on row ids, by dotted path, or a whole result at once."""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.db import transaction

from accounts.actor import UNDO, Actor
from documents import values
from documents.catalog.row_versions import get_extraction_version, require_version
from documents.catalog.state import lock_run
from documents.extractions.edits.changing import (
    apply_change,
    get_schema,
    get_version,
    is_row_address,
    require_completed,
    search,
    store_change,
    store_changes,
)
from documents.extractions.edits.current_values import require_bounded_texts
from documents.extractions.edits.evidence import Evidence, find_evidence, store_with_evidence
from documents.extractions.storing import get_newest_like
from documents.models import Extraction, FieldEdit
from documents.values import Change, EditKind, Stored, Where
from documents.values.edits import get_old_value
from documents.values.fields import find_result_problems, get_field
from kit.errors import Invalid, NotFound, TooLarge
from kit.ids import new_id
from kit.json_types import Json

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
    schema = get_schema(extraction)
    inner = get_field(schema, values.get_wire_path(current, where)) if schema else None
    change = require_bounded_texts(Change(where, get_old_value(current, where), values.add_row_ids(value, inner)))
    return apply_change(actor, extraction=extraction, change=change, expected_version=expected_version, hint=hint)


def make_change_by_path(extraction: Extraction, path: str, value: Json) -> Change:
    """The change that a dotted path and a value mean now. Raises Invalid or NotFound naming the nearest paths."""
    schema = get_schema(extraction)
    inner = get_field(schema, path) if schema else None
    return require_bounded_texts(values.make_change(extraction.current, path, value, inner))


def set_path(
    actor: Actor,
    *,
    extraction: Extraction,
    path: str,
    value: Json,
    call_id: str = "",
    evidence: Evidence | None = None,
    expected_versions: Collection[str] | None = None,
) -> FieldEdit:
    """The same by dotted path with array positions; one past the end adds a row. Unknown paths name the nearest.

    With `evidence` nothing is searched: for a caller who has a lock. Outdated when it is stale.
    """
    change = make_change_by_path(extraction, path, value)
    if evidence is None:
        return apply_change(actor, extraction=extraction, change=change, expected_versions=expected_versions)
    return store_change(
        actor,
        extraction=extraction,
        change=change,
        evidence=evidence,
        expected_versions=expected_versions,
        call_id=call_id,
    )


def set_result(actor: Actor, *, extraction: Extraction, result: Json) -> list[FieldEdit]:
    """Edits until the current value reads as `result`. Raises what `check_result` does."""
    check_result(extraction, result)
    return write_result(actor, extraction=extraction, result=result)


def check_result(extraction: Extraction, result: Json) -> None:
    """Raises Invalid when the top-level names differ or a value does not fit. May take seconds: have no lock then."""
    if not isinstance(result, dict) or set(result) != set(values.strip_row_ids(extraction.current)):
        raise Invalid("Updated result signature does not match original: the top-level names differ.", code="signature")
    schema = get_schema(extraction)
    problems = find_result_problems(schema, result) if schema else []
    problems = [each for each in problems if not _stays_empty(extraction, result, each.where)]
    if problems:
        raise Invalid(problems[0].message, problems=problems, code="value")


def _stays_empty(extraction: Extraction, result: Json, path: str) -> bool:
    """A run may give null for a value that the schema requires, where no page says it."""
    return _is_null(result, path) and _is_null(values.strip_row_ids(extraction.current), path)


def _is_null(value: Json, path: str) -> bool:
    for name in path.split("."):
        if isinstance(value, list):
            value = value[int(name)] if name.isdecimal() and int(name) < len(value) else ""
        else:
            value = value.get(name, "") if isinstance(value, dict) else ""
    return value is None


def write_result(
    actor: Actor,
    *,
    extraction: Extraction,
    result: Json,
    then: Callable[[], object] = lambda: None,
    expected_versions: Collection[str] | None = None,
) -> list[FieldEdit]:
    """The edits of a result that was checked, all or none, and in the same transaction what is to be done `then`."""
    return store_with_evidence(
        lambda: _search_result(extraction, result),
        lambda evidence: _store_result(actor, extraction, result, evidence, then, expected_versions),
    )


def _search_result(extraction: Extraction, result: Json) -> Evidence:
    row = Extraction.objects.select_related("schema_revision", "reading").get(pk=extraction.pk)
    require_completed(row)
    changes = values.list_changes(row.current, result, get_schema(row))
    count = sum(max(1, len(list(values.iterate_leaves(change.new)))) for change in changes)
    if count > MAX_CHANGED:
        raise TooLarge(
            f"This changes {count:,} values, and {MAX_CHANGED:,} is the most at once. Send it in several steps: "
            "values that stay as they are do not count."
        )
    return find_evidence(row, [require_bounded_texts(change) for change in changes])


@transaction.atomic
def _store_result(
    actor: Actor,
    extraction: Extraction,
    result: Json,
    evidence: Evidence,
    then: Callable[[], object],
    expected_versions: Collection[str] | None,
) -> list[FieldEdit]:
    row = lock_run(extraction)
    if expected_versions is not None:
        require_version(get_extraction_version(get_newest_like(row)), expected_versions)
    edits = store_changes(
        actor,
        extraction=extraction,
        evidence=evidence,
        plan=lambda row: values.list_changes(row.current, result, get_schema(row)),
    )
    then()
    return edits


def add_row(actor: Actor, *, extraction: Extraction, where: Where, value: Json = None) -> FieldEdit:
    """Adds a row at the end of the array at `where`; without a value an empty one. Its id is the edit's last step."""
    path = values.get_wire_path(extraction.current, where)
    schema = get_schema(extraction)
    inner = get_field(schema, f"{path}.0") if schema else None
    if value is None:
        value = {} if inner is None or inner.get("properties") else None
    change = require_bounded_texts(
        Change(f"{where}[{new_id()}]", None, values.add_row_ids(value, inner), EditKind.ADD_ROW)
    )
    return apply_change(actor, extraction=extraction, change=change)


def remove_row(actor: Actor, *, extraction: Extraction, where: Where, expected_version: int | None = None) -> FieldEdit:
    """Removes the row at `where`, an address that ends in a row id."""
    if not is_row_address(where):
        raise Invalid(f"{where} is not the address of a row.")
    if not values.has_value(extraction.current, where):
        raise NotFound("This row has been removed already.")
    change = Change(where, values.get_value(extraction.current, where), None, EditKind.REMOVE_ROW)
    return apply_change(actor, extraction=extraction, change=change, expected_version=expected_version)


def undo(actor: Actor, *, edit: FieldEdit, evidence: Evidence | None = None) -> FieldEdit:
    """A new edit that takes this one back. Conflict when the place is not as this one left it.

    With `evidence`, of `search_undo`, nothing is searched: for a caller who has a lock.
    """
    extraction, change, version = edit.extraction, invert_edit(edit), get_version_to_undo(edit)
    actor = actor.because(UNDO)
    if evidence is None:
        return apply_change(actor, extraction=extraction, change=change, expected_version=version)
    return store_change(actor, extraction=extraction, change=change, evidence=evidence, expected_version=version)


def search_undo(edit: FieldEdit) -> Evidence:
    """Where the values stand that taking the edit back would bring back."""
    return search(edit.extraction, invert_edit(edit))


def invert_edit(edit: FieldEdit) -> Change:
    kinds = {
        FieldEdit.Kind.SET: EditKind.SET,
        FieldEdit.Kind.ADD_ROW: EditKind.REMOVE_ROW,
        FieldEdit.Kind.REMOVE_ROW: EditKind.ADD_ROW,
    }
    return Change(edit.where, edit.new, edit.old, kinds[FieldEdit.Kind(edit.kind)])


def get_version_to_undo(edit: FieldEdit) -> int:
    """The place's version when the value is the one that the edit left: what came after has been taken back."""
    version = get_version(list(edit.extraction.edits.all()), edit.where)
    # Read after the version: who comes in between makes a newer one, and the change is refused under the lock.
    current = Extraction.objects.values_list("current", flat=True).get(pk=edit.extraction_id)
    is_there = values.has_value(current, edit.where)
    if edit.kind == FieldEdit.Kind.REMOVE_ROW:
        is_as_left = not is_there
    else:
        is_as_left = is_there and _is_as_left(values.get_value(current, edit.where), edit)
    return version if is_as_left else edit.number


def _is_as_left(value: Stored, edit: FieldEdit) -> bool:
    """A row that was added without values is so again when they are empty, which is how taking them back leaves it."""
    if edit.kind != FieldEdit.Kind.ADD_ROW:
        return values.is_same(value, edit.new)
    return values.is_same(_drop_empty(value), _drop_empty(edit.new))


def _drop_empty(row: Stored) -> Stored:
    return {name: part for name, part in row.items() if part is not None} if isinstance(row, dict) else row
