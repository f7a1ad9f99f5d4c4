"""Questions about the values of many documents: lists, groups and sums."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from agent.citations.aliases import name_blocks
from agent.models import Thread
from agent.toolkit.chosen_documents import CHOSEN, WITHIN, narrow_to_scope, select_chosen
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.toolkit.tool_kinds import VALUE_CHANGES
from agent.tools.listing import is_concise
from documents.find import fields
from documents.find.fields import EVERYTHING, FieldCell, FieldRow, FieldTable
from kit.json_types import Json, JsonObject

USUAL_LIMIT = 50


def _summarize(arguments: Arguments, result: Result) -> str:
    return f"{format_count(result.get('total_documents', 0), 'document')}: {str(result.get('searched', ''))[:80]}"


@tool(
    category="search",
    access="read",
    title="Ask about values",
    icon="i-table",
    follows=VALUE_CHANGES,
    shows_any=True,
    summary=_summarize,
    is_rare=True,
)
def query_fields(
    context: ToolContext,
    filters: list[JsonObject] | None = None,
    columns: list[str] | None = None,
    group: JsonObject | None = None,
    aggregate: list[JsonObject] | None = None,
    limit: int | None = None,
    in_scope: bool | None = None,
    detail: str | None = None,
) -> Result:
    """Lists, groups and adds up the current values of many documents, such as totals by vendor and month. A field of a
    table's rows, such as line_items.amount, gives a line for each row. @name, @state, @kind, @uploaded, @tag are of the
    document itself.
    block_ids: the lines of a row's values, to cite; of a sum of few values all of them, of a group one.

    filters: such as {"field": "total", "operator": "gt", "value": 1000}; eq ne lt le gt ge contains in empty
    columns: fields to list
    group: {"field": "invoice_date", "by": "month"}; by is value, month or year
    aggregate: such as {"function": "sum", "field": "total"}; count sum min max avg, and count alone counts documents
    limit: rows, 1 to 200, else 50
    in_scope: false for all documents, where the person has chosen some for this message
    detail: concise: no block_ids
    """
    is_short = is_concise(detail)
    chosen = select_chosen(context, in_scope)
    within = narrow_to_scope(context, chosen)
    table = fields.query_fields(
        context.actor,
        filters=filters,
        columns=columns,
        group=group,
        aggregates=aggregate,
        documents=within,
        limit=USUAL_LIMIT if limit is None else limit,
    )
    answer: Result = {
        "total_documents": table.total_documents,
        "searched": _describe_searched(table, is_chosen=chosen is not None),
        "rows": [_describe_row(row, {}) for row in table.rows] if is_short else _cite_rows(context.thread, table.rows),
    }
    if table.has_more:
        answer["more"] = "Further rows follow. Narrow the filters, or ask with a larger limit."
    notes = [*table.notes, *([WITHIN] if within is not chosen else [])]
    return {**answer, "notes": notes} if notes else answer


def _describe_searched(table: FieldTable, *, is_chosen: bool) -> str:
    if not is_chosen:
        return table.searched
    return CHOSEN if table.searched == EVERYTHING else f"{CHOSEN}: {table.searched}"


def _cite_rows(thread: Thread, rows: Sequence[FieldRow]) -> list[Result]:
    """With the block ids of the lines in which their values stand: one where it is the same for all of a row."""
    names = name_blocks(thread, (block for row in rows for blocks in row.blocks.values() for block in blocks))
    return [
        _describe_row(row, {cell: [names[block] for block in blocks] for cell, blocks in row.blocks.items()})
        for row in rows
    ]


def _describe_row(row: FieldRow, lines: dict[str, list[str]]) -> Result:
    cells: Result = {name: describe_cell(cell) for name, cell in row.cells.items()}
    if lines:
        named = {cell: names[0] if len(names) == 1 else names for cell, names in lines.items()}
        cells["block_ids"] = next(iter(named.values())) if len(set(map(str, named.values()))) == 1 else named
    if not row.document_id:
        return cells
    return {**cells, "document_id": row.document_id, "document_name": row.document_name}


def describe_cell(cell: FieldCell) -> Json:
    """One value as itself, several as a list. Amounts as they are, digit for digit."""
    values = [
        str(value) if isinstance(value, Decimal) else value.isoformat() if isinstance(value, date) else value
        for value in cell
    ]
    return values[0] if len(values) == 1 else values or None
