"""Questions about the tables that stand in a file: rows, sums, and what does not fit with other rows or with values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from agent.citations.aliases import name_blocks
from agent.toolkit.chosen_documents import select_chosen
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from agent.tools.documents.field_queries import describe_cell
from documents.find.fields.aggregating import shorten_figure
from documents.find.tables import (
    CellLine,
    Join,
    JoinedSide,
    Joining,
    Match,
    NamedTable,
    TableAnswer,
    TableLine,
    join_rows,
    load_tables,
    parse_join,
    query_tables,
    read_rows,
)
from documents.find.tables.sides import list_table_sides, list_value_sides
from documents.models import Reading
from kit.errors import Invalid
from kit.json_types import JsonObject

USUAL_LIMIT = 50
VALUES = "values"
SHOWN, MAX_KEY = 40, 120
JOINED = (
    "Compared is what the rows that belong together add up to. A negative amount beside a positive one is compared "
    "without its sign."
)


def _summarize(arguments: Arguments, result: Result) -> str:
    if "matched" in result:
        return f"{result['matched']} matched, {result.get('different_count', 0)} differ"
    return format_count(result.get("total_rows", 0), "row")


@tool(
    group="document",
    access="read",
    title="Ask a table",
    icon="i-table",
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
      stands on one side alone. A key may stand within a longer text
    limit: rows, 1 to 200; without it 50
    from_row: the row of the answer to go on with
    """
    about = lookup.choose_to_read(context, document)
    reading = lookup.reading_of(about)
    tables = _choose_sheets(read_all(reading), sheets)
    if join is not None:
        return _describe_joining(context, reading, tables, filters, parse_join(join))
    asked = {"filters": filters, "columns": columns, "group": group, "aggregates": aggregate}
    number = USUAL_LIMIT if limit is None else limit
    answer = query_tables(about, tables, **asked, limit=number, skip=from_row - 1)
    result = _describe_answer(context, reading, answer, from_row)
    return result if any(asked.values()) else {"tables": [_describe_table(table) for table in tables], **result}


def read_all(reading: Reading) -> list[NamedTable]:
    tables = [read_rows(table, extension=reading.document.extension) for table in load_tables(reading)]
    return [table for table in tables if table.rows or table.totals]


def _choose_sheets(tables: Sequence[NamedTable], sheets: Sequence[str] | None) -> list[NamedTable]:
    if not sheets:
        return list(tables)
    chosen = [table for table in tables if table.table.name.casefold() in {name.strip().casefold() for name in sheets}]
    if len(chosen) < len(set(sheets)):
        raise Invalid(f"There is no such sheet. There are {', '.join(table.table.name for table in tables)[:500]}.")
    return chosen


def _describe_table(table: NamedTable) -> Result:
    return {"sheet": table.table.name, "rows": len(table.rows), "columns": list(table.names.values())[:40]}


def _describe_answer(context: ToolContext, reading: Reading, answer: TableAnswer, from_row: int) -> Result:
    lines = {line for row in answer.rows for places in row.lines.values() for line in places}
    whole = {line: f"{reading.pk}.{line.page}.{line.line}" for line in lines}
    names = name_blocks(context.thread, whole.values())
    result: Result = {
        "document": reading.document.name,
        "total_rows": answer.total_rows,
        "rows": [_describe_line(row, {line: names[block] for line, block in whole.items()}) for row in answer.rows],
    }
    if answer.has_more:
        result["more"] = f"from_row={from_row + len(answer.rows)} goes on, with the same query."
    return {**result, "notes": list(answer.notes)} if answer.notes else result


def _describe_line(row: TableLine, names: Mapping[CellLine, str]) -> Result:
    cells: Result = {name: describe_cell(cell) for name, cell in row.cells.items()}
    lines = {name: list(dict.fromkeys(names[line] for line in places)) for name, places in row.lines.items() if places}
    flat = {name: each[0] if len(each) == 1 else each for name, each in lines.items()}
    if flat:
        cells["block_ids"] = next(iter(flat.values())) if len(set(map(str, flat.values()))) == 1 else flat
    return cells


