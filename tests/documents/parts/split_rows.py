"""A scan of several documents in one PDF, read."""

from __future__ import annotations

from django.core.files.base import ContentFile

from accounts.actor import Actor
from documents.intake import uploads
from documents.models import Document
from documents.reading import reading
from tests.documents.reader_files import pdf, text_at

PAGES = (
    "Invoice 17 of May, total 12.50",
    "Invoice 17 of May, second page",
    "Contract of lease, May 2026",
    "Receipt no. 9 of June, 8.20",
    "Receipt no. 9, other side",
)


def put_whole(actor: Actor, *, pages: tuple[str, ...] = PAGES, **options: object) -> Document:
    content = pdf([text_at(10, 50, text, size=10) for text in pages])
    document = uploads.store(actor, name="scans.pdf", content=ContentFile(content, name="scans.pdf"), **options)  # type: ignore[arg-type]
    read_all()
    document.refresh_from_db()
    return document


def read_all() -> None:
    while reading.read_next(holder="test"):
        pass


def read_texts(document: Document) -> list[str]:
    return [page.text for page in document.readings.order_by("-number")[0].pages.order_by("number")]
