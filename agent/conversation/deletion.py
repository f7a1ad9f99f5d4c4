"""Deleting for good, for the scheduler: documents with all that was said about them, and threads from the trash.

In slices of at most 200 rows, each in a transaction of its own; a run ends after ROWS_A_RUN of them, and the next one
goes on where it stopped.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from agent.calls import redaction, rounds
from agent.calls.withdrawal import withdraw_and_end
from agent.models import (
    Citation,
    Decision,
    Event,
    FocusItem,
    Message,
    ReadingAlias,
    Rule,
    StandingWish,
    Thread,
    ThreadSummary,
    ToolCall,
    Turn,
)
from documents.index.words import erasing
from documents.models import Document
from documents.retention import purging, trash
from kit.processes import remains
from kit.rows.row_guard import RowGuard

log = logging.getLogger(__name__)
AT_ONCE = 50
ROWS_A_RUN = 2000
GONE = "Its document was deleted for good."
TRASHED = "The thread was deleted for good."
_documents, _threads = RowGuard("document to delete"), RowGuard("thread to delete")


def run_once(*, max_rows: int = ROWS_A_RUN) -> int:
    """Answers how many documents and threads are gone. Safe to run at any time and by several processes at once."""
    trash.expire()
    run = PurgeRun(max_rows)
    _documents.run_each(Document.objects.to_purge().order_by("purge_requested_at"), run.purge_document, maximum=AT_ONCE)
    _threads.run_each(_find_due_threads(), run.purge_thread, maximum=AT_ONCE)
    if run.gone:
        erasing.note_deletion()
        remains.note()
    if erasing.erase_words():
        remains.overwrite()
    return run.gone


@dataclass
class PurgeRun:
    """`left` is how many more rows it may delete, `gone` how many documents and threads it has deleted."""

    left: int
    gone: int = 0

    def purge_document(self, document_id: str) -> None:
        document = Document.objects.to_purge().select_related("organization").filter(pk=document_id).first()
        if document is None:
            return None
        threads = Thread.objects.filter(document=document)
        # Both are asked: what each of them ends is waited for together.
        rests = [purging.stop_work(document), *(_stop_thread(thread, GONE) for thread in threads)]
        if not all(rests):
            return _requeue(document)
        purging.delete_files(document)
        citations = Citation.objects.filter(reading__document=document)
        in_focus = FocusItem.objects.filter(document=document)
        if self.use_up([*_parts_of(threads), citations, in_focus, *purging.iterate_parts(document)]):
            if not redaction.redact_calls(document):
                return _requeue(document)
            purging.delete_row(document)
            log.info("document %s is deleted for good", document.pk)
            self.gone += 1
        return None

    def purge_thread(self, thread_id: str) -> None:
        rows = _find_due_threads().filter(pk=thread_id)
        thread = rows.first()
        if thread and _stop_thread(thread, TRASHED) and self.use_up(_parts_of(rows)):
            self.gone += 1

    def use_up(self, rows: Iterable[QuerySet[Model]]) -> bool:
        """Deletes these rows, one kind after the other. False when there are more than this run may delete."""
        for kind in rows:
            while self.left > 0 and (count := purging.delete_some(kind)):
                self.left -= count
        return self.left > 0


def _requeue(document: Document) -> None:
    """To the back of the queue: what is still being ended keeps no other waiting."""
    Document.objects.filter(pk=document.pk).update(purge_requested_at=timezone.now())


def _find_due_threads() -> QuerySet[Thread, Thread]:
    if not settings.TRASH_DAYS:
        return Thread.objects.none()
    limit = timezone.now() - timedelta(days=settings.TRASH_DAYS)
    return Thread.objects.filter(trashed_at__lt=limit).order_by("trashed_at")


@transaction.atomic
def _stop_thread(thread: Thread, why: str) -> bool:
    """Ends a turn that waits. One that is running, or a call that is, gets a cancellation and is waited for."""
    turns = [rounds.lock_turn(live.pk) for live in thread.turns.filter(status__in=Turn.LIVE).order_by("number")]
    runs = thread.calls.filter(status=ToolCall.Status.EXECUTING).exists()
    live = [turn for turn in turns if turn.status in Turn.LIVE]
    if live and (runs or any(turn.status == Turn.Status.RUNNING for turn in live)):
        ids = [turn.pk for turn in live]
        thread.turns.filter(pk__in=ids, cancel_requested_at=None).update(cancel_requested_at=timezone.now())
        return False
    for turn in live:
        withdraw_and_end(None, turn, why, ToolCall.Status.CANCELLED)
    return not runs


def _parts_of(threads: QuerySet[Thread, Thread]) -> Iterator[QuerySet[Model]]:
    """What belongs to the threads, and they themselves, in an order in which nothing refers to what is deleted."""
    yield Event.objects.filter(thread__in=threads)
    yield Decision.objects.filter(call__thread__in=threads)
    yield ThreadSummary.objects.filter(thread__in=threads)
    yield Citation.objects.filter(turn__thread__in=threads)
    yield ReadingAlias.objects.filter(thread__in=threads)
    yield StandingWish.objects.filter(thread__in=threads)
    yield FocusItem.objects.filter(thread__in=threads)
    yield ToolCall.objects.filter(thread__in=threads)
    yield Message.objects.filter(thread__in=threads)
    yield Turn.objects.filter(thread__in=threads)
    yield Rule.objects.filter(thread__in=threads)
    yield threads
