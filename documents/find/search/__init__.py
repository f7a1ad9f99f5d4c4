"""Finding documents by every word of every page."""

from documents.find.search.finding import find_pages
from documents.find.search.results import DocumentHit, PageHit, SearchResults, Snippet, ValueHit

__all__ = ["DocumentHit", "PageHit", "SearchResults", "Snippet", "ValueHit", "find_pages"]
