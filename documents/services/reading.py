"""Reading documents: claimed by row in slices, so that a short document does not wait behind a long one."""

from __future__ import annotations

import logging
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
from docrouter.kit import jobs, stopping
from docrouter.kit.claims import take_over
from docrouter.kit.errors import Conflict, Invalid, TooLarge, Upstream
from docrouter.kit.fairness import under_way
from docrouter.kit.jobs import Job
from docrouter.kit.row_guard import RowGuard
from docrouter.kit.sealing import seal, unseal
from docrouter.kit.state import move
from documents.backends.files import local_path
from documents.backends.readers import PageReading, default_pool
from documents.backends.words import pack
from documents.models import Document, Page, Reading
from documents.services import state

log = logging.getLogger(__name__)
PAGES_A_SLICE = 8
# Twenty long novels.
MAX_CHARACTERS = 10_000_000
LEASE = timedelta(minutes=3)
MOST_ATTEMPTS = 3
MOST_A_SWEEP = 200
_lost_readings = RowGuard("lost reading")
Status = Reading.Status


@transaction.atomic
def start(
    actor: Actor, *, document: Document, engine: str = "auto", password: str = "", alone: bool = False
) -> Reading:
    """A new reading; earlier ones stay. The password of a locked PDF is kept encrypted with the reading.

    `alone`: no prompt runs by itself on what it reads.
    Raises Conflict while the document is being read already.
    """
    actor.require(Role.REVIEWER)
    Document.objects.select_for_update().get(pk=document.pk)
    newest = document.readings.order_by("-number").first()
    if newest and newest.status in (Status.QUEUED, Status.READING):
        raise Conflict("This document is being read already.")
    reading = Reading.objects.create(
        document=document,
        number=newest.number + 1 if newest else 1,
        settings={"engine": engine, **({"password": seal(password)} if password else {})},
        followed_at=timezone.now() if alone else None,
    )
    if newest:
        audit.record(actor, "read again", document, reading=reading.number)
    state.refresh(document.pk)
    jobs.enqueue(Job.READ_DOCUMENT, reading.pk)
    return reading


def newest_completed(document: Document) -> Reading | None:
    return document.readings.filter(status=Status.COMPLETED).order_by("-number").first()


def password(reading: Reading) -> str | None:
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
    except Conflict:
        log.info("reading %s was taken over; this pass is dropped", reading.pk)
    return True


def _read_or_give_up(reading: Reading) -> None:
    """Raises Conflict when it was taken over, be it while it was read or when it was to end."""
    try:
        _read_slice(reading)
    except (Invalid, TooLarge) as error:
        _finish(reading, Status.FAILED, reason=error.sentence)
    except FileNotFoundError:
        _finish(reading, Status.FAILED, reason="The stored file is missing. Upload the document again.")
    except Upstream as error:
        _try_again(reading, error.sentence)


def runnable() -> QuerySet[Reading, Reading]:
    """Queued readings: organizations with the least under way first, then who waits longest since its last slice."""
    busy = under_way(_being_read(), "document__organization")
    queued = Reading.objects.filter(status=Status.QUEUED, document__trashed_at=None)
    return queued.annotate(busy=busy).order_by("busy", "queued_at")


def take_back_lost() -> int:
    """Puts readings back whose lease ran out, and wakes as many threads as have work. For the scheduler."""
    lost = _being_read().filter(lease_until__lte=timezone.now()).order_by("lease_until")
    taken_back = _lost_readings.run_each(lost, _take_back, most=MOST_A_SWEEP)
    jobs.wake(Job.READ_DOCUMENT, runnable().values_list("pk", flat=True)[: settings.READING_THREADS])
    return taken_back


def _being_read() -> QuerySet[Reading, Reading]:
    return Reading.objects.filter(status=Status.READING)


def _take_back(reading_id: str) -> None:
    if reading := take_over(_being_read(), reading_id):
        _try_again(reading, "The reader stopped while it read this document.")


