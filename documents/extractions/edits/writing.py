"""What changes of values leave behind: edits on top of the run, its current values, and what rested on the old ones.

All changes of one call are written together: what they cost grows with their number and not with its square.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils import timezone

from accounts.actor import Actor
from accounts.services import audit
from documents.checks.results import refresh_results
from documents.extractions.edits.current_values import get_last_number
from documents.extractions.edits.evidence import LocatedChange
from documents.extractions.reapplied_edits import get_run_state
from documents.index.values.indexing import index_values
from documents.models import Extraction, FieldEdit, Verification
from documents.review.status import refresh_review
from documents.values import Change, Stored, ValuePlace, Where
from documents.values.addresses import group_leaves_by_place, list_places_around
from kit import events


def write_changes(
    actor: Actor,
    *,
    extraction: Extraction,
    earlier: Sequence[FieldEdit],
    changes: Sequence[Change],
    current: Stored,
    located: Sequence[LocatedChange | None],
    call_id: str = "",
) -> list[FieldEdit]:
    """Under the extraction's lock, after all checks. `earlier` are all its edits; `located` goes with `changes`.

    `current` is what `compute_current_after` gives for them.
    """
    edits = FieldEdit.objects.bulk_create(_make_edits(actor, extraction, earlier, changes, call_id))
    extraction.current = current
    extraction.provenance = _update_provenance(extraction, changes, located)
    _clear_verifications(actor, extraction, {change.where for change in changes})
    touch(extraction, "current", "provenance", *refresh_results(extraction))
    index_values(extraction)
    _record_audit(actor, extraction, edits)
    return edits


def touch(extraction: Extraction, *changed: str) -> None:
    """Counts the change and publishes it to open pages."""
    extraction.version += 1
    extraction.save(update_fields=["version", *changed])
    refresh_review(extraction.document_id)
    events.publish(
        events.document_group(extraction.document_id),
        "extraction.changed",
        document_id=extraction.document_id,
        extraction_id=extraction.pk,
        version=extraction.version,
    )


def _make_edits(
    actor: Actor, extraction: Extraction, earlier: Sequence[FieldEdit], changes: Sequence[Change], call_id: str
) -> list[FieldEdit]:
    edited = {edit.where for edit in earlier}
    return [
        FieldEdit(
            extraction=extraction,
            number=number,
            kind=change.kind,
            where=change.where,
            old=change.old,
            new=change.new,
            origin=actor.origin,
            user=actor.user,
            call_id=call_id,
            allowed_by=actor.allowed_by,
            was_state="" if change.where in edited else get_run_state(extraction, change.where, change.kind),
        )
        for number, change in enumerate(changes, start=get_last_number(earlier) + 1)
    ]


def _update_provenance(
    extraction: Extraction, changes: Sequence[Change], located: Sequence[LocatedChange | None]
) -> dict[Where, ValuePlace]:
    """The same for all other places; of what was changed, what the search has found."""
    changed = {change.where for change in changes}
    kept: dict[Where, ValuePlace] = {
        where: location
        for where, location in extraction.provenance.items()
        if changed.isdisjoint(list_places_around(where))
    }
    inside = group_leaves_by_place(extraction.current, changed)
    for change, place in zip(changes, located, strict=True):
        if place is not None and place.locations:
            kept |= _serialize_locations(inside[change.where], place)
    return kept


def _serialize_locations(places: Sequence[Where], located: LocatedChange) -> Mapping[Where, ValuePlace]:
    return {where: location.as_json() for where, location in zip(places, located.locations, strict=True)}


def _clear_verifications(actor: Actor, extraction: Extraction, changed: set[Where]) -> None:
    """The places' own, those around and inside them, and the whole document's are no longer valid."""
    around = {place for where in changed for place in list_places_around(where)}
    touched = [
        mark.pk
        for mark in extraction.verifications.filter(cleared_at=None)
        if not mark.where or mark.where in around or not changed.isdisjoint(list_places_around(mark.where))
    ]
    Verification.objects.filter(pk__in=touched).update(cleared_at=timezone.now(), cleared_by=actor.user)


def _record_audit(actor: Actor, extraction: Extraction, edits: Sequence[FieldEdit]) -> None:
    """One entry for all: each edit is a row of its own, which says who made it and when."""
    if len(edits) == 1:
        [edit] = edits
        audit.record(actor, "edited", extraction, kind=edit.kind, where=edit.where, number=edit.number)
    elif edits:
        numbers = {"first": edits[0].number, "last": edits[-1].number}
        audit.record(actor, "edited", extraction, changes=len(edits), **numbers)
