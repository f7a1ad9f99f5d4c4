"""Extractions for templates: `build_view` gives everything a page shows, typed."""

from documents.extractions.extraction_view.shapes import (
    ColumnView,
    ConflictView,
    Counts,
    ExtractionView,
    FieldView,
    RowView,
    TableView,
)
from documents.extractions.extraction_view.view_builder import build_field_view, build_view

__all__ = [
    "ColumnView",
    "ConflictView",
    "Counts",
    "ExtractionView",
    "FieldView",
    "RowView",
    "TableView",
    "build_field_view",
    "build_view",
]