def _claim() -> Reading | None:
    for reading in runnable().select_related("document")[:5]:
        try:
            move(
                reading, Status.READING, transitions=Reading.TRANSITIONS, where={"fence": reading.fence},
                fence=reading.fence + 1, lease_until=timezone.now() + LEASE,
            )  # fmt: skip
        except Conflict:
            continue
        if reading.pages_read == 0:
            state.refresh(reading.document_id)
        return reading
    return None


def _read_slice(reading: Reading) -> None:
    with local_path(str(reading.document.file)) as path:
        if reading.page_count is None:
            _count_pages(reading, path)
        _check_length(reading)
        assert reading.page_count is not None  # noqa: S101 - counted just above
        last = min(reading.pages_read + PAGES_A_SLICE, reading.page_count)
        while reading.pages_read < last and not stopping.is_set():
            _store(reading, _read_page(reading, path, reading.pages_read + 1))
    if reading.pages_read >= reading.page_count:
        _finish(reading, Status.COMPLETED)
    else:
        _hold(reading, Status.QUEUED, queued_at=timezone.now())
        jobs.send(Job.READ_DOCUMENT, reading.pk)


def _count_pages(reading: Reading, path: Path) -> None:
    seen = default_pool().inspect(
        path, password=password(reading), max_pages=settings.MAX_PAGES, max_bytes=settings.MAX_UPLOAD_MB * 1024 * 1024
    )
    reading.page_count = seen.page_count
    _still_ours(reading, page_count=seen.page_count)
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
    pages = default_pool().read(
        path, [number], engine=reading.settings.get("engine", "auto"), password=password(reading),
        max_pages=settings.MAX_PAGES, max_bytes=settings.MAX_UPLOAD_MB * 1024 * 1024,
    )  # fmt: skip
    return pages[0]


@transaction.atomic
def _store(reading: Reading, seen: PageReading) -> None:
    """One page and the progress, together and only while the claim holds: a page is stored once."""
    _still_ours(reading, pages_read=seen.number, lease_until=timezone.now() + LEASE)
    reading.pages_read = seen.number
    Page.objects.create(
        reading=reading, number=seen.number, width=seen.width, height=seen.height, rotation=seen.rotation,
        text=seen.text, confidence=seen.confidence / 100, engine=seen.engine, words=pack(seen.words),
    )  # fmt: skip
    if seen.number < (reading.page_count or 0):
        state.refresh(reading.document_id)


def _still_ours(reading: Reading, **changes: object) -> None:
    held = Reading.objects.filter(pk=reading.pk, status=Status.READING, fence=reading.fence)
    if not held.update(**changes):
        raise Conflict("This reading was taken over by another reader.")


def _hold(reading: Reading, to: Status, **changes: Any) -> None:
    where = {"fence": reading.fence}
    move(reading, to, transitions=Reading.TRANSITIONS, where=where, lease_until=None, **changes)


@transaction.atomic
def _finish(reading: Reading, to: Status, *, reason: str = "") -> None:
    engines = sorted(set(reading.pages.values_list("engine", flat=True)))
    _hold(reading, to, reason=reason, engine="+".join(engines)[:40], finished_at=timezone.now())
    state.refresh(reading.document_id)
    if to == Status.COMPLETED:
        jobs.enqueue(Job.FOLLOW_READINGS, reading.pk)


def _try_again(reading: Reading, sentence: str) -> None:
    """Back to the queue, or failed after the last attempt; attempts count from the last page that succeeded."""
    attempt = reading.attempt + 1
    if attempt >= MOST_ATTEMPTS:
        return _finish(reading, Status.FAILED, reason=f"{sentence} It was tried {attempt} times.")
    _hold(reading, Status.QUEUED, attempt=attempt)
    return jobs.send(Job.READ_DOCUMENT, reading.pk)
