"""Pure logic of extracted values: row ids, addresses, edits over a run, and what a new run keeps of them."""

from documents.values.addresses import (
    Where,
    find_where,
    get_value,
    get_wire_path,
    has_value,
    iterate_leaves,
    map_wire_paths,
)
from documents.values.changes import Change, is_run_value, is_same, list_changes, make_change, says_the_same
from documents.values.edits import Edit, EditKind, Origin, compute_current, is_protected
from documents.values.provenance import Box, Location, NearbyWords, State, ValuePlace, make_not_located, parse_location
from documents.values.rerun import CarriedEdits, Conflict, Matches, carry_edits, match_rows
from documents.values.stored import Schema, Stored, StoredRow, add_row_ids, strip_row_ids

__all__ = [
    "Box",
    "CarriedEdits",
    "Change",
    "Conflict",
    "Edit",
    "EditKind",
    "Location",
    "Matches",
    "NearbyWords",
    "Origin",
    "Schema",
    "State",
    "Stored",
    "StoredRow",
    "ValuePlace",
    "Where",
    "add_row_ids",
    "carry_edits",
    "compute_current",
    "find_where",
    "get_value",
    "get_wire_path",
    "has_value",
    "is_protected",
    "is_run_value",
    "is_same",
    "iterate_leaves",
    "list_changes",
    "make_change",
    "make_not_located",
    "map_wire_paths",
    "match_rows",
    "parse_location",
    "says_the_same",
    "strip_row_ids",
]
