"""The vectors of pages, compared with the parts that the newest reading of a document has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import Count, Exists, OuterRef
from django.utils import timezone

from accounts.models import Organization
from documents.index.faults import Fault, find_newest
from documents.index.vectors.choice import find_model
from documents.index.vectors.chunks import Chunk, list_chunks
from documents.index.vectors.embedding import PURPOSE
from documents.index.vectors.numbers import is_whole_vector
from documents.models import Document, PageChunk, Reading, Usage
from kit import jobs
from kit.jobs import Job

AT_ONCE = 500


@dataclass(frozen=True)
class VectorCheck:
    """`dimensions`: of most vectors of the model; others are compared with nothing."""

    model: str
    dimensions: int

    @classmethod
    def prepare(cls, organization: Organization) -> VectorCheck:
        model = find_model(organization)
        rows = PageChunk.objects.for_org(organization).filter(model=model).order_by()
        usual = rows.values_list("dimensions").annotate(number=Count("pk")).order_by("-number").first()
        return cls(model, usual[0] if usual else 0)

    def find_faults(self, document: Document) -> Iterator[Fault]:
        """Of what is due there are none: it will be made. What never had a vector is not asked for here, since it is
        paid for the first time."""
        newest = find_newest(document)
        if not self.model or newest is None or document.trashed_at is not None or newest.vectors_due_at is not None:
            return
        rows, chunks = list(PageChunk.objects.filter(document=document)), list_chunks(newest)
        if not chunks or not (rows or _was_paid(document)):
            return
        own = [row for row in rows if (row.reading_id, row.model) == (newest.pk, self.model)]
        expected = {_place(chunk) for chunk in chunks}
        stray = [row.pk for row in own if _place(row) not in expected]
        damaged = [row.pk for row in own if not self._is_whole(row)]
        missing = expected.difference(map(_place, own))
        if damaged:
            yield Fault(f"{len(damaged):,} vectors are damaged.", partial(_make_anew, newest, [*damaged, *stray]))
        elif missing:
            problem = f"{len(missing):,} of {len(chunks):,} parts have no vector."
            yield Fault(problem, partial(_make_anew, newest, stray))
        elif old := [*stray, *{row.pk for row in rows}.difference(row.pk for row in own)]:
            yield Fault(f"{len(old):,} vectors are of no part of its newest reading.", partial(_delete, old))

    def _is_whole(self, row: PageChunk) -> bool:
        return row.dimensions == self.dimensions and is_whole_vector(bytes(row.vector), row.dimensions)


def find_orphans() -> Iterator[Fault]:
    gone = PageChunk.objects.filter(~Exists(Document.objects.filter(pk=OuterRef("document_id"))))
    if keys := list(gone.values_list("pk", flat=True)):
        yield Fault(f"{len(keys):,} vectors are of documents that have gone.", partial(_delete, keys))


def _was_paid(document: Document) -> bool:
    return Usage.objects.filter(subject_id=document.pk, purpose=PURPOSE).exists()


def _place(part: Chunk | PageChunk) -> tuple[int, int, str]:
    return part.page, part.first_line, part.digest


@transaction.atomic
def _make_anew(newest: Reading, useless: Sequence[int]) -> None:
    """By the job, which takes whole vectors of the same text as they are, and deletes what is none of the reading's."""
    _delete(useless)
    Reading.objects.filter(pk=newest.pk, vectors_due_at=None).update(vectors_due_at=timezone.now())
    jobs.enqueue(Job.EMBED_PAGES, newest.pk)


def _delete(keys: Sequence[int]) -> None:
    for at in range(0, len(keys), AT_ONCE):
        PageChunk.objects.filter(pk__in=keys[at : at + AT_ONCE]).delete()
