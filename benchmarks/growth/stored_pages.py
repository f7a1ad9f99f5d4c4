"""Documents of one page each, as if they had been read."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import Organization
from documents.index.words.indexing import index_document
from documents.models import Document, Page, Reading
from reader.words import Word, pack


def store_page(organization: Organization, name: str, words: Sequence[Word]) -> None:
    document = Document.objects.create(
        organization=organization,
        name=name,
        sha256="0",
        size=1,
        file="x",
        media_type="application/pdf",
        state="ocr_completed",
    )
    reading = Reading.objects.create(document=document, number=1, status="completed", page_count=1)
    Page.objects.create(reading=reading, number=1, width=600, height=800, engine="bench", words=pack(words))
    index_document(document)
