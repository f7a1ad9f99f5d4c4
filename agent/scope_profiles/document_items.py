"""Documents as the check after a tool sees them: type, tags, name, and the first words on their pages."""

from __future__ import annotations

from collections.abc import Iterable

from agent.scope_profiles.items import Item
from documents.models import Document, Page, Reading

MAX_PAGE_LETTERS = 4_000


def read_document_item(document: Document) -> Item:
    return read_document_items([document])[document.pk]


def read_document_items(documents: Iterable[Document]) -> dict[str, Item]:
    """By the documents' ids, in two statements for any number of them whose type and tags have been read."""
    documents = list(documents)
    texts = _read_first_pages([document.pk for document in documents])
    return {document.pk: _make_item(document, texts.get(document.pk, "")) for document in documents}


def _make_item(document: Document, text: str) -> Item:
    type_key = document.document_type.key if document.document_type else None
    return Item("row", type_key, tuple(tag.name for tag in document.tags.all()), document.name, text)


def _read_first_pages(ids: list[str]) -> dict[str, str]:
    """Read them from the newest reading of each."""
    rows = Reading.objects.filter(document__in=ids, status=Reading.Status.COMPLETED).order_by("number")
    newest = dict(rows.values_list("document", "pk"))
    pages = Page.objects.filter(reading__in=list(newest.values()), number=1)
    texts = {reading: text[:MAX_PAGE_LETTERS] for reading, text in pages.values_list("reading", "text")}
    return {document: texts.get(reading, "") for document, reading in newest.items()}
