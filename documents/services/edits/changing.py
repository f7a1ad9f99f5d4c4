"""One way for every change of a value: checked, locked, stored as an edit on top of the run, and told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from docrouter.kit import events
from docrouter.kit.errors import Conflict, Invalid, NotFound
from documents.models import Extraction, FieldEdit, Verification
from documents.services import values
from documents.services.edits.evidence import Evidence, LocatedChange, find_evidence, with_evidence
from documents.services.extractions.storing import as_edit, leaves_within
from documents.services.values import Change, Edit, Json, Kind, Schema, Stored, Where
from documents.services.values.addresses import RowStep, overlaps, steps_of
from documents.services.values.edits import old_value
from documents.services.values.fields import check_value


def apply(
    actor: Actor, *, extraction: Extraction, change: Change, expected_version: int | None = None, hint: str = ""
) -> FieldEdit:
    """Searches the pages for the new values, then stores the change. Raises what `store` does; call it in no lock."""
    actor.require(Role.REVIEWER)
    return with_evidence(
        lambda: search(extraction, change, hint=hint),
        lambda evidence: store(
            actor, extraction=extraction, change=change, evidence=evidence, expected_version=expected_version
        ),
    )


def search(extraction: Extraction, change: Change, *, hint: str = "") -> Evidence:
    """Where the new values stand, as the extraction is now, which may be newer than the one that is given."""
    row = Extraction.objects.select_related("schema_revision", "reading").get(pk=extraction.pk)
    require_completed(row)
    return find_evidence(row, [change], hint=hint)


@transaction.atomic
def store(
    actor: Actor,
    *,
    extraction: Extraction,
    change: Change,
    evidence: Evidence,
    expected_version: int | None = None,
    call_id: str = "",
    number: int = 0,
) -> FieldEdit:
    """Stores the change, the one `number` of those in the evidence.

    Conflict when the place has changed since, or when a rule would overrule a person; Outdated when the evidence no
    longer holds.
    """
    actor.require(Role.REVIEWER)
    row = Extraction.objects.select_for_update().get(pk=extraction.pk)
    require_completed(row)
    _refuse_older_run(row)
    earlier = list(row.edits.all())
    refuse_overtaken(row, earlier, change.where, expected_version)
    _refuse_over_people(actor, row, earlier, change.where)
    change = _from_what_is_there(row, change)
    current = _after(row, earlier, change, actor)
    check(row, current, change)
    evidence.require_current(row)
    edit = FieldEdit.objects.create(
        extraction=row, number=(row.edits.aggregate(most=Max("number"))["most"] or 0) + 1, kind=change.kind,
        where=change.where, old=change.old, new=change.new, origin=actor.origin, user=actor.user, call_id=call_id,
        allowed_by=actor.allowed_by,
    )  # fmt: skip
    row.provenance = _provenance(row, current, change, evidence.of(change, number))
    row.current = current
    clear_verifications(actor, row, change.where)
    touch(row, "current", "provenance")
    audit.record(actor, "edited", row, kind=change.kind, where=change.where, number=edit.number)
    extraction.refresh_from_db()
    return edit


def _refuse_older_run(extraction: Extraction) -> None:
    """An edit of a run that a newer one has replaced would be stored where nobody looks."""
    runs = Extraction.objects.filter(document=extraction.document_id, prompt_revision=extraction.prompt_revision_id)
    if runs.filter(status=Extraction.Status.COMPLETED, number__gt=extraction.number).exists():
        raise Conflict("There is a newer run of this prompt. Load the page again and change the value there.")


def _from_what_is_there(extraction: Extraction, change: Change) -> Change:
    """The change was planned on what its maker had seen; under the lock, what it takes away is what is there."""
    if change.kind is Kind.ADD_ROW:
        return change
    if change.kind is Kind.REMOVE_ROW and not values.has(extraction.current, change.where):
        raise NotFound("This row has been removed already.")
    return replace(change, old=old_value(extraction.current, change.where))


def schema_of(extraction: Extraction) -> Schema:
    """Empty for a run without a schema: then every value fits."""
    return extraction.schema_revision.json_schema if extraction.schema_revision else {}


def version_of(edits: list[FieldEdit], where: Where) -> int:
    """The number of the newest edit that touches the place; 0 when none did."""
    return max((edit.number for edit in edits if overlaps(edit.where, where)), default=0)


def clear_verifications(actor: Actor, extraction: Extraction, where: Where) -> int:
    """The place's own, those around and inside it, and the whole document's no longer hold."""
    held = extraction.verifications.filter(cleared_at=None)
    touched = [mark.pk for mark in held if not mark.where or overlaps(mark.where, where)]
    return Verification.objects.filter(pk__in=touched).update(cleared_at=timezone.now(), cleared_by=actor.user)


def touch(extraction: Extraction, *changed: str) -> None:
    """Counts the change and tells the open pages."""
    extraction.version += 1
    extraction.save(update_fields=["version", *changed])
    events.publish(
        events.document_group(extraction.document_id), "extraction.changed",
        document_id=extraction.document_id, extraction_id=extraction.pk, version=extraction.version,
    )  # fmt: skip


def check(extraction: Extraction, current: Stored, change: Change) -> None:
    """Raises Invalid when the new value does not fit the schema at its place."""
    is_blank_row = change.kind is Kind.ADD_ROW and change.new in (None, {})  # a person fills it next
    if change.kind is Kind.REMOVE_ROW or is_blank_row or not extraction.schema_revision:
        return
    path = values.wire_path_of(current, change.where)
    check_value(schema_of(extraction), path, values.on_wire(change.new))


def verified_places(extraction: Extraction, edits: list[FieldEdit]) -> Mapping[Where, int]:
    """Place → the number of the newest edit there was when a person verified it; "" is the whole document."""
    return {
        mark.where: max((edit.number for edit in edits if edit.created_at <= mark.created_at), default=0)
        for mark in extraction.verifications.filter(cleared_at=None)
    }


def require_completed(extraction: Extraction) -> None:
    if extraction.status != Extraction.Status.COMPLETED:
        raise Invalid("Only the values of a completed extraction can be changed.", code="not_completed")


def refuse_overtaken(extraction: Extraction, edits: list[FieldEdit], where: Where, expected: int | None) -> None:
    version = version_of(edits, where)
    if expected is None or expected == version:
        return
    newest = next(edit for edit in reversed(edits) if edit.number == version)
    by = newest.user.shown_name if newest.user else "somebody"
    held = extraction.current
    raise Conflict(
        f"{by} has changed this value meanwhile. Look at what is there now, then change it again.",
        winner={
            "where": where,
            "version": version,
            "value": values.on_wire(values.get(held, where)) if values.has(held, where) else None,
            "by": by,
            "at": newest.created_at.isoformat(),
        },
        code="overtaken",
    )


def _refuse_over_people(actor: Actor, extraction: Extraction, edits: list[FieldEdit], where: Where) -> None:
    if actor.origin != FieldEdit.Origin.AGENT_RULE:
        return
    verified = verified_places(extraction, edits)
    if "" in verified or values.is_protected(where, map(as_edit, edits), verified):
        raise Conflict(
            "A person has set or verified this value; a rule cannot change it. Propose it for approval instead.",
            code="protected",
        )


def _after(extraction: Extraction, edits: list[FieldEdit], change: Change, actor: Actor) -> Stored:
    """The current value with the change. Computed from the run and all edits, so that it can never drift."""
    number = max((edit.number for edit in edits), default=0) + 1
    made = Edit(change.where, change.old, change.new, values.Origin(actor.origin), number, change.kind)
    return values.current(extraction.result, [*map(as_edit, edits), made])


def _provenance(
    extraction: Extraction, current: Stored, change: Change, located: LocatedChange | None
) -> dict[str, Any]:
    """The same for all other places; of what was changed, what the search has found."""
    kept = {where: found for where, found in extraction.provenance.items() if not _inside(where, change.where)}
    if located is None or not located.found:
        return kept
    places = [where for where, _ in leaves_within(current, change.where)]
    return kept | {where: found.as_json() for where, found in zip(places, located.found, strict=True)}


def _inside(where: Where, outer: Where) -> bool:
    return overlaps(where, outer) and len(where) >= len(outer)


def is_row(where: Where) -> bool:
    return isinstance(steps_of(where)[-1], RowStep)


def wire(extraction: Extraction) -> Json:
    """The current value as clients see it."""
    return values.on_wire(extraction.current)
