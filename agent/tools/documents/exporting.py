"""Values of several documents as one table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools.documents import selection
from agent.tools.documents.current_values import iterate_leaves
from documents import extractions
from documents.reading.exports.formulas import escape_formula
from documents.reading.page_text import make_data_block
from documents.values import strip_row_ids
from kit.errors import Invalid

MAX_COLUMNS = 60
NAME, ID = "document_name", "document_id"


def _summarize(arguments: Arguments, result: Result) -> str:
    return f"{format_count(result.get('rows', 0), 'document')}, {len(result.get('columns', ()))} columns"


@tool(
    group="extraction",
    access="read",
    title="Export values as a table",
    icon="i-download",
    resolve=selection.pin_documents,
    summary=_summarize,
    is_rare=True,
)
def export_results(context: ToolContext, documents: list[str], values: list[str] | None = None) -> Result:
    """The newest values of several documents as one CSV table, a line for each document; lists of rows as their number.
    Show it, or sum over it with calculate. A person gets the file by Download in the list of documents.

    documents: by names or ids, tag:NAME for all with a tag, filter:NAME for a saved filter
    values: names of the columns, dotted; without it all there are, 60 at most
    """
    rows = selection.fetch_rows(context, {"documents": documents})
    newest = extractions.list_newest_runs([row.pk for row in rows])
    values_by_id = {run.document_id: dict(_flatten(run.current)) for run in newest}
    columns = _choose_columns(values_by_id.values(), values)
    cells = [[row.pk, row.name, *(values_by_id.get(row.pk, {}).get(name, "") for name in columns)] for row in rows]
    table = _write_csv([[ID, NAME, *columns], *cells])
    missing = [row.name for row in rows if row.pk not in values_by_id]
    answer: Result = {"columns": columns, "rows": len(rows), "csv": make_data_block("values", table)}
    return {**answer, "without_values": missing} if missing else answer


def _flatten(current: object) -> Iterable[tuple[str, str]]:
    for path, value in iterate_leaves(strip_row_ids(current)):
        count = format_count(len(value), "row") if isinstance(value, list) else value
        yield path, "" if count is None else str(count)


def _choose_columns(values: Iterable[Mapping[str, str]], named: Sequence[str] | None) -> list[str]:
    """Those that are named, else all in the order in which they come. Raises Invalid for unknown or too many."""
    known = list(dict.fromkeys(path for each in values for path in each))
    if unknown := [name for name in named or () if name not in known]:
        raise Invalid(f"No document has a value called {unknown[0][:60]!r}. There are: {', '.join(known[:20])}.")
    columns = list(named or known)
    if len(columns) > MAX_COLUMNS:
        raise Invalid(
            f"There are {len(columns)} columns; {MAX_COLUMNS} are the most. Name those that matter in values."
        )
    return columns


def _write_csv(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([escape_formula(cell) for cell in row] for row in rows)
    return text.getvalue()
