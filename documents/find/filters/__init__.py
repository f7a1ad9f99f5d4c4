"""One definition of what a list of documents is narrowed and sorted by, for pages, `/v0` and saved views."""

from documents.find.filters.document_filter import FILTER_NAMES, DocumentFilter, parse_filter, require_filter
from documents.find.filters.terms import Term

__all__ = ["FILTER_NAMES", "DocumentFilter", "Term", "parse_filter", "require_filter"]
