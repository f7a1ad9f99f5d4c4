"""Questions about the tables that stand in a file: rows, sums, and what does not fit with other rows or with values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from agent.citations.aliases import name_blocks
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.toolkit.tool_kinds import VALUE_CHANGES
from agent.tools import lookup
from agent.tools.documents.field_queries import describe_cell
from agent.tools.tables.joins import describe_join, read_all, take_fitting
from documents.find.tables import CellLine, NamedTable, TableAnswer, TableLine, parse_join, query_tables
from documents.models import Reading
from kit.errors import Invalid
from kit.json_types import JsonObject

USUAL_LIMIT = 50
# Rows of each table that a call without a question shows.
FIRST_ROWS = 5
MAX_LETTERS = 12_000
MAX_TABLES, MAX_NAMES, MAX_NAME = 20, 40, 60


def _summarize(arguments: Arguments, result: Result) -> str:
    if "matched" in result:
        return f"{result['matched']} matched, {result.get('different_count', 0)} differ"
    return format_count(result.get("total_rows", 0), "row")


@tool(
    category="search",
    access="read",
    title="Ask a table",
    icon="i-table",
    follows=VALUE_CHANGES,
    shows_any=True,
    resolve=lookup.pin_document,
    summary=_summarize,
    is_rare=True,
)
def table_query(
    context: ToolContext,
    document: str | None = None,
    sheets: list[str] | None = None,
    filters: list[JsonObject] | None = None,
    columns: list[str] | None = None,
    group: JsonObject | None = None,
    aggregate: list[JsonObject] | None = None,
    join: JsonObject | None = None,
    limit: int | None = None,
    from_row: int = 1,
) -> Result:
    """Lists, groups and adds up the rows of the tables in a file, such as the sheets of a spreadsheet or a bank's CSV,
    and finds what does not fit with other rows or with values of documents. Exact; block_ids are the lines, to cite.
    Columns are named as in their head, or A, B; `sheet` is the name of the sheet. A call without a question lists them.

    document: name or id of the file; without it this one
    sheets: only these, by name; without it all of the file
    filters: such as {"field": "Amount", "operator": "lt", "value": 0}; eq ne lt le gt ge contains in empty
    columns: to list
    group: {"field": "sheet"}, or {"field": "Date", "by": "month"}
    aggregate: such as {"function": "sum", "field": "Amount"}; count sum min max avg
    join: {"with": "values", "key": "Reference", "with_key": "invoice_number", "compare": "Amount", "with_compare":
      "total"}; with is values of documents, or another document's or sheet's name. It names what differs and what
      is on one side alone. A key may be within a longer text
    limit: rows, 1 to 200; without it 50
    from_row: the row of the answer to go on with
    """
    about = lookup.choose_to_read(context, document)
    reading = lookup.reading_of(about)
    tables = _choose_sheets(read_all(reading), sheets)
    if join is not None:
        return describe_join(context, reading, tables, filters, parse_join(join), from_row)
    asked = {"filters": filters, "columns": columns, "group": group, "aggregates": aggregate}
    number = limit if limit is not None else USUAL_LIMIT if any(asked.values()) else FIRST_ROWS
    answer = query_tables(about, tables, **asked, limit=number, skip=from_row - 1)
    result = _describe_answer(context, reading, answer, from_row)
    return result if any(asked.values()) else {**_describe_tables(tables), **result}


def _choose_sheets(tables: Sequence[NamedTable], sheets: Sequence[str] | None) -> list[NamedTable]:
    if not sheets:
        return list(tables)
    chosen = [table for table in tables if table.table.name.casefold() in {name.strip().casefold() for name in sheets}]
    if len(chosen) < len(set(sheets)):
        raise Invalid(f"There is no such sheet. There are {', '.join(table.table.name for table in tables)[:500]}.")
    return chosen


def _describe_tables(tables: Sequence[NamedTable]) -> Result:
    described: Result = {"tables": [_describe_table(table) for table in tables[:MAX_TABLES]]}
    if len(tables) > MAX_TABLES:
        described["further_tables"] = f"{len(tables) - MAX_TABLES} follow: {_join(t.table.name for t in tables)}"
    return described


def _join(names: Iterable[str]) -> str:
    return ", ".join(name[:MAX_NAME] for name in islice(names, MAX_TABLES, MAX_TABLES + MAX_NAMES))


def _describe_table(table: NamedTable) -> Result:
    names = list(table.names.values())
    described: Result = {
        "sheet": table.table.name[:MAX_NAME],
        "rows": len(table.rows),
        "columns": [name[:MAX_NAME] for name in names[:MAX_NAMES]],
    }
    return {**described, "further_columns": len(names) - MAX_NAMES} if len(names) > MAX_NAMES else described


def _describe_answer(context: ToolContext, reading: Reading, answer: TableAnswer, from_row: int) -> Result:
    lines = {line for row in answer.rows for places in row.lines.values() for line in places}
    whole = {line: f"{reading.pk}.{line.page}.{line.line}" for line in lines}
    names = name_blocks(context.thread, whole.values())
    rows = [_describe_line(row, {line: names[block] for line, block in whole.items()}) for row in answer.rows]
    shown = take_fitting(rows, MAX_LETTERS)
    result: Result = {"document": reading.document.name, "total_rows": answer.total_rows, "rows": shown}
    if answer.has_more or len(shown) < len(rows):
        result["more"] = f"from_row={from_row + len(shown)} goes on, with the same query."
    return {**result, "notes": list(answer.notes)[:MAX_NAMES]} if answer.notes else result


def _describe_line(row: TableLine, names: Mapping[CellLine, str]) -> Result:
    cells: Result = {name: describe_cell(cell) for name, cell in row.cells.items()}
    lines = {name: list(dict.fromkeys(names[line] for line in places)) for name, places in row.lines.items() if places}
    flat = {name: each[0] if len(each) == 1 else each for name, each in lines.items()}
    if flat:
        cells["block_ids"] = next(iter(flat.values())) if len(set(map(str, flat.values()))) == 1 else flat
    return cells
