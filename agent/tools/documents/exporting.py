"""Values of several documents as one table, to read or as a file."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.urls import reverse

from agent.toolkit.chosen_documents import keep_within_scope
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools.documents import selection
from documents import bulk
from documents.models import Document
from documents.reading.page_text import make_data_block
from documents.results import ResultExport, parse_layout
from documents.results.layout import ResultLayout, plan_columns
from documents.results.loading import list_counted_runs
from kit.errors import Invalid

MAX_COLUMNS = 60
ID, NAME = "@id", "@name"
WRITTEN = "The file is written by a job; the page Documents shows how far it is, and the link works when it has ended."


def _summarize(arguments: Arguments, result: Result) -> str:
    return f"{format_count(result.get('rows', 0), 'row')}, {len(result.get('columns', ()))} columns"


def _pin_unless_file(context: ToolContext, arguments: Arguments) -> Arguments:
    """A file may be of any number of documents."""
    return arguments if arguments.get("format") else selection.pin_documents(context, arguments)


@tool(
    category="search",
    access="read",
    title="Export values as a table",
    icon="i-download",
    resolve=_pin_unless_file,
    summary=_summarize,
    is_rare=True,
)
def export_results(
    context: ToolContext, documents: list[str], values: list[str] | None = None, format: str = ""
) -> Result:
    """The newest values of several documents as one CSV table, a line for each document, or for each entry of a list
    that is named in values. Show it, or add it up with calculate_expression. With format a file, by a link.

    documents: by names or ids, tag:NAME for all with a tag, filter:NAME for a saved filter
    values: names of the columns, dotted; without it all single ones, 60 at most
    format: csv, xlsx, json or jsonl for a file of any number of documents; without it the table is the answer
    """
    sent = {"format": format or "csv", "columns": [ID, NAME, *values] if values else None, "headers": "path"}
    if format:
        return _make_file(context, documents, {**sent, "headers": "title", "content": "results"})
    layout = parse_layout(context.actor, sent)
    return _make_table(context, selection.fetch_rows(context, {"documents": documents}), layout)


def _make_table(context: ToolContext, rows: Sequence[Document], layout: ResultLayout) -> Result:
    """Documents without values are named, not left out in silence."""
    organization = context.actor.organization
    runs = list_counted_runs(layout).filter(document__in=rows)
    columns = [each for each in plan_columns(context.actor, layout, runs) if each.name != "@link"]
    if len(columns) > MAX_COLUMNS:
        raise Invalid(
            f"There are {len(columns)} columns; {MAX_COLUMNS} are the most. Name those that matter in values."
        )
    export, missing = ResultExport(organization, layout, columns), list[str]()
    export.note_left_out = missing.append
    table = b"".join(export.iterate_blocks([rows])).decode("utf-8-sig")
    answer: Result = {
        "columns": [column.name for column in columns],
        "rows": export.summary.rows,
        "csv": make_data_block("values", table),
    }
    return {**answer, "without_values": missing} if missing else answer


def _make_file(context: ToolContext, documents: Sequence[str], sent: Result) -> Result:
    chosen = {name: value for name, value in sent.items() if value is not None}
    rows = keep_within_scope(context, selection.select_documents(context, documents))
    action = bulk.create(context.actor, kind="download", documents=rows, arguments=chosen)
    address = reverse("bulk-file", args=[action.organization_id, action.pk])
    answer: Result = {"file": f"{settings.PUBLIC_URL}{address}", "documents": action.total_count}
    return answer if action.finished_at else {**answer, "note": WRITTEN}
