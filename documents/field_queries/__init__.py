"""Questions about the current values of many documents: filters, columns, groups and sums."""

from documents.field_queries.query import FieldQuery, parse_query
from documents.field_queries.querying import EVERYTHING, query_fields
from documents.field_queries.tables import FieldCell, FieldRow, FieldTable

__all__ = ["EVERYTHING", "FieldCell", "FieldQuery", "FieldRow", "FieldTable", "parse_query", "query_fields"]
