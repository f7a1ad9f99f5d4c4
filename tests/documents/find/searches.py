"""Documents that are read and indexed, and what a search finds of them."""

from __future__ import annotations

from accounts.actor import Actor
from accounts.models import Organization
from documents.find.search import SearchResults, find_pages
from documents.index.words.indexing import index_document
from documents.models import Document
from tests.documents.reading_rows import document_with


def add_document(organization: Organization, *pages: list[str], name: str = "a.pdf") -> Document:
    document = document_with(organization, *pages, name=name)
    index_document(document)
    return document


def list_names(results: SearchResults) -> list[str]:
    return [hit.document.name for hit in results.hits]


def search_names(actor: Actor, query: str) -> list[str]:
    return sorted(list_names(find_pages(actor, query)))
