"""Extractions for templates: `present` gives everything a page shows, typed."""

from documents.extractions.extraction_view.presenting import one_field, present
from documents.extractions.extraction_view.shapes import (
    ColumnView,
    ConflictView,
    Counts,
    ExtractionView,
    FieldView,
    RowView,
    TableView,
)

__all__ = [
    "ColumnView",
    "ConflictView",
    "Counts",
    "ExtractionView",
    "FieldView",
    "RowView",
    "TableView",
    "one_field",
    "present",
]
