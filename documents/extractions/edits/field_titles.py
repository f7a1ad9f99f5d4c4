"""Fields in plain words, as people and cards name them."""

from __future__ import annotations

from documents.extractions.edits.changing import get_schema
from documents.models import Extraction
from documents.values.fields import get_field
from documents.values.titles import make_title


def describe_path(extraction: Extraction, path: str) -> str:
    """In plain words, with the row: "Amount in row 2 of Line items"."""
    names = path.split(".")
    position = next((at for at, name in enumerate(names) if name.isdecimal()), None)
    if position is None or position == 0:
        return _find_title(extraction, path)
    array = _find_title(extraction, ".".join(names[:position]))
    if position == len(names) - 1:
        return array
    return f"{_find_title(extraction, path)} in row {int(names[position]) + 1} of {array}"


def _find_title(extraction: Extraction, path: str) -> str:
    schema = get_schema(extraction)
    return make_title(path.rpartition(".")[2], get_field(schema, path) if schema else {})
