"""Fields in plain words, as people and cards name them."""

from __future__ import annotations

from documents.extractions.edits.changing import get_schema
from documents.models import Extraction
from documents.values import find_where, get_value
from documents.values.fields import get_field
from documents.values.row_keys import describe_key, describe_neighbours
from documents.values.titles import make_title


def describe_path(extraction: Extraction, path: str) -> str:
    """In plain words, with the row and what names it: "Amount in row 2 (A-17) of Line items"."""
    names = path.split(".")
    position = next((at for at, name in enumerate(names) if name.isdecimal()), None)
    if position is None or position == 0:
        return _find_title(extraction, path)
    array = _find_title(extraction, ".".join(names[:position]))
    if position == len(names) - 1:
        return array
    return f"{_find_title(extraction, path)} in {describe_row(extraction, '.'.join(names[: position + 1]))} of {array}"


def describe_row(extraction: Extraction, path: str) -> str:
    """ "row 2 (A-17)" of the path of a row; a row that is to be added has no key yet."""
    array, _, position = path.rpartition(".")
    rows = get_value(extraction.current, find_where(extraction.current, array))
    key = describe_key(rows, int(position)) if isinstance(rows, list) else ""
    return f"row {int(position) + 1} ({key})" if key else f"row {int(position) + 1}"


def describe_neighbours_of(extraction: Extraction, path: str) -> str:
    """The keys of the rows around the one that holds the value, such as “after A-16, before A-18”."""
    names = path.split(".")
    position = next((at for at, name in enumerate(names) if at and name.isdecimal()), None)
    if position is None:
        return ""
    rows = get_value(extraction.current, find_where(extraction.current, ".".join(names[:position])))
    return describe_neighbours(rows, int(names[position])) if isinstance(rows, list) else ""


def _find_title(extraction: Extraction, path: str) -> str:
    schema = get_schema(extraction)
    return make_title(path.rpartition(".")[2], get_field(schema, path) if schema else {})
