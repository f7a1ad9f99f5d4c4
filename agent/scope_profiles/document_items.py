"""A document as the check after a tool sees it: its type, its tags, and words of it where no type is known."""

from __future__ import annotations

from agent.scope_profiles.items import Item
from documents.models import Document
from documents.reading.reading import get_newest

MAX_PAGE_LETTERS = 4_000


def read_document_item(document: Document) -> Item:
    type_key = document.document_type.key if document.document_type else None
    tags = tuple(document.tags.values_list("name", flat=True))
    return Item("row", type_key, tags, document.name, _read_first_page(document))


def _read_first_page(document: Document) -> str:
    reading = get_newest(document)
    page = reading.pages.order_by("number").first() if reading else None
    return page.text[:MAX_PAGE_LETTERS] if page else ""
