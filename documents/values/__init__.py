"""Pure logic of extracted values: row ids, addresses, edits over a run, and what a new run keeps of them."""

from documents.values.addresses import (
    Where,
    append_row,
    get,
    has,
    leaves,
    remove_row,
    set_value,
    where_of,
    wire_path_of,
    wire_paths,
)
from documents.values.changes import Change, change_at, changes_to, is_as_found, removal_at, same
from documents.values.edits import Edit, Kind, Origin, current, is_protected, origins
from documents.values.provenance import Box, Found, State, found_from, not_located
from documents.values.rerun import Carried, Conflict, Matches, carry_edits, match_rows
from documents.values.stored import Json, Row, Schema, Stored, on_wire, with_row_ids

__all__ = [
    "Box",
    "Carried",
    "Change",
    "Conflict",
    "Edit",
    "Found",
    "Json",
    "Kind",
    "Matches",
    "Origin",
    "Row",
    "Schema",
    "State",
    "Stored",
    "Where",
    "append_row",
    "carry_edits",
    "change_at",
    "changes_to",
    "current",
    "found_from",
    "get",
    "has",
    "is_as_found",
    "is_protected",
    "leaves",
    "match_rows",
    "not_located",
    "on_wire",
    "origins",
    "removal_at",
    "remove_row",
    "same",
    "set_value",
    "where_of",
    "wire_path_of",
    "wire_paths",
    "with_row_ids",
]
