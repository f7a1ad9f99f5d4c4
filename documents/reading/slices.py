"""One slice of a reading: some of its pages, then the end, or back to the queue for whoever is next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import IO, TypedDict

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Length
from django.utils import timezone

from documents.catalog import state
from documents.models import READING_LEASE, Document, Page, Reading
from documents.reading import derived_files, gaps, reading_shares
from documents.reading.lanes import Lane
from documents.reading.old_office import lend_readable, list_lost
from documents.reading.passwords import get_password
from documents.storage.stored_files import UPLOADS
from kit import jobs, stopping
from kit.errors import TooLarge
from kit.jobs import Job
from reader.gaps import Gap
from reader.pool.answers import PageReading
from reader.pool.process import ComputingTime
from reader.pool.readers import get_ocr_pool, get_pool
from reader.words import pack

# Of computing. A slice is over with the page that reaches it; the texts of short documents are read in less.
SLICE_MS = {Lane.TEXTS: 500, Lane.SCANS: 2000}
# Listed in one request and stored at once, if they take no longer than that.
PAGES_A_SLICE = 20
# Twenty long novels.
MAX_CHARACTERS = 10_000_000
MAX_ATTEMPTS = 3
Status = Reading.Status


def read_slice(reading: Reading, lane: Lane) -> None:
    """Raises LeaseLost, FileNotFoundError, and Invalid, TooLarge or Upstream of the reader."""
    organization_id = reading.document.organization_id
    reading_shares.begin_slice(organization_id)
    before = reading.computing_ms
    try:
        with UPLOADS.lend(str(reading.document.file)) as source, _lend_readable(reading, source) as file:
            if reading.page_count is None:
                _count_pages(reading, file, list_lost(reading.document, source))
            _check_length(reading)
            if not _is_at_end(reading):
                _READ_PAGES[lane](reading, file)
    finally:
        spent = reading.computing_ms - before
        reading_shares.charge(organization_id, spent)
    if _is_at_end(reading):
        return finish(reading, Status.COMPLETED)
    # As if it came later by what it took: documents that came meanwhile go before a slow one.
    queued_at = timezone.now() + timedelta(milliseconds=spent)
    READING_LEASE.release(reading, queued_at=queued_at, computing_ms=reading.computing_ms)
    return jobs.send(Job.READ_DOCUMENT, reading.pk)


def try_again(reading: Reading, sentence: str) -> None:
    """Back to the queue, or failed after the last attempt; attempts count from the last page that succeeded."""
    attempt = reading.attempt + 1
    if attempt >= MAX_ATTEMPTS:
        return finish(reading, Status.FAILED, reason=f"{sentence} It was tried {attempt} times.")
    READING_LEASE.release(reading, attempt=attempt, computing_ms=reading.computing_ms)
    return jobs.send(Job.READ_DOCUMENT, reading.pk)


@transaction.atomic
def finish(reading: Reading, to: Status, **why: object) -> None:
    """The end. Pages that nothing has read are no part of it; a reading that completes without them says so."""
    texts_only = _keep_texts(reading) if reading.pages_listed > reading.pages_read else []
    engines = dict(reading.pages.exclude(engine="").values_list("number", "engine"))
    if to == Status.COMPLETED:
        why["reason"] = gaps.describe_gaps(reading, engines, texts_only)
    count = reading.pages_read + len(texts_only)
    counted = {"computing_ms": reading.computing_ms, "pages_listed": count, "pages_read": count}
    why |= {"engine": "+".join(sorted(set(engines.values())))[:40], "finished_at": timezone.now()}
    READING_LEASE.finish(reading, to, **counted, **why)
    if _has_other_letters(reading):
        derived_files.delete_pdf(reading.document_id)
    state.refresh(reading.document_id)
    if to == Status.COMPLETED:
        jobs.enqueue(Job.FOLLOW_READINGS, reading.pk)
        jobs.enqueue(Job.INDEX_WORDS, reading.pk)


def _has_other_letters(reading: Reading) -> bool:
    """Whether a PDF made earlier may show the pages in another encoding."""
    earlier = Reading.objects.filter(document=reading.document_id, number=reading.number - 1).first()
    return earlier is not None and earlier.settings.get("encoding") != reading.settings.get("encoding")


def _keep_texts(reading: Reading) -> list[int]:
    """Of pages that still wait, only those with text stay; without what stands in their small pictures."""
    READING_LEASE.lock(reading)
    waiting = reading.pages.filter_unread()
    waiting.filter(text="").delete()
    numbers = list(waiting.order_by("number").values_list("number", flat=True))
    waiting.update(engine="text-layer", confidence=1)
    return numbers


def _is_at_end(reading: Reading) -> bool:
    """All its pages are read, or as many as the computing time of a document lasted for."""
    used_up = reading.pages_read > 0 and reading.computing_ms >= settings.READING_LIMIT_SECONDS * 1000
    return used_up or reading.pages_read >= (reading.page_count or 0)


def _list_pages(reading: Reading, file: IO[bytes]) -> None:
    """The next of them, as they stand in the file: what has its text there is read."""
    first = reading.pages_listed + 1
    left = settings.READING_LIMIT_SECONDS * 1000 - reading.computing_ms
    with _count_time(reading) as time:
        pages = get_pool().read_text(
            file,
            range(first, min(first + PAGES_A_SLICE, (reading.page_count or 0) + 1)),
            milliseconds=max(0, min(SLICE_MS[Lane.TEXTS], left)),
            engine=reading.settings.get("engine", "auto"),
            time=time,
            **_get_access(reading),
        )
    _store_listed(reading, pages)


@contextmanager
def _lend_readable(reading: Reading, source: IO[bytes]) -> Iterator[IO[bytes]]:
    with ExitStack() as opened:
        with _count_time(reading) as time:
            file = opened.enter_context(lend_readable(reading.document, source, time))
        yield file


def _count_pages(reading: Reading, file: IO[bytes], lost: list[Gap]) -> None:
    """lost: what the file for the reader leaves out."""
    with _count_time(reading) as time:
        seen = get_pool().inspect(file, time=time, **_get_access(reading))
    known = gaps.add_gaps(reading, [*lost, *seen.gaps])
    READING_LEASE.lock(reading, page_count=seen.page_count, gaps=known, computing_ms=reading.computing_ms)
    if seen.has_parts:
        _ask_for_parts(reading.document_id)


def _ask_for_parts(document_id: str) -> None:
    """Once for a document: read again, it has no other files in it."""
    if Document.objects.filter(pk=document_id, unpacking="").update(unpacking=Document.Unpacking.WAITING):
        jobs.send(Job.UNPACK_DOCUMENT, document_id)


def _recognize_pages(reading: Reading, file: IO[bytes]) -> None:
    """The next ones that wait for it. Each is stored at once: whoever is killed loses no more than the page at hand."""
    latest = reading.computing_ms + SLICE_MS[Lane.SCANS]
    for number in list(reading.pages.filter_unread().order_by("number").values_list("number", flat=True)):
        _store_recognized(reading, _recognize_page(reading, file, number))
        if stopping.is_set() or reading.computing_ms >= latest or _is_at_end(reading):
            return


def _recognize_page(reading: Reading, file: IO[bytes], number: int) -> PageReading:
    with _count_time(reading) as time:
        [page] = get_ocr_pool(settings.READING_THREADS).read(
            file, [number], engine=reading.settings.get("engine", "auto"), time=time, **_get_access(reading)
        )
    return page


class _Access(TypedDict):
    password: str | None
    encoding: str
    max_pages: int
    max_bytes: int
    fresh: bool


def _get_access(reading: Reading) -> _Access:
    """What every request to a reader says of the file. A reader that was late may have been at fault itself."""
    return {
        "password": get_password(reading),
        "encoding": reading.settings.get("encoding", ""),
        "max_pages": settings.MAX_PAGES,
        "max_bytes": settings.MAX_UPLOAD_MB * 1024 * 1024,
        "fresh": reading.attempt > 0,
    }


@contextmanager
def _count_time(reading: Reading) -> Iterator[ComputingTime]:
    """Adds it to the reading at hand, failures included; the row gets it with the next change."""
    time = ComputingTime()
    try:
        yield time
    finally:
        reading.computing_ms += time.milliseconds


def _check_length(reading: Reading) -> None:
    """Raises TooLarge: a page's own limit, five hundred times, is more than anything that follows could digest."""
    length = reading.pages.aggregate(length=Sum(Length("text")))["length"] or 0
    if length > MAX_CHARACTERS:
        raise TooLarge(
            f"{reading.pages_read} of {reading.page_count} pages hold {length:,} characters of text; the limit for a "
            f"document is {MAX_CHARACTERS:,}. Upload it in parts."
        )


