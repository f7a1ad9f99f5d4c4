"""Finding documents by every word of every page."""

from documents.search.finding import find_pages
from documents.search.results import DocumentHit, PageHit, SearchResults, Snippet, ValueHit

__all__ = ["DocumentHit", "PageHit", "SearchResults", "Snippet", "ValueHit", "find_pages"]
