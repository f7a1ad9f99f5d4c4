"""Results out: current values of many documents as one file, one row a document or one row an entry of a list."""

from documents.results.exporting import MEDIA_TYPES, ResultExport, name_file
from documents.results.layout import FORMATS, ResultLayout, parse_layout

__all__ = ["FORMATS", "MEDIA_TYPES", "ResultExport", "ResultLayout", "name_file", "parse_layout"]
