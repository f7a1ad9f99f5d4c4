"""The job that makes vectors of a document's newest reading.

`Reading.vectors_due_at` says when there is something to do; empty: nothing. Who takes it moves it on by `CLAIM`, so
that another takes it when this one was killed. Each batch is written with the claim compared: what was paid for is
kept, and is not paid for again by whoever goes on, or for the same text in a later reading.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from documents.index.vectors.choice import find_model
from documents.index.vectors.chunks import Chunk, list_chunks
from documents.index.vectors.numbers import BYTES_A_NUMBER, pack_vector
from documents.models import Document, PageChunk, Reading
from kit import jobs, stopping
from kit.errors import AppError, Upstream
from kit.jobs import Job
from kit.leases import LeaseLost
from llm.client.wordless.embedding import embed
from llm.money.spending import BudgetAccount

log = logging.getLogger(__name__)
PURPOSE = "embedding"
AT_ONCE = 100
TEXTS_A_CALL, LETTERS_A_CALL = 64, 40_000
# Longer than a call may take, with waiting for its end.
CLAIM = timedelta(minutes=10)
SOON, LATER = timedelta(minutes=1), timedelta(hours=1)


def list_due() -> QuerySet[Reading, Reading]:
    return Reading.objects.filter(vectors_due_at__lte=timezone.now()).order_by("vectors_due_at")


def wake_embedding() -> None:
    """For the scheduler."""
    jobs.wake(Job.EMBED_PAGES, list_due().values_list("pk", flat=True)[:AT_ONCE])


def embed_reading(reading_id: str) -> bool:
    """False where there is nothing to do now, or another does it. A failure is tried again later."""
    work = _claim(reading_id)
    if work is None:
        return False
    try:
        work.run_or_wait()
    except LeaseLost:
        log.info("vectors of %s are made by another meanwhile", work.reading)
    return True


def _claim(reading_id: str) -> _Work | None:
    now = timezone.now()
    until = now + CLAIM
    if not Reading.objects.filter(pk=reading_id, vectors_due_at__lte=now).update(vectors_due_at=until):
        return None
    reading = Reading.objects.select_related("document__organization").get(pk=reading_id)
    return _Work(reading, until, find_model(reading.document.organization))


@dataclass
class _Work:
    reading: Reading
    claim: datetime
    model: str

    def run_or_wait(self) -> None:
        document = self.reading.document
        if not self.model or document.trashed_at or self.reading != _find_newest(document):
            self.move_due(None)
            return
        try:
            self._run()
        except AppError as error:
            log.warning("vectors of %s wait: %s", self.reading, error)
            self.move_due(timezone.now() + _choose_wait(error))

    def _run(self) -> None:
        document = self.reading.document
        chunks = list_chunks(self.reading)
        paid = _list_paid(document, self.model)
        self._store([chunk for chunk in chunks if chunk.digest in paid], paid)
        missing = {chunk.digest: chunk for chunk in chunks if chunk.digest not in paid}
        for batch in _split_batches(list(missing.values())):
            if stopping.is_set():
                self.move_due(timezone.now())
                return
            vectors = self._embed(batch)
            self._store([chunk for chunk in chunks if chunk.digest in vectors], vectors)
        self._finish()

    def _embed(self, batch: Sequence[Chunk]) -> dict[str, bytes]:
        document = self.reading.document
        account = BudgetAccount(document.organization, PURPOSE, document.pk)
        embedding = embed(self.model, [chunk.text for chunk in batch], account=account)
        return {chunk.digest: pack_vector(numbers) for chunk, numbers in zip(batch, embedding.vectors, strict=True)}

    @transaction.atomic
    def _store(self, chunks: Sequence[Chunk], vectors: dict[str, bytes]) -> None:
        """Those that this reading does not have yet."""
        self.move_due(timezone.now() + CLAIM)
        stored = set(self._list_own().values_list("page", "first_line", "digest"))
        PageChunk.objects.bulk_create(
            (
                PageChunk(
                    organization_id=self.reading.document.organization_id,
                    document_id=self.reading.document_id,
                    reading=self.reading,
                    page=chunk.page,
                    first_line=chunk.first_line,
                    last_line=chunk.last_line,
                    model=self.model,
                    dimensions=len(vectors[chunk.digest]) // BYTES_A_NUMBER,
                    digest=chunk.digest,
                    vector=vectors[chunk.digest],
                )
                for chunk in chunks
                if (chunk.page, chunk.first_line, chunk.digest) not in stored
            ),
            batch_size=200,
        )

    @transaction.atomic
    def _finish(self) -> None:
        """What other readings and models left goes now that there is something in its place."""
        self.move_due(None)
        own = self._list_own().values("pk")
        PageChunk.objects.filter(document=self.reading.document).exclude(pk__in=own).delete()

    def _list_own(self) -> QuerySet[PageChunk, PageChunk]:
        return PageChunk.objects.filter(document=self.reading.document, reading=self.reading, model=self.model)

    def move_due(self, to: datetime | None) -> None:
        """Raises LeaseLost where the reading is another's by now, or was asked for anew, or has gone."""
        ours = Reading.objects.filter(pk=self.reading.pk, vectors_due_at=self.claim)
        if not ours.update(vectors_due_at=to):
            raise LeaseLost
        if to is not None:
            self.claim = to


def _choose_wait(error: AppError) -> timedelta:
    if isinstance(error, Upstream) and error.retryable:
        return max(SOON, timedelta(seconds=error.retry_after or 0))
    return LATER


def _find_newest(document: Document) -> Reading | None:
    return document.readings.filter(status=Reading.Status.COMPLETED).order_by("-number").first()


def _list_paid(document: Document, model: str) -> dict[str, bytes]:
    rows = PageChunk.objects.filter(document=document, model=model).values_list("digest", "vector")
    return {digest: bytes(vector) for digest, vector in rows}


def _split_batches(chunks: Sequence[Chunk]) -> Iterator[list[Chunk]]:
    batch: list[Chunk] = []
    letters = 0
    for chunk in chunks:
        if batch and (len(batch) == TEXTS_A_CALL or letters + len(chunk.text) > LETTERS_A_CALL):
            yield batch
            batch, letters = [], 0
        batch.append(chunk)
        letters += len(chunk.text)
    if batch:
        yield batch
