"""The parts of pages that are most alike what is looked for, of documents that may be seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from django.db.models import QuerySet

from accounts.models import Organization
from documents.index.vectors.numbers import BYTES_A_NUMBER, rank_by_likeness
from documents.models import Document, PageChunk

# As many are compared, those embedded last: with 1,536 numbers each 60 MB are read for it, 6 MB at a time.
MAX_COMPARED, AT_ONCE = 20_000, 2_000
# The best of them, and of as many documents.
MAX_CHUNKS, MAX_DOCUMENTS = 200, 50
# What is less alike than this part of the best is left out: something is always nearest, in a small organization all.
MIN_OF_BEST = 0.7


class NearChunk(NamedTuple):
    document_id: str
    reading_id: str
    page: int
    first_line: int
    last_line: int
    likeness: float


@dataclass(frozen=True)
class Nearest:
    """`are_all` is false where there were more than are compared."""

    chunks: list[NearChunk] = field(default_factory=list)
    are_all: bool = True


def find_nearest(organization: Organization, documents: QuerySet[Document], *, model: str, vector: bytes) -> Nearest:
    """`documents` may be seen. The best first."""
    rows = PageChunk.objects.for_org(organization).filter(
        model=model,
        dimensions=len(vector) // BYTES_A_NUMBER,
        document__in=documents.order_by().values("pk"),
    )
    compared = rows.order_by("-pk").values_list("pk", "vector")[: MAX_COMPARED + 1]
    batches = _Batches(compared.iterator(chunk_size=AT_ONCE))
    best = rank_by_likeness(vector, batches, number=MAX_CHUNKS)
    likeness = {key: product for product, key in best if product > 0 and product >= MIN_OF_BEST * best[0][0]}
    places = {row.pk: row for row in rows.filter(pk__in=likeness).defer("vector")}
    chunks = [_describe_chunk(places[key], likeness[key]) for key in likeness if key in places]
    return Nearest(_leave_documents(chunks), are_all=batches.number <= MAX_COMPARED)


class _Batches:
    def __init__(self, rows: Iterator[tuple[int, bytes | memoryview[int]]]) -> None:
        self.rows = rows
        self.number = 0

    def __iter__(self) -> Iterator[list[tuple[int, bytes]]]:
        while batch := [(key, bytes(vector)) for key, vector in islice(self.rows, AT_ONCE)]:
            self.number += len(batch)
            yield batch


def _describe_chunk(row: PageChunk, likeness: float) -> NearChunk:
    return NearChunk(row.document_id, row.reading_id, row.page, row.first_line, row.last_line, likeness)


def _leave_documents(chunks: list[NearChunk]) -> list[NearChunk]:
    documents = dict.fromkeys(chunk.document_id for chunk in chunks)
    few = set(list(documents)[:MAX_DOCUMENTS])
    return [chunk for chunk in chunks if chunk.document_id in few]
