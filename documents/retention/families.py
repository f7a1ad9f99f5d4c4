"""What came in a document, or was cut out of it, goes to the trash and comes back with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from django.db import transaction

from accounts.actor import Actor
from documents import document_changes
from documents.intake.parts import MAX_FAMILY
from documents.models import Document


@transaction.atomic
def trash(
    actor: Actor,
    *,
    document: Document,
    expected_versions: Collection[str] | None = None,
    at: datetime | None = None,
    part_ids: Collection[str] | None = None,
) -> int:
    """With all that is in it, as one: `restore` brings it back as one. Answers how many more it were.

    `at`: when that was, for what goes along with other documents. `part_ids`: of what is in it these alone.
    """
    document_changes.trash(actor, document=document, expected_versions=expected_versions, at=at)
    parts = [part for part in list_parts(document) if part_ids is None or part.pk in part_ids]
    for part in parts:
        document_changes.trash(actor.because("whole"), document=part, at=document.trashed_at)
    return len(parts)


@transaction.atomic
def restore(actor: Actor, *, document: Document) -> list[str]:
    """With what went to the trash together with it. Answers the ids of these others."""
    moment = document.trashed_at
    document_changes.restore(actor, document=document)
    parts = [part for part in _iterate_family(document) if part.trashed_at == moment and not part.purge_requested_at]
    for part in parts:
        document_changes.restore(actor, document=part)
    return [part.pk for part in parts]


def format_parts(count: int) -> str:
    """ ", with 3 documents in it"; empty for none."""
    return f", with {count} {'document' if count == 1 else 'documents'} in it" if count else ""


def list_parts(document: Document) -> list[Document]:
    """All in it that are in the lists, and what is in these."""
    return [part for part in _iterate_family(document) if part.trashed_at is None]


def _iterate_family(document: Document) -> Iterator[Document]:
    """Each generation by a query; an upload brings MAX_FAMILY at most, and what was split is bounded like it."""
    generation, count = [document.pk], 0
    while generation and count < 2 * MAX_FAMILY:
        parts = list(Document.objects.filter(parent__in=generation).order_by(*Document.ORDER_IN_WHOLE))
        yield from parts
        generation, count = [part.pk for part in parts], count + len(parts)
