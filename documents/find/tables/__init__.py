"""Questions about the tables that stand in a file, such as the sheets of a spreadsheet: their rows, groups and sums,
and rows beside those of another table or the values of documents."""

from documents.find.tables.cells import CellLine, FileTable, load_tables
from documents.find.tables.joining import Join, JoinedSide, Joining, Match, join_rows, parse_join
from documents.find.tables.querying import TableAnswer, TableLine, query_tables
from documents.find.tables.rows import NamedTable, read_rows

__all__ = [
    "CellLine",
    "FileTable",
    "Join",
    "JoinedSide",
    "Joining",
    "Match",
    "NamedTable",
    "TableAnswer",
    "TableLine",
    "join_rows",
    "load_tables",
    "parse_join",
    "query_tables",
    "read_rows",
]