@transaction.atomic
def _store_listed(reading: Reading, pages: Sequence[PageReading]) -> None:
    """Pages and progress, together and only while the lease is ours: a page is listed once."""
    count = reading.pages_read + sum(bool(page.engine) for page in pages)
    known = gaps.add_gaps(reading, (gap for page in pages for gap in page.gaps))
    last, spent = pages[-1].number, reading.computing_ms
    READING_LEASE.lock(reading, attempt=0, pages_listed=last, pages_read=count, gaps=known, computing_ms=spent)
    Page.objects.bulk_create(Page(reading=reading, number=page.number, **_make_fields(page)) for page in pages)
    _tell(reading)


@transaction.atomic
def _store_recognized(reading: Reading, page: PageReading) -> None:
    """The same for a page that waited."""
    count = reading.pages_read + 1
    known = gaps.add_gaps(reading, page.gaps)
    READING_LEASE.lock(reading, attempt=0, gaps=known, pages_read=count, computing_ms=reading.computing_ms)
    reading.pages.filter_unread().filter(number=page.number).update(**_make_fields(page))
    _tell(reading)


def _tell(reading: Reading) -> None:
    if reading.pages_read < (reading.page_count or 0):
        state.refresh(reading.document_id)


def _make_fields(page: PageReading) -> dict[str, object]:
    return {
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "text": page.text,
        "confidence": page.confidence / 100 if page.engine else None,
        "engine": page.engine,
        "words": pack(page.words),
        "illegible": page.illegible,
        "fault": page.fault,
    }


_READ_PAGES = {Lane.TEXTS: _list_pages, Lane.SCANS: _recognize_pages}