def _describe_joining(
    context: ToolContext, reading: Reading, tables: Sequence[NamedTable], filters: object, join: Join
) -> Result:
    ones = list_table_sides(reading, tables, join.key, join.compare, filters)
    others = _list_others(context, reading, join)
    joining = join_rows(ones, others)
    different = [match for match in joining.matches if match.difference]
    unclear = [match for match in joining.matches if join.compare and match.difference is None]
    listed = [
        *(side for match in [*different, *unclear, *joining.near] for side in (*match.ones, *match.others)),
        *joining.only_one[:SHOWN],
        *joining.only_other[:SHOWN],
    ]
    names = name_blocks(context.thread, dict.fromkeys(block for side in listed for block in side.blocks))
    answer: Result = {"rows": len(ones), "rows_with": len(others), "matched": len(joining.matches)}
    if join.compare:
        answer |= {"equal": len(joining.matches) - len(different) - len(unclear), "different_count": len(different)}
        answer["different"] = [_describe_match(match, names) for match in different[:SHOWN]]
        answer["not_compared"] = [_describe_match(match, names) for match in unclear[:SHOWN]]
    answer |= _describe_alone(joining, names)
    return {**answer, "notes": list(_list_notes(joining, different))}


def _list_others(context: ToolContext, reading: Reading, join: Join) -> list[JoinedSide]:
    if join.other == VALUES:
        return list_value_sides(context.actor, join.with_key, join.with_compare, select_chosen(context))
    own = [table for table in read_all(reading) if table.table.name.casefold() == join.other.casefold()]
    if own:
        return list_table_sides(reading, own, join.with_key, join.with_compare)
    other = lookup.reading_of(lookup.choose_to_read(context, join.other))
    return list_table_sides(other, read_all(other), join.with_key, join.with_compare)


def _describe_alone(joining: Joining, names: Mapping[str, str]) -> Result:
    answer: Result = {
        "only_in_table_count": len(joining.only_one),
        "only_in_table": [_describe_side(side, names) for side in joining.only_one[:SHOWN]],
        "only_in_with_count": len(joining.only_other),
        "only_in_with": [_describe_side(side, names) for side in joining.only_other[:SHOWN]],
    }
    if joining.near:
        answer["perhaps_the_same"] = [_describe_match(match, names) for match in joining.near]
    return answer


def _list_notes(joining: Joining, different: Sequence[Match]) -> Iterator[str]:
    yield JOINED
    for name, count in (("different", len(different)), ("only_in_table", len(joining.only_one))):
        if count > SHOWN:
            yield f"{name} shows {SHOWN} of {count}: narrow the table by filters."
    if len(joining.only_other) > SHOWN:
        yield f"only_in_with shows {SHOWN} of {len(joining.only_other)}."


def _describe_match(match: Match, names: Mapping[str, str]) -> Result:
    one, other = match.amounts
    difference = match.difference
    result: Result = {
        "table": [_describe_side(side, names) for side in match.ones],
        "with": [_describe_side(side, names) for side in match.others],
    }
    if len(match.ones) > 1 or len(match.others) > 1:
        result["sums"] = [_write(one), _write(other)]
    return {**result, "difference": _write(difference)} if difference is not None else result


def _describe_side(side: JoinedSide, names: Mapping[str, str]) -> Result:
    row: Result = {"key": side.written[:MAX_KEY]}
    if side.amount is not None:
        row["amount"] = f"{side.currency} {_write(side.amount)}".strip()
    if side.name:
        row["document"] = side.name
    if blocks := list(dict.fromkeys(names[block] for block in side.blocks)):
        row["block_ids"] = blocks[0] if len(blocks) == 1 else blocks
    return row


def _write(amount: Decimal | None) -> str:
    return "" if amount is None else f"{shorten_figure(amount):f}"
