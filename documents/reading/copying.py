"""Pages that have been read once need not be read again in a document that is cut out of theirs."""

from __future__ import annotations

from django.db import transaction

from accounts.actor import Actor
from documents.models import READING_LEASE, Document, Page, Reading
from documents.reading import reading, slices
from kit.ids import new_id

Status = Reading.Status


def start_or_copy(actor: Actor, *, document: Document, whole: Document, first: int, last: int) -> Reading:
    """The first reading of the document: the pages as the whole's newest one has them, if that has read all of them."""
    source = reading.get_newest(whole)
    pages = list(source.pages.filter(number__range=(first, last)).exclude(engine="")) if source else []
    if source is None or len(pages) != last - first + 1:
        return reading.start(actor, document=document)
    return _copy(document, source, pages, first)


@transaction.atomic
def _copy(document: Document, source: Reading, pages: list[Page], first: int) -> Reading:
    """Ends like any reading: with what it says of its pages, the document's state and the prompts of its tags."""
    count, copied = len(pages), {page.number for page in pages}
    copy = Reading.objects.create(
        document=document,
        number=1,
        status=Status.READING,
        settings={"engine": source.settings.get("engine", "auto")},
        page_count=count,
        pages_listed=count,
        pages_read=count,
        gaps=[[kind, why, page - first + 1, part] for kind, why, page, part in source.gaps if page in copied],
    )
    for page in pages:
        page.pk, page.reading, page.number = new_id(), copy, page.number - first + 1
    Page.objects.bulk_create(pages, batch_size=100)
    READING_LEASE.lock(copy)
    slices.finish(copy, Status.COMPLETED)
    return copy
