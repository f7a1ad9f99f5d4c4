"""Documents as the check after a tool sees them: type, tags, name, and the first words on their pages."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models.functions import Left

from agent.scope_profiles.items import Item
from documents.models import Document, Page, Reading

MAX_PAGE_LETTERS = 4_000


def read_document_item(document: Document) -> Item:
    return read_document_items([document])[document.pk]


def read_document_items(documents: Iterable[Document], *, with_tags: bool = True) -> dict[str, Item]:
    """By the documents' ids, in one statement for any number of them whose type and tags have been read."""
    documents = list(documents)
    texts = _read_first_pages([document.pk for document in documents])
    return {document.pk: _make_item(document, texts.get(document.pk, ""), with_tags) for document in documents}


def _make_item(document: Document, text: str, with_tags: bool) -> Item:
    type_key = document.document_type.key if document.document_type else None
    tags = tuple(tag.name for tag in document.tags.all()) if with_tags else ()
    return Item("row", type_key, tags, document.name, text)


def _read_first_pages(ids: list[str]) -> dict[str, str]:
    """Read them from the newest reading of each that has pages."""
    pages = Page.objects.filter(reading__document__in=ids, reading__status=Reading.Status.COMPLETED, number=1)
    newest_last = pages.order_by("reading__number").annotate(beginning=Left("text", MAX_PAGE_LETTERS))
    return dict(newest_last.values_list("reading__document", "beginning")) if ids else {}
