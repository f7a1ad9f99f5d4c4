"""Writing the index: the pages of a document's newest reading and their words, all at once in one transaction.

`Reading.indexing` says when there is something to do: after a reading, after a way into the trash or out of it. Whoever
does it claims the reading, so that it is done once; where somebody was killed in the middle another takes it over.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from itertools import zip_longest

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from documents.file_chunks.storing import cut_if_nested, store_chunks
from documents.index.words import word_list
from documents.index.words.expressions import PageTerms
from documents.index.words.storage import get_backend
from documents.index.words.terms import list_joined_numbers, list_joined_words, list_page_terms
from documents.models import INDEXING_LEASE, Document, EmbeddingChoice, IndexedPage, Page, Reading, WordIndex
from kit import jobs
from kit.jobs import Job
from kit.leases import LeaseLost
from kit.rows.row_guard import RowGuard
from reader.words import unpack

log = logging.getLogger(__name__)
AT_ONCE = 100
# PostgreSQL counts the places of a tsvector up to 16,383, and takes 1 MB of it. A page of more is found by its parts,
# each with as much of words and of joined numbers.
TERMS_A_PART, BYTES_A_PART = 8_000, 300_000
_waiting_readings = RowGuard("reading whose words no search finds")
_lost_readings = RowGuard("reading whose indexing was left")
Indexing = Reading.Indexing


def index_reading(reading_id: str) -> None:
    """Makes the index say what a reading says, or nothing of one in the trash, unless another is at it.

    One that is no longer the newest of its document has nothing to say.
    """
    reading = Reading.objects.filter(pk=reading_id, status=Reading.Status.COMPLETED).first()
    if reading is None or not INDEXING_LEASE.claim(reading):
        return
    try:
        _index(reading)
    except LeaseLost:
        log.info("the words of %s are indexed by another", reading)


def index_document(document: Document) -> None:
    """Anew and at once, whoever is at it."""
    newest = _find_newest(document.pk)
    if newest is not None:
        Reading.objects.filter(pk=newest.pk).update(indexing=Indexing.WAITING)
        index_reading(newest.pk)


def _index(reading: Reading) -> None:
    pages = [part for page in reading.pages.all() for part in prepare_terms(page)] if _is_newest(reading) else []
    words = list_words(pages)
    chunks = cut_if_nested(reading) if pages else []
    with transaction.atomic():
        document = Document.objects.select_for_update(no_key=True).filter(pk=reading.document_id).first()
        # Before anything is written: whoever takes over waits for the end of this, and finds nothing to do.
        INDEXING_LEASE.finish(reading, Indexing.DONE)
        if document is None or not _is_newest(reading):
            return
        if document.trashed_at is not None:
            pages, words, chunks = [], set(), []
        store_chunks(document, reading, chunks)
        earlier = _delete_pages(document)
        if pages:
            index = WordIndex.objects.get_or_create(organization_id=document.organization_id)[0]
            get_backend().write_pages(index.code, reading, document.organization_id, pages)
        _request_vectors(reading, document.organization_id)
        # Last, as the whole organization's list is locked by it; in here, as nobody looks for what a kill left undone.
        word_list.add_words(document.organization_id, words)
        word_list.remove_unused(document.organization_id, earlier - words)


def _request_vectors(reading: Reading, organization_id: str) -> None:
    """Of documents.index.vectors, which has its own job."""
    if EmbeddingChoice.find_name(organization_id):
        Reading.objects.filter(pk=reading.pk).update(vectors_due_at=timezone.now())
        jobs.enqueue(Job.EMBED_PAGES, reading.pk)


@transaction.atomic
def request_indexing(document: Document) -> None:
    """Asks for it: what may be seen of the document has changed."""
    newest = _find_newest(document.pk)
    if newest:
        Reading.objects.filter(pk=newest.pk).update(indexing=Indexing.WAITING)
        jobs.enqueue(Job.INDEX_WORDS, newest.pk)


def remove_document(document: Document) -> None:
    """Before it is deleted for good. Most have been in the trash long enough that nothing is left to do."""
    if not IndexedPage.objects.filter(document=document).exists():
        return
    with transaction.atomic():
        word_list.remove_unused(document.organization_id, _delete_pages(document))


def wake_indexing() -> None:
    """For the scheduler. What somebody is indexing does not wait."""
    _requeue_lost()
    jobs.wake(Job.INDEX_WORDS, list_waiting().values_list("pk", flat=True)[:AT_ONCE])


def index_waiting() -> int:
    """Some of them; how many it did."""
    _requeue_lost()
    return _waiting_readings.run_each(list_waiting().order_by("pk"), index_reading, maximum=AT_ONCE)


def _requeue_lost() -> None:
    _lost_readings.run_each(INDEXING_LEASE.list_lost(), _put_back, maximum=AT_ONCE)


def _put_back(reading_id: str) -> None:
    reading = INDEXING_LEASE.take_over(reading_id)
    if reading is not None:
        with suppress(LeaseLost):
            INDEXING_LEASE.release(reading)


def list_waiting() -> QuerySet[Reading, Reading]:
    return Reading.objects.filter(status=Reading.Status.COMPLETED, indexing=Indexing.WAITING)


def list_unindexed() -> QuerySet[Reading, Reading]:
    """With those that somebody is at, or has left."""
    return Reading.objects.filter(status=Reading.Status.COMPLETED).exclude(indexing=Indexing.DONE)


def prepare_terms(page: Page) -> list[PageTerms]:
    """Words before joined ones, which no phrase goes on to. Nothing of a page whose words are damaged."""
    try:
        words = unpack(bytes(page.words))
    except ValueError as error:
        log.warning("%s is found by nothing: %s", page, error)
        return []
    terms = [term.text for term in list_page_terms(words)]
    joined = [term.text for term in list_joined_numbers(words)]
    joined += dict.fromkeys(term.text for term in list_joined_words(words))
    parts = zip_longest(_split(terms), _split(joined), fillvalue=())
    return [
        PageTerms(page.number, at, (part, *((term,) for term in joined_part)))
        for at, (part, joined_part) in enumerate(parts)
    ]


def list_words(pages: Sequence[PageTerms]) -> set[str]:
    return {term for page in pages for run in page.runs for term in run}


def _split(terms: Sequence[str]) -> list[tuple[str, ...]]:
    parts: list[list[str]] = []
    size = BYTES_A_PART
    for term in terms:
        size += len(term.encode())
        if size > BYTES_A_PART or len(parts[-1]) == TERMS_A_PART:
            parts.append([])
            size = len(term.encode())
        parts[-1].append(term)
    return [tuple(part) for part in parts]


def _is_newest(reading: Reading) -> bool:
    return _find_newest(reading.document_id) == reading


def _find_newest(document_id: str) -> Reading | None:
    rows = Reading.objects.filter(document=document_id, status=Reading.Status.COMPLETED)
    return rows.order_by("-number").first()


def _delete_pages(document: Document) -> set[str]:
    """The words that they had."""
    rows = list(IndexedPage.objects.filter(document=document).values_list("pk", "reading_id"))
    pages = Page.objects.filter(reading__in={reading_id for _, reading_id in rows})
    words = list_words([part for page in pages for part in prepare_terms(page)])
    get_backend().delete_pages([key for key, _ in rows])
    return words
