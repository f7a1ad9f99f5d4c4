"""Reading documents: claimed by row in slices, so that a short document does not wait behind a long one."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents.catalog import state
from documents.models import READING_LEASE, Document, Reading, ReasonCode
from documents.reading import lanes, slices
from documents.reading.lanes import Lane
from documents.reading.passwords import seal_password
from documents.storage import data_folder
from kit import jobs
from kit.errors import AppError, Conflict, Invalid, TooLarge, Upstream
from kit.jobs import Job
from kit.leases import LeaseLost
from kit.rows.fixed_select import FixedSelect
from kit.rows.row_guard import RowGuard
from reader.encodings import ENCODINGS
from reader.pool.refusals import LATE

log = logging.getLogger(__name__)
MAX_PER_SWEEP = 200
_lost_readings = RowGuard("lost reading")
Status = Reading.Status


@transaction.atomic
def start(
    actor: Actor,
    *,
    document: Document,
    engine: str = "auto",
    password: str = "",
    encoding: str = "",
    trigger_prompts: bool = True,
) -> Reading:
    """A new reading; earlier ones stay. The password of a locked PDF is kept encrypted with the reading, and serves
    further ones without one of their own.

    `encoding`: of its text, where the guess was wrong (`reader.encodings.ENCODINGS`); it counts for this reading alone.
    Without `trigger_prompts` no prompt runs by itself on what it reads.
    Raises Invalid for an encoding that is not among them, and Conflict while the document is being read already.
    """
    actor.require(Role.REVIEWER)
    if encoding and encoding not in ENCODINGS:
        raise Invalid(f"There is no encoding “{encoding}”. Encodings are {', '.join(ENCODINGS)}.")
    state.lock_document(document.pk)
    newest = document.readings.order_by("-number").first()
    if newest and newest.status in (Status.QUEUED, Status.READING):
        raise Conflict("This document is being read already.")
    reading = Reading.objects.create(
        document=document,
        number=newest.number + 1 if newest else 1,
        settings={"engine": engine, **seal_password(password, get_newest(document)), **_keep_encoding(encoding)},
        prompts_started_at=None if trigger_prompts else timezone.now(),
    )
    if newest:
        audit.record(actor, "read again", document, reading=reading.number, **_keep_encoding(encoding))
    state.refresh(document.pk)
    jobs.enqueue(Job.READ_DOCUMENT, reading.pk)
    return reading


def _keep_encoding(encoding: str) -> dict[str, str]:
    return {"encoding": encoding} if encoding else {}


@FixedSelect
def _select_newest(document: str) -> QuerySet[Reading]:
    return Reading.objects.filter(document=document, status=Status.COMPLETED).order_by("-number")[:1]


def get_newest(document: Document) -> Reading | None:
    reading = _select_newest.first(document.pk)
    if reading is not None:
        reading.document = document
    return reading


def read_next(*, holder: str) -> bool:
    """Claims one slice of the next reading, of a text before a scan, and reads it.

    False when there was nothing to do, when others do as much of it as may be done at once, or without the files or
    room on the disk.
    """
    if data_folder.explain_mismatch():
        return False
    if sentence := lanes.explain_wait():
        log.warning("%s", sentence)
        return False
    return any(_read_next_in(lane, holder) for lane in Lane) or lanes.has_free_work()


def _read_next_in(lane: Lane, holder: str) -> bool:
    with lanes.take_place(lane) as is_taken:
        reading = lanes.claim_next(lane) if is_taken else None
        if reading is None:
            return False
        log.info("%s reads %s: %s of its pages are listed, %s read", holder, *_describe(reading))
        try:
            _read_or_end(reading, lane)
        except LeaseLost:
            log.info("reading %s was taken over; this pass is dropped", reading.pk)
        return True


def _describe(reading: Reading) -> tuple[str, int, int]:
    return reading.pk, reading.pages_listed, reading.pages_read


def _read_or_end(reading: Reading, lane: Lane) -> None:
    """Raises LeaseLost when it was taken over, be it while it was read or when it was to end."""
    try:
        slices.read_slice(reading, lane)
    except FileNotFoundError:
        if data_folder.explain_mismatch():
            READING_LEASE.release(reading)  # For a worker that has the files.
            return
        _fail(reading, "The stored file is missing. Upload the document again.")
    except (Invalid, TooLarge, Upstream) as error:
        _end(reading, error)


def _end(reading: Reading, error: AppError) -> None:
    """What may pass by itself is tried again: a busy machine is late too, most of all for who comes last there."""
    if isinstance(error, Upstream) or error.code == LATE:
        slices.try_again(reading, error.sentence)
    else:
        _fail(reading, error.sentence, error.code)


def requeue_lost_readings() -> int:
    """Puts readings back whose lease ran out, and wakes as many threads as have work. For the scheduler."""
    number = _lost_readings.run_each(READING_LEASE.list_lost(), _requeue_lost_reading, maximum=MAX_PER_SWEEP)
    if not lanes.explain_wait():
        jobs.wake(Job.READ_DOCUMENT, lanes.list_wakeable())
    return number


def _requeue_lost_reading(reading_id: str) -> None:
    reading = READING_LEASE.take_over(reading_id)
    if reading is None:
        return
    try:
        slices.try_again(reading, "The reader stopped while it read this document.")
    except LeaseLost:
        log.info("reading %s was taken over meanwhile", reading_id)


def _fail(reading: Reading, sentence: str, code: str = "") -> None:
    """For a cause in the file itself: whoever reads it again finds the same."""
    code = code if code in ReasonCode.values else ""
    slices.finish(reading, Status.FAILED, reason=sentence, reason_code=code, is_permanent=True)
