"""Values of the newest extraction of each document of a list, few and short, so that the list stays small."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result
from documents import extractions
from documents.index.values.indexing import read_lines
from documents.models import Document, Extraction
from documents.values import strip_row_ids
from kit.errors import Invalid

FEW_VALUES = 6
# Of longer lists only the values that are named.
MAX_ROWS_UNNAMED = 20
MAX_NAMES = 10
MAX_LETTERS = 80


class ListedValues(NamedTuple):
    """`blocks`: by the names of values, the ids of their lines; empty where no values were named."""

    values: Result
    blocks: Mapping[str, str]


def read_values(documents: Sequence[Document], names: Sequence[str] | None) -> dict[str, ListedValues]:
    """By the document's id. Without names the first few, where the list is short. Raises Invalid for too many."""
    if names is not None and len(names) > MAX_NAMES:
        raise Invalid(f"There are {len(names)} values; {MAX_NAMES} are the most for a list.")
    if names is None and len(documents) > MAX_ROWS_UNNAMED:
        return {}
    newest = extractions.list_newest_runs([document.pk for document in documents])
    return {run.document_id: _choose_from_run(run, names) for run in newest}


def _choose_from_run(run: Extraction, names: Sequence[str] | None) -> ListedValues:
    lines = read_lines(run.provenance, names or ()) if run.reading_id else {}
    blocks = {path: f"{run.reading_id}.{line}" for (path, row), line in lines.items() if not row}
    return ListedValues(_choose_values(strip_row_ids(run.current), names), blocks)


def _choose_values(current: object, names: Sequence[str] | None) -> Result:
    leaves = iterate_leaves(current)
    chosen = islice(leaves, FEW_VALUES) if names is None else ((path, value) for path, value in leaves if path in names)
    return {path[:MAX_LETTERS]: _shorten(value) for path, value in chosen}


def iterate_leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Groups are opened, tables are not."""
    if not isinstance(value, dict):
        yield path, value
        return
    for name, inner in value.items():
        yield from iterate_leaves(inner, f"{path}.{name}" if path else name)


def _shorten(value: object) -> object:
    if isinstance(value, list):
        return format_count(len(value), "row")
    return f"{value[:MAX_LETTERS]}…" if isinstance(value, str) and len(value) > MAX_LETTERS else value
