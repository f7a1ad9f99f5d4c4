"""One way for every change of a value: checked, locked, stored as an edit on top of the run, and published."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from django.db import transaction

from accounts.actor import Actor
from accounts.models import Role
from documents import values
from documents.catalog.state import lock_run
from documents.extractions.edits.current_values import compute_current_after
from documents.extractions.edits.evidence import Evidence, find_evidence, store_with_evidence
from documents.extractions.edits.field_versions import require_field_version
from documents.extractions.edits.writing import write_changes
from documents.extractions.reapplied_edits import make_edit
from documents.models import Extraction, FieldEdit
from documents.values import Change, EditKind, Origin, Schema, Stored, Where
from documents.values.addresses import RowStep, overlaps, split_steps
from documents.values.edits import get_old_value
from documents.values.fields import check_value
from kit.errors import Conflict, Invalid, NotFound
from kit.timestamps import format_timestamp


def apply_change(
    actor: Actor,
    *,
    extraction: Extraction,
    change: Change,
    expected_version: int | None = None,
    expected_versions: Collection[str] | None = None,
    hint: str = "",
) -> FieldEdit:
    """Searches the pages for the new values, then calls `store_change`. May take seconds: have no lock then."""
    actor.require(Role.REVIEWER)
    return store_with_evidence(
        lambda: search(extraction, change, hint=hint),
        lambda evidence: store_change(
            actor,
            extraction=extraction,
            change=change,
            evidence=evidence,
            expected_version=expected_version,
            expected_versions=expected_versions,
        ),
    )


def search(extraction: Extraction, change: Change, *, hint: str = "") -> Evidence:
    """Where the new values stand, as the extraction is now, which may be newer than the one that is given."""
    row = Extraction.objects.select_related("schema_revision", "reading").get(pk=extraction.pk)
    require_completed(row)
    return find_evidence(row, [change], hint=hint)


@transaction.atomic
def store_change(
    actor: Actor,
    *,
    extraction: Extraction,
    change: Change,
    evidence: Evidence,
    expected_version: int | None = None,
    expected_versions: Collection[str] | None = None,
    call_id: str = "",
) -> FieldEdit:
    """Stores the change, the first of those in the evidence.

    PreconditionFailed when neither the value nor the extraction has one of the `expected_versions`.
    Conflict when the place has changed since, or when a rule would overrule a person; Outdated when the evidence no
    longer holds.
    """
    actor.require(Role.REVIEWER)
    row = lock_run(extraction)
    require_completed(row)
    _refuse_older_run(row)
    earlier = list(row.edits.all())
    require_field_version(row, change.where, earlier, expected_versions)
    refuse_overtaken(row, earlier, change.where, expected_version)
    _refuse_over_people(actor, row, earlier, change.where)
    change = _rebase_change(row, change)
    current = compute_current_after(row, earlier, [change], Origin(actor.origin))
    check_change(row, current, change)
    evidence.require_current(row)
    [edit] = write_changes(
        actor,
        extraction=row,
        earlier=earlier,
        changes=[change],
        current=current,
        located=[evidence.of(change)],
        call_id=call_id,
    )
    extraction.refresh_from_db()
    return edit


@transaction.atomic
def store_changes(
    actor: Actor,
    *,
    extraction: Extraction,
    plan: Callable[[Extraction], Sequence[Change]],
    evidence: Evidence,
    call_id: str = "",
) -> list[FieldEdit]:
    """Stores all changes that `plan` makes of the extraction as it is under the lock. Their values were checked.

    Raises Outdated when the evidence is stale, Conflict when a rule would overrule a person.
    """
    actor.require(Role.REVIEWER)
    row = lock_run(extraction)
    evidence.require_current(row)
    require_completed(row)
    changes = plan(row)
    if not changes:
        return []
    _refuse_older_run(row)
    earlier = list(row.edits.all())
    for change in changes:
        _refuse_over_people(actor, row, earlier, change.where)
    located = [evidence.of(change, number) for number, change in enumerate(changes)]
    edits = write_changes(
        actor,
        extraction=row,
        earlier=earlier,
        changes=changes,
        current=compute_current_after(row, earlier, changes, Origin(actor.origin)),
        located=located,
        call_id=call_id,
    )
    extraction.refresh_from_db()
    return edits


def _refuse_older_run(extraction: Extraction) -> None:
    """An edit of a run that a newer one has replaced would be stored where nobody looks."""
    runs = Extraction.objects.filter(document=extraction.document_id, prompt_revision=extraction.prompt_revision_id)
    if runs.filter(status=Extraction.Status.COMPLETED, number__gt=extraction.number).exists():
        raise Conflict("There is a newer run of this prompt. Load the page again and change the value there.")


def _rebase_change(extraction: Extraction, change: Change) -> Change:
    """The change was planned on what its maker had seen; under the lock, what it takes away is what is there."""
    if change.kind is EditKind.ADD_ROW:
        return change
    if change.kind is EditKind.REMOVE_ROW and not values.has_value(extraction.current, change.where):
        raise NotFound("This row has been removed already.")
    return replace(change, old=get_old_value(extraction.current, change.where))


def get_schema(extraction: Extraction) -> Schema:
    """Empty for a run without a schema: then every value fits."""
    return extraction.schema_revision.json_schema if extraction.schema_revision else {}


def get_version(edits: list[FieldEdit], where: Where) -> int:
    """The number of the newest edit that touches the place; 0 when none did."""
    return max((edit.number for edit in edits if overlaps(edit.where, where)), default=0)


def count_edits(edits: list[FieldEdit], where: Where) -> int:
    """How many touch the place. Unlike the version this does not depend on what is changed elsewhere before."""
    return sum(overlaps(edit.where, where) for edit in edits)


def check_change(extraction: Extraction, current: Stored, change: Change) -> None:
    """Raises Invalid when the new value does not fit the schema at its place."""
    is_blank_row = change.kind is EditKind.ADD_ROW and change.new in (None, {})  # a person fills it next
    if change.kind is EditKind.REMOVE_ROW or is_blank_row or not extraction.schema_revision:
        return
    path = values.get_wire_path(current, change.where)
    check_value(get_schema(extraction), path, values.strip_row_ids(change.new))


def check_changes(actor: Actor, extraction: Extraction, changes: Sequence[Change]) -> None:
    """Raises Invalid when one of the new values does not fit the schema at its place."""
    current = compute_current_after(extraction, list(extraction.edits.all()), changes, Origin(actor.origin))
    for change in changes:
        check_change(extraction, current, change)


def list_verified_places(extraction: Extraction) -> list[Where]:
    """Those that a person has verified; "" is the whole document."""
    return list(extraction.verifications.filter(cleared_at=None).values_list("where", flat=True))


def require_completed(extraction: Extraction) -> None:
    if extraction.status != Extraction.Status.COMPLETED:
        raise Invalid("Only the values of a completed extraction can be changed.", code="not_completed")


def refuse_overtaken(extraction: Extraction, edits: list[FieldEdit], where: Where, expected: int | None) -> None:
    version = get_version(edits, where)
    if expected is None or expected == version:
        return
    # None when nobody has edited the value: then the version was never a true one.
    newest = next((edit for edit in reversed(edits) if edit.number == version), None)
    by = newest.user.shown_name if newest and newest.user else "somebody"
    current = extraction.current
    raise Conflict(
        f"{by} has changed this value meanwhile. Look at what is there now, then change it again.",
        winner={
            "where": where,
            "version": version,
            "value": values.strip_row_ids(values.get_value(current, where))
            if values.has_value(current, where)
            else None,
            "by": by,
            "at": format_timestamp(newest.created_at) if newest else None,
        },
        code="overtaken",
    )


def _refuse_over_people(actor: Actor, extraction: Extraction, edits: list[FieldEdit], where: Where) -> None:
    if actor.origin != FieldEdit.Origin.AGENT_RULE:
        return
    verified = list_verified_places(extraction)
    if "" in verified or values.is_protected(where, map(make_edit, edits), verified):
        raise Conflict(
            "A person has set or verified this value; a rule cannot change it. Propose it for approval instead.",
            code="protected",
        )


def is_row_address(where: Where) -> bool:
    return isinstance(split_steps(where)[-1], RowStep)
