"""Deleting for good, for the scheduler: documents with all that was said about them, and threads from the trash.

In slices: a run deletes at most SLICES_A_RUN times some hundred rows, each slice in a transaction of its own, and the
next run goes on where it stopped.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from agent.models import Compaction, Decision, Event, Message, Rule, Thread, ToolCall, Turn
from agent.services import redacting, rounds
from agent.services.ending import withdraw_and_end
from docrouter.kit import remains
from documents.models import Document
from documents.services import purging, trash

log = logging.getLogger(__name__)
AT_ONCE = 20
SLICES_A_RUN = 20
GONE = "Its document was deleted for good."
TRASHED = "The thread was deleted for good."


def run_once(*, most_slices: int = SLICES_A_RUN) -> int:
    """Answers how many documents and threads are gone. Safe to run at any time and by several processes at once."""
    trash.expire()
    slices = Slices(most_slices)
    gone = sum(_purge_document(document, slices) for document in list(_documents_due()))
    gone += sum(_purge_thread(thread, slices) for thread in list(_threads_due()))
    if gone:
        remains.note()
    remains.overwrite()
    return gone


class Slices:
    """How many more slices this run may take."""

    def __init__(self, left: int) -> None:
        self.left = left

    def use_up(self, rows: Iterable[QuerySet[Any]]) -> bool:
        """Deletes these rows, one kind after the other. False when there are more than this run may delete."""
        for kind in rows:
            while self.left > 0 and purging.delete_some(kind):
                self.left -= 1
        return self.left > 0


def _documents_due() -> QuerySet[Document, Document]:
    return Document.objects.to_purge().select_related("organization").order_by("purge_requested_at")[:AT_ONCE]


def _threads_due() -> QuerySet[Thread, Thread]:
    if not settings.TRASH_DAYS:
        return Thread.objects.none()
    limit = timezone.now() - timedelta(days=settings.TRASH_DAYS)
    return Thread.objects.filter(trashed_at__lt=limit).order_by("trashed_at")[:AT_ONCE]


def _purge_document(document: Document, slices: Slices) -> bool:
    threads = Thread.objects.filter(document=document)
    # Both are asked: what each of them ends is waited for together.
    rests = [purging.stop_work(document), *(_is_at_rest(thread, GONE) for thread in threads)]
    if not all(rests):
        # To the back: what is still being ended keeps no other waiting.
        Document.objects.filter(pk=document.pk).update(purge_requested_at=timezone.now())
        return False
    purging.delete_files(document)
    if not slices.use_up([*_parts_of(threads), *purging.parts_of(document)]):
        return False
    redacting.redact_calls(document)
    purging.delete_row(document)
    log.info("document %s is deleted for good", document.pk)
    return True


def _purge_thread(thread: Thread, slices: Slices) -> bool:
    itself = Thread.objects.filter(pk=thread.pk, trashed_at=thread.trashed_at)
    return _is_at_rest(thread, TRASHED) and slices.use_up(_parts_of(itself))


@transaction.atomic
def _is_at_rest(thread: Thread, why: str) -> bool:
    """Ends a turn that waits. One that is driven, or a call that runs, is asked to stop and waited for."""
    live = thread.turns.filter(status__in=Turn.LIVE).first()
    turn = rounds.lock(live.pk) if live else None
    runs = thread.calls.filter(status=ToolCall.Status.EXECUTING).exists()
    if turn and turn.status in Turn.LIVE:
        if runs or turn.status == Turn.Status.RUNNING:
            thread.turns.filter(pk=turn.pk, cancel_requested_at=None).update(cancel_requested_at=timezone.now())
            return False
        withdraw_and_end(None, turn, why, ToolCall.Status.CANCELLED)
    return not runs


def _parts_of(threads: QuerySet[Thread, Thread]) -> Iterator[QuerySet[Any]]:
    """What belongs to the threads, and they themselves, in an order in which nothing refers to what is deleted."""
    yield Event.objects.filter(thread__in=threads)
    yield Decision.objects.filter(call__thread__in=threads)
    yield Compaction.objects.filter(thread__in=threads)
    yield ToolCall.objects.filter(thread__in=threads)
    yield Message.objects.filter(thread__in=threads)
    yield Turn.objects.filter(thread__in=threads)
    yield Rule.objects.filter(thread__in=threads)
    yield threads
