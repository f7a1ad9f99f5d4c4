"""The two lanes of reading: what has its text in the file does not wait for what has to be recognized.

A reading begins in the lane of texts, where its pages are listed one after the other: those with text are read, the
others wait. With all pages listed it goes on in the lane of scans. Its row tells which; a worker has places for each.
"""

from __future__ import annotations

import enum
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from django.conf import settings
from django.db.models import F, Q, QuerySet

from documents.catalog import state
from documents.models import READING_LEASE, Reading
from documents.reading import reading_shares
from documents.storage import data_folder
from kit.rows.fairness import under_way

WAITS_FOR_ROOM = "Reading waits until the disk has room again; nothing is lost. Whoever runs DocRouter can make some."


class Lane(enum.Enum):
    """In the order in which a free thread looks for work."""

    TEXTS = "texts"
    SCANS = "scans"

    @property
    def rows(self) -> Q:
        listed = Q(pages_listed__gte=F("page_count"))
        return listed if self is Lane.SCANS else Q(page_count=None) | Q(pages_listed__lt=F("page_count"))

    @property
    def places(self) -> int:
        """How many readings one worker does at once."""
        return settings.READING_THREADS if self is Lane.SCANS else max(1, settings.READING_THREADS // 2)


def explain_wait() -> str:
    """Why nothing is read now, which goes on by itself; empty while it does. Pages take room, as files do."""
    return "" if data_folder.has_room() else WAITS_FOR_ROOM


def count_threads() -> int:
    """So many that a place of either lane finds its thread, however many readings wait in the other."""
    return sum(lane.places for lane in Lane)


@contextmanager
def take_place(lane: Lane) -> Iterator[bool]:
    """Whether there was one. Nobody waits for it: who has one looks for more work, and again as it leaves."""
    is_taken = _get_places(lane).acquire(blocking=False)
    try:
        yield is_taken
    finally:
        if is_taken:
            _get_places(lane).release()


@cache
def _get_places(lane: Lane) -> threading.Semaphore:
    return threading.BoundedSemaphore(lane.places)


def has_free_work() -> bool:
    """Whether a reading waits in a lane that has a free place.

    Its wake-up may have found the place taken by a thread that had already seen that nothing waited.
    """
    return any(_is_free(lane) and _list_queued(lane).exists() for lane in Lane)


def _is_free(lane: Lane) -> bool:
    with take_place(lane) as is_taken:
        return is_taken


def list_runnable(lane: Lane) -> QuerySet[Reading, Reading]:
    """Queued readings: organizations with the least under way first, then those which had the least computing time.

    Of one organization's, who waits longest since its last slice, where a slow slice counts as later.
    """
    organization = "document__organization"
    busy = under_way(READING_LEASE.list_working().filter(lane.rows), organization)
    queued = _list_queued(lane).annotate(busy=busy)
    return reading_shares.annotate_share(queued, organization).order_by("busy", "share", "queued_at")


def _list_queued(lane: Lane) -> QuerySet[Reading, Reading]:
    return Reading.objects.filter(lane.rows, status=Reading.Status.QUEUED, document__trashed_at=None)


def list_wakeable() -> list[str]:
    """Ids of as many readings as a worker has places for."""
    return [key for lane in Lane for key in list_runnable(lane).values_list("pk", flat=True)[: lane.places]]


def claim_next(lane: Lane) -> Reading | None:
    if not _list_queued(lane).exists():  # the order of those that wait takes four statements
        return None
    for reading in list_runnable(lane).select_related("document")[:5]:
        if READING_LEASE.claim(reading):
            if reading.pages_listed == 0:
                state.refresh(reading.document_id)
            return reading
    return None
