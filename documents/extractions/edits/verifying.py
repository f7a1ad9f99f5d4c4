"""A person says that a value, or the whole extraction, is right."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from accounts.services import audit
from documents import values
from documents.extractions.edits.changing import require_completed
from documents.extractions.edits.current_values import require_storable_address
from documents.extractions.edits.writing import touch
from documents.models import Extraction, Verification
from documents.values import Where
from documents.values.addresses import overlaps
from kit.errors import Conflict, Denied, NotFound

CHANGED = "This has been changed since it was shown. Look at what is there now, then verify it."


@transaction.atomic
def verify(
    actor: Actor, *, extraction: Extraction, where: Where = "", expected_version: int | None = None
) -> Verification:
    """Marks the place ("" = the document) as verified; twice is once.

    `expected_version` is the number of the newest edit that was shown; Conflict when the place has a newer one.
    """
    actor.require(Role.REVIEWER)
    if actor.origin != AuditEntry.Origin.PERSON:
        raise Denied("Only a person can verify a value.")
    row = Extraction.objects.select_for_update().get(pk=extraction.pk)
    require_completed(row)
    require_storable_address(where)
    if where and not values.has_value(row.current, where):
        raise NotFound("This value is no longer there.")
    if expected_version is not None:
        _require_shown(row, where, expected_version)
    mark, is_new = Verification.objects.get_or_create(
        extraction=row, where=where, cleared_at=None, defaults={"user": actor.user}
    )
    if is_new:
        touch(row)
        audit.record(actor, "verified", row, where=where)
        extraction.refresh_from_db()
    return mark


def _require_shown(extraction: Extraction, where: Where, version: int) -> None:
    newer = extraction.edits.filter(number__gt=version).values_list("where", flat=True)
    if any(not where or overlaps(edited, where) for edited in newer):
        raise Conflict(CHANGED, code="overtaken")


@transaction.atomic
def unverify(actor: Actor, *, extraction: Extraction, where: Where = "") -> None:
    """Takes the mark back; without a mark nothing happens."""
    actor.require(Role.REVIEWER)
    row = Extraction.objects.select_for_update().get(pk=extraction.pk)
    marks = Verification.objects.filter(extraction=row, where=where, cleared_at=None)
    if marks.update(cleared_at=timezone.now(), cleared_by=actor.user):
        touch(row)
        audit.record(actor, "unverified", row, where=where)
        extraction.refresh_from_db()
