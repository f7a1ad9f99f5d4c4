"""Questions about the current values of many documents: filters, columns, groups and sums."""

from documents.find.fields.query import FieldQuery, parse_query
from documents.find.fields.querying import EVERYTHING, query_fields, sum_fields
from documents.find.fields.tables import FieldCell, FieldRow, FieldSum, FieldTable

__all__ = [
    "EVERYTHING",
    "FieldCell",
    "FieldQuery",
    "FieldRow",
    "FieldSum",
    "FieldTable",
    "parse_query",
    "query_fields",
    "sum_fields",
]
