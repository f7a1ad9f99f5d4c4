"""Looks once through each reading of several pages for borders, and keeps what is proposed. It cuts nothing."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from django.db.models import F

from documents.intake.borders.page_signs import PageToRead
from documents.intake.borders.proposing import Border, propose_borders
from documents.intake.splitting import SPLITTABLE
from documents.models import Document, Reading
from kit import events
from kit.rows.row_guard import RowGuard
from reader.words import unpack

AT_ONCE = 20
_unseen = RowGuard("reading that nobody looked through for borders")


def note_waiting() -> int:
    """Answers how many readings were looked through."""
    due = Reading.objects.filter(status=Reading.Status.COMPLETED, borders__isnull=True, page_count__gt=1)
    return _unseen.run_each(due.order_by("finished_at", "pk"), _note, maximum=AT_ONCE)


def list_borders(reading: Reading) -> list[Border]:
    """In the order of their pages; looked for now where nobody has yet."""
    if reading.borders is None:
        return find_borders(reading)
    return [Border(page, tuple(reasons)) for page, reasons in reading.borders]


def find_borders(reading: Reading) -> list[Border]:
    return list(propose_borders(_iterate_pages(reading)))


def _note(reading_id: str) -> None:
    """Outside of a transaction: it opens every page."""
    reading = Reading.objects.select_related("document").get(pk=reading_id)
    document = reading.document
    borders = find_borders(reading) if document.media_type in SPLITTABLE and not document.first_page else []
    with transaction.atomic():
        Reading.objects.filter(pk=reading_id).update(borders=[[each.page, each.reasons] for each in borders])
        if borders:
            Document.objects.filter(pk=document.pk).update(version=F("version") + 1)
            events.publish(events.document_group(document.pk), "document.changed", document_id=document.pk)


def _iterate_pages(reading: Reading) -> Iterator[PageToRead]:
    rows = reading.pages.only("reading", "number", "words", "width", "height").order_by("number")
    for page in rows.iterator():
        yield PageToRead(page.number, unpack(bytes(page.words)), page.width / (page.height or 1))
