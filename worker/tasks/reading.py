from __future__ import annotations

from celery import shared_task

from documents.index.vectors import embedding, query_vectors
from documents.index.words import indexing
from documents.intake import parts
from documents.reading import reading
from documents.types import asking
from kit import stopping
from kit.jobs import Job
from worker.services.leases import this_process


@shared_task(name=Job.UNPACK_DOCUMENT.task)
def unpack_document(document_id: str) -> None:
    parts.unpack(document_id)


@shared_task(name=Job.READ_DOCUMENT.task)
def read_document(reading_id: str) -> None:
    """The id says what woke us; what is read is the next slice that is due, and the next, while there is one."""
    while not stopping.is_set() and reading.read_next(holder=this_process()):
        pass


@shared_task(name=Job.INDEX_WORDS.task)
def index_words(reading_id: str) -> None:
    indexing.index_reading(reading_id)


@shared_task(name=Job.ASK_TYPE.task)
def ask_type(reading_id: str) -> None:
    asking.ask_about(reading_id)


@shared_task(name=Job.EMBED_PAGES.task)
def embed_pages(reading_id: str) -> None:
    embedding.embed_reading(reading_id)


@shared_task(name=Job.EMBED_QUERY.task)
def embed_query(row_id: str) -> None:
    query_vectors.embed_query(row_id)
