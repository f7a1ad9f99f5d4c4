"""Reading documents: claimed by row in slices, so that a short document does not wait behind a long one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.db.models.functions import Length
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents.backends.files import local_path
from documents.backends.reader_process import ComputingTime
from documents.backends.readers import PageReading, get_pool
from documents.backends.words import pack
from documents.catalog import state
from documents.models import READING_LEASE, Document, Page, Reading, ReasonCode
from documents.reading import reading_shares
from kit import jobs, stopping
from kit.errors import Conflict, Invalid, TooLarge, Upstream
from kit.jobs import Job
from kit.leases import LeaseLost
from kit.rows.fairness import under_way
from kit.rows.row_guard import RowGuard
from kit.sealing import seal, unseal

log = logging.getLogger(__name__)
# Whichever is reached first.
PAGES_A_SLICE, SLICE_MS = 8, 5000
# Twenty long novels.
MAX_CHARACTERS = 10_000_000
MAX_ATTEMPTS = 3
MAX_PER_SWEEP = 200
_lost_readings = RowGuard("lost reading")
Status = Reading.Status


@transaction.atomic
def start(
    actor: Actor, *, document: Document, engine: str = "auto", password: str = "", trigger_prompts: bool = True
) -> Reading:
    """A new reading; earlier ones stay. The password of a locked PDF is kept encrypted with the reading, and serves
    further ones without one of their own.

    Without `trigger_prompts` no prompt runs by itself on what it reads.
    Raises Conflict while the document is being read already.
    """
    actor.require(Role.REVIEWER)
    state.lock_document(document.pk)
    newest = document.readings.order_by("-number").first()
    if newest and newest.status in (Status.QUEUED, Status.READING):
        raise Conflict("This document is being read already.")
    reading = Reading.objects.create(
        document=document,
        number=newest.number + 1 if newest else 1,
        settings={"engine": engine, **_seal_password(document, password)},
        prompts_started_at=None if trigger_prompts else timezone.now(),
    )
    if newest:
        audit.record(actor, "read again", document, reading=reading.number)
    state.refresh(document.pk)
    jobs.enqueue(Job.READ_DOCUMENT, reading.pk)
    return reading


def get_newest(document: Document) -> Reading | None:
    return document.readings.filter(status=Status.COMPLETED).order_by("-number").first()


def _seal_password(document: Document, password: str) -> dict[str, str]:
    """The one given, else the one that opened the file before."""
    if password:
        return {"password": seal(password)}
    completed = get_newest(document)
    sealed = completed.settings.get("password") if completed else None
    return {"password": sealed} if sealed else {}


def get_password(reading: Reading) -> str | None:
    sealed = reading.settings.get("password")
    return unseal(sealed) if sealed else None


def read_next(*, holder: str) -> bool:
    """Claims one slice of the next reading and reads it. False when there was nothing to do."""
    reading = _claim()
    if reading is None:
        return False
    log.info("%s reads %s from page %s on", holder, reading.pk, reading.pages_read + 1)
    try:
        _read_or_give_up(reading)
    except LeaseLost:
        log.info("reading %s was taken over; this pass is dropped", reading.pk)
    return True


def _read_or_give_up(reading: Reading) -> None:
    """Raises LeaseLost when it was taken over, be it while it was read or when it was to end."""
    try:
        _read_slice(reading)
    except (Invalid, TooLarge) as error:
        _fail(reading, error.sentence, error.code)
    except FileNotFoundError:
        _fail(reading, "The stored file is missing. Upload the document again.")
    except Upstream as error:
        _try_again(reading, error.sentence)


def list_runnable() -> QuerySet[Reading, Reading]:
    """Queued readings: organizations with the least under way first, then those which had the least computing time.

    Of one organization's, who waits longest since its last slice, where a slow slice counts as later.
    """
    organization = "document__organization"
    queued = Reading.objects.filter(status=Status.QUEUED, document__trashed_at=None)
    queued = queued.annotate(busy=under_way(READING_LEASE.list_working(), organization))
    return reading_shares.annotate_share(queued, organization).order_by("busy", "share", "queued_at")


def requeue_lost_readings() -> int:
    """Puts readings back whose lease ran out, and wakes as many threads as have work. For the scheduler."""
    number = _lost_readings.run_each(READING_LEASE.list_lost(), _requeue_lost_reading, maximum=MAX_PER_SWEEP)
    jobs.wake(Job.READ_DOCUMENT, list_runnable().values_list("pk", flat=True)[: settings.READING_THREADS])
    return number


def _requeue_lost_reading(reading_id: str) -> None:
    reading = READING_LEASE.take_over(reading_id)
    if reading is None:
        return
    try:
        _try_again(reading, "The reader stopped while it read this document.")
    except LeaseLost:
        log.info("reading %s was taken over meanwhile", reading_id)


def _claim() -> Reading | None:
    for reading in list_runnable().select_related("document")[:5]:
        if READING_LEASE.claim(reading):
            if reading.pages_read == 0:
                state.refresh(reading.document_id)
            return reading
    return None


def _read_slice(reading: Reading) -> None:
    organization_id = reading.document.organization_id
    reading_shares.begin_slice(organization_id)
    before = reading.computing_ms
    try:
        with local_path(str(reading.document.file)) as path:
            if reading.page_count is None:
                _count_pages(reading, path)
            _check_length(reading)
            _read_pages(reading, path)
    finally:
        spent = reading.computing_ms - before
        reading_shares.charge(organization_id, spent)
    if _is_at_end(reading):
        return _finish(reading, Status.COMPLETED, reason=_describe_unread_pages(reading))
    # As if it came later by what it took: documents that came meanwhile go before a slow one.
    queued_at = timezone.now() + timedelta(milliseconds=spent)
    READING_LEASE.release(reading, queued_at=queued_at, computing_ms=reading.computing_ms)
    return jobs.send(Job.READ_DOCUMENT, reading.pk)


def _read_pages(reading: Reading, path: Path) -> None:
    """A slice of them: by number, and by the computing time they take."""
    last, latest = reading.pages_read + PAGES_A_SLICE, reading.computing_ms + SLICE_MS
    while not (_is_at_end(reading) or reading.pages_read >= last or reading.computing_ms >= latest):
        if stopping.is_set():
            break
        _store(reading, _read_page(reading, path, reading.pages_read + 1))


def _is_at_end(reading: Reading) -> bool:
    """All its pages are read, or as many as the computing time of a document lasted for."""
    used_up = reading.pages_read > 0 and reading.computing_ms >= settings.READING_LIMIT_SECONDS * 1000
    return used_up or reading.pages_read >= (reading.page_count or 0)


def _describe_unread_pages(reading: Reading) -> str:
    """A sentence on the pages that were left out; empty when there are none."""
    last, count = reading.pages_read, reading.page_count or 0
    if last >= count:
        return ""
    which = f"Page {count} was" if last + 1 == count else f"Pages {last + 1} to {count} were"
    return (
        f"{which} not read: reading may take {settings.READING_LIMIT_SECONDS:,} seconds of computing for one document, "
        f"and the pages before took {reading.computing_ms // 1000:,}. Upload the rest as a document of its own."
    )


def _count_pages(reading: Reading, path: Path) -> None:
    with _count_time(reading) as time:
        seen = get_pool().inspect(
            path,
            password=get_password(reading),
            time=time,
            max_pages=settings.MAX_PAGES,
            max_bytes=settings.MAX_UPLOAD_MB * 1024 * 1024,
        )
    READING_LEASE.lock(reading, page_count=seen.page_count, computing_ms=reading.computing_ms)
    state.refresh(reading.document_id)


def _check_length(reading: Reading) -> None:
    """Raises TooLarge: a page's own limit, five hundred times, is more than anything that follows could digest."""
    length = reading.pages.aggregate(length=Sum(Length("text")))["length"] or 0
    if length > MAX_CHARACTERS:
        raise TooLarge(
            f"The first {reading.pages_read} of {reading.page_count} pages hold {length:,} characters of text; the "
            f"limit for a document is {MAX_CHARACTERS:,}. Upload it in parts."
        )


