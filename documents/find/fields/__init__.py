"""Questions about the current values of many documents: filters, columns, groups and sums."""

from documents.find.fields.query import FieldQuery, parse_query
from documents.find.fields.querying import EVERYTHING, query_fields
from documents.find.fields.tables import FieldCell, FieldRow, FieldTable

__all__ = ["EVERYTHING", "FieldCell", "FieldQuery", "FieldRow", "FieldTable", "parse_query", "query_fields"]
