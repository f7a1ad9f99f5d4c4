"""An index as what is verified and repaired: by document, and where documents have gone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.db.models import Exists, OuterRef, QuerySet

from documents.models import CurrentValue, Document, IndexedPage, PageChunk, Reading

AT_ONCE = 500


@dataclass(frozen=True)
class Fault:
    """`problem` is a sentence."""

    problem: str
    needs_person: bool = False


class CheckedIndex(ABC):
    """`orphans` says in a sentence what rows without a document are."""

    model: ClassVar[type[CurrentValue | IndexedPage | PageChunk]]
    orphans: ClassVar[str]

    @abstractmethod
    def verify(self, document: Document) -> Iterator[Fault]:
        """Each fault at most once. What waits to be indexed is no fault: a worker will do it."""

    @abstractmethod
    def repair(self, document: Document) -> None:
        """Mend all that `verify` says and needs no person. It may be done twice."""

    def verify_rest(self) -> Iterator[Fault]:
        """Faults that belong to no document any more."""
        if keys := self.list_orphans():
            yield Fault(f"{len(keys):,} {self.orphans}")

    def repair_rest(self) -> None:
        self.delete(self.list_orphans())

    def list_orphans(self) -> list[int]:
        rows: QuerySet[CurrentValue | IndexedPage | PageChunk] = self.model._default_manager.all()
        gone = rows.filter(~Exists(Document.objects.filter(pk=OuterRef("document_id"))))
        return list(gone.values_list("pk", flat=True))

    def delete(self, keys: Sequence[int]) -> None:
        for at in range(0, len(keys), AT_ONCE):
            self.delete_some(keys[at : at + AT_ONCE])

    def delete_some(self, keys: Sequence[int]) -> None:
        self.model._default_manager.filter(pk__in=keys).delete()


def find_newest(document: Document) -> Reading | None:
    """The reading by which everything of the document is found."""
    return document.readings.filter(status=Reading.Status.COMPLETED).order_by("-number").first()