def _read_page(reading: Reading, path: Path, number: int) -> PageReading:
    with _count_time(reading) as time:
        [page] = get_pool().read(
            path,
            [number],
            engine=reading.settings.get("engine", "auto"),
            password=get_password(reading),
            time=time,
            max_pages=settings.MAX_PAGES,
            max_bytes=settings.MAX_UPLOAD_MB * 1024 * 1024,
        )
    return page


@contextmanager
def _count_time(reading: Reading) -> Iterator[ComputingTime]:
    """Adds it to the reading at hand, failures included; the row gets it with the next change."""
    time = ComputingTime()
    try:
        yield time
    finally:
        reading.computing_ms += time.milliseconds


@transaction.atomic
def _store(reading: Reading, seen: PageReading) -> None:
    """One page and the progress, together and only while the lease is ours: a page is stored once."""
    READING_LEASE.lock(reading, pages_read=seen.number, attempt=0, computing_ms=reading.computing_ms)
    Page.objects.create(
        reading=reading,
        number=seen.number,
        width=seen.width,
        height=seen.height,
        rotation=seen.rotation,
        text=seen.text,
        confidence=seen.confidence / 100,
        engine=seen.engine,
        words=pack(seen.words),
    )
    if seen.number < (reading.page_count or 0):
        state.refresh(reading.document_id)


@transaction.atomic
def _finish(reading: Reading, to: Status, **why: Any) -> None:
    engines = sorted(set(reading.pages.values_list("engine", flat=True)))
    why |= {"engine": "+".join(engines)[:40], "finished_at": timezone.now()}
    READING_LEASE.finish(reading, to, computing_ms=reading.computing_ms, **why)
    state.refresh(reading.document_id)
    if to == Status.COMPLETED:
        jobs.enqueue(Job.FOLLOW_READINGS, reading.pk)


def _fail(reading: Reading, sentence: str, code: str = "") -> None:
    """For a cause in the file itself: whoever reads it again finds the same."""
    code = code if code in ReasonCode.values else ""
    _finish(reading, Status.FAILED, reason=sentence, reason_code=code, is_permanent=True)


def _try_again(reading: Reading, sentence: str) -> None:
    """Back to the queue, or failed after the last attempt; attempts count from the last page that succeeded."""
    attempt = reading.attempt + 1
    if attempt >= MAX_ATTEMPTS:
        return _finish(reading, Status.FAILED, reason=f"{sentence} It was tried {attempt} times.")
    READING_LEASE.release(reading, attempt=attempt, computing_ms=reading.computing_ms)
    return jobs.send(Job.READ_DOCUMENT, reading.pk)
