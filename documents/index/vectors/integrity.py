"""The vectors of pages, compared with the parts that the newest reading of a document has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from accounts.models import Organization
from documents.index.checked_index import CheckedIndex, Fault, find_newest
from documents.index.vectors.choice import find_model
from documents.index.vectors.chunks import Chunk, list_chunks
from documents.index.vectors.embedding import PURPOSE
from documents.index.vectors.numbers import is_whole_vector
from documents.models import Document, PageChunk, Reading, Usage
from kit import jobs
from kit.jobs import Job


@dataclass(frozen=True)
class _Difference:
    """`useless` are keys of rows, `total` counts the parts of the reading."""

    reading: Reading
    total: int
    missing: int
    damaged: int
    useless: Sequence[int]


@dataclass(frozen=True)
class CheckedVectors(CheckedIndex):
    """`dimensions`: those of most vectors of the model; vectors with others are compared with nothing."""

    model = PageChunk
    orphans = "vectors are of documents that have gone."
    embedding_model: str = ""
    dimensions: int = 0

    @classmethod
    def prepare(cls, organization: Organization) -> CheckedVectors:
        model = find_model(organization)
        rows = PageChunk.objects.for_org(organization).filter(model=model).order_by()
        usual = rows.values_list("dimensions").annotate(number=Count("pk")).order_by("-number").first()
        return cls(model, usual[0] if usual else 0)

    def verify(self, document: Document) -> Iterator[Fault]:
        difference = self._compare(document)
        if difference is None:
            return
        if difference.damaged:
            yield Fault(f"{difference.damaged:,} vectors are damaged.")
        elif difference.missing:
            yield Fault(f"{difference.missing:,} of {difference.total:,} parts have no vector.")
        elif difference.useless:
            yield Fault(f"{len(difference.useless):,} vectors are of no part of its newest reading.")

    def repair(self, document: Document) -> None:
        """The job takes whole vectors of the same text as they are, and deletes what is none of the reading's."""
        difference = self._compare(document)
        if difference is None:
            return
        with transaction.atomic():
            self.delete(difference.useless)
            if difference.damaged or difference.missing:
                rows = Reading.objects.filter(pk=difference.reading.pk, vectors_due_at=None)
                rows.update(vectors_due_at=timezone.now())
                jobs.enqueue(Job.EMBED_PAGES, difference.reading.pk)

    def _compare(self, document: Document) -> _Difference | None:
        """Asks for no vector of a document that never had one, since that would be paid for the first time."""
        newest = find_newest(document)
        if not self.embedding_model or newest is None or document.trashed_at is not None or newest.vectors_due_at:
            return None
        rows, chunks = list(PageChunk.objects.filter(document=document)), list_chunks(newest)
        if not chunks or not (rows or _was_paid(document)):
            return None
        own = [row for row in rows if (row.reading_id, row.model) == (newest.pk, self.embedding_model)]
        expected = {_place(chunk) for chunk in chunks}
        useless = [row.pk for row in own if _place(row) not in expected]
        damaged = [row.pk for row in own if not self._is_whole(row)]
        missing = expected.difference(map(_place, own))
        if damaged:
            useless = [*damaged, *useless]
        elif not missing:
            useless = [*useless, *{row.pk for row in rows}.difference(row.pk for row in own)]
        return _Difference(newest, len(chunks), len(missing), len(damaged), useless)

    def _is_whole(self, row: PageChunk) -> bool:
        return row.dimensions == self.dimensions and is_whole_vector(bytes(row.vector), row.dimensions)


def _was_paid(document: Document) -> bool:
    return Usage.objects.filter(subject_id=document.pk, purpose=PURPOSE).exists()


def _place(part: Chunk | PageChunk) -> tuple[int, int, str]:
    return part.page, part.first_line, part.digest
