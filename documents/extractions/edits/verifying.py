"""A person says that a value, or the whole extraction, is right."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from accounts.services import audit
from documents import values
from documents.catalog.state import lock_run
from documents.extractions.edits.changing import require_completed
from documents.extractions.edits.current_values import require_storable_address
from documents.extractions.edits.field_versions import require_field_version
from documents.extractions.edits.writing import touch
from documents.models import Extraction, Verification
from documents.review import times
from documents.values import Where
from documents.values.addresses import overlaps
from documents.values.provenance import WITHOUT_VALUE
from kit.errors import Conflict, Denied, Invalid, NotFound

MAX_REASON = 500
CHANGED = "This has been changed since it was shown. Look at what is there now, then verify it."


@transaction.atomic
def verify(
    actor: Actor,
    *,
    extraction: Extraction,
    where: Where = "",
    expected_version: int | None = None,
    expected_versions: Collection[str] | None = None,
    reason: str = "",
) -> Verification:
    """Marks the place ("" = the document) as verified; twice is once.

    `reason`: why, although value checks fail. Invalid (code `reason`) where the organization asks for one.
    `expected_version` is the number of the newest edit that was shown; Conflict when the place has a newer one.
    `expected_versions` are those of the value or of the extraction; PreconditionFailed when it has none of them.
    """
    actor.require(Role.REVIEWER)
    if actor.origin not in (AuditEntry.Origin.PERSON, AuditEntry.Origin.AGENT_APPROVED):
        raise Denied("Only a person can verify a value.")
    row = lock_run(extraction)
    require_completed(row)
    require_storable_address(where)
    if where and not values.has_value(row.current, where) and not _is_known_empty(row, where):
        raise NotFound("This value is no longer there.")
    require_field_version(row, where, row.edits.all(), expected_versions)
    if expected_version is not None:
        _require_shown(row, where, expected_version)
    _clear_overtaken(actor, row, where)
    mark, is_new = Verification.objects.get_or_create(
        extraction=row, where=where, cleared_at=None, defaults={"user": actor.user}
    )
    if is_new:
        reason = clean_reason(reason)
        if not where and row.failed_check_count and not any(sign.isalnum() for sign in reason):
            _refuse_without_reason(actor, row.failed_check_count)
        touch(row)
        audit.record(actor, "verified", row, where=where, **({"reason": reason} if reason else {}))
        extraction.refresh_from_db()
        if not where:
            transaction.on_commit(lambda: times.end_review(actor, row.document_id), robust=True)
    return mark


def _is_known_empty(extraction: Extraction, where: Where) -> bool:
    """A field that the model left out of its answer: a person can say that it is rightly empty."""
    place = extraction.provenance.get(where)
    return place is not None and place["state"] in WITHOUT_VALUE


def _clear_overtaken(actor: Actor, row: Extraction, where: Where) -> None:
    """A mark of before other checks judged the result and failed says nothing of what they say."""
    for mark in row.verifications.filter(where=where, cleared_at=None):
        if row.overtakes(mark):
            row.verifications.filter(pk=mark.pk).update(cleared_at=timezone.now(), cleared_by=actor.user)


def clean_reason(reason: str) -> str:
    reason = " ".join(reason.split())
    if len(reason) > MAX_REASON:
        raise Invalid(f"The reason has {len(reason)} characters; {MAX_REASON} is the most.", code="reason")
    return reason


def _refuse_without_reason(actor: Actor, failed: int) -> None:
    if actor.organization.failed_checks_need_reason:
        checks = "1 check fails" if failed == 1 else f"{failed} checks fail"
        raise Invalid(f"{checks}. Say why the values are right, then verify the document.", code="reason")


def _require_shown(extraction: Extraction, where: Where, version: int) -> None:
    newer = extraction.edits.filter(number__gt=version).values_list("where", flat=True)
    if any(not where or overlaps(edited, where) for edited in newer):
        raise Conflict(CHANGED, code="overtaken")


@transaction.atomic
def unverify_value(
    actor: Actor, *, extraction: Extraction, where: Where, expected_versions: Collection[str] | None = None
) -> None:
    """Of one value and with it of the whole, which is no longer right as a whole. Versions as for `verify`."""
    actor.require(Role.REVIEWER)
    row = lock_run(extraction)
    require_field_version(row, where, row.edits.all(), expected_versions)
    unverify(actor, extraction=extraction, where=where)
    unverify(actor, extraction=extraction)


@transaction.atomic
def unverify(actor: Actor, *, extraction: Extraction, where: Where = "") -> None:
    """Takes the mark back; without a mark nothing happens."""
    actor.require(Role.REVIEWER)
    row = lock_run(extraction)
    marks = Verification.objects.filter(extraction=row, where=where, cleared_at=None)
    if marks.update(cleared_at=timezone.now(), cleared_by=actor.user):
        touch(row)
        audit.record(actor, "unverified", row, where=where)
        extraction.refresh_from_db()


@transaction.atomic
def undo_verifications(actor: Actor, *, marks: Sequence[Verification]) -> None:
    """Takes these marks of one extraction back, all or none. Conflict where one is gone, or the whole was verified."""
    row = lock_run(marks[0].extraction)
    present = {mark.pk: mark.where for mark in row.verifications.filter(cleared_at=None)}
    if not all(mark.pk in present for mark in marks):
        raise Conflict("This has been taken back or changed since.")
    if "" in set(present.values()) - {mark.where for mark in marks}:
        raise Conflict("The whole document has been verified since. Take that back first, on the Extraction tab.")
    for mark in marks:
        unverify(actor, extraction=row, where=mark.where)
