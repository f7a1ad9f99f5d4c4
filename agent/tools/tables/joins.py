"""Rows of a table beside what belongs to them, as a model reads it: what differs first, in parts that fit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from agent.citations.aliases import name_blocks
from agent.toolkit.chosen_documents import narrow_to_scope, select_chosen
from agent.toolkit.registry import Result, ToolContext
from agent.tools import lookup
from documents.find.fields.aggregating import shorten_figure
from documents.find.tables import Join, JoinedSide, Joining, Match, NamedTable, join_rows, load_tables, read_rows
from documents.find.tables.sides import list_table_sides, list_value_sides
from documents.models import Reading
from kit.errors import Invalid

Row = TypeVar("Row")
VALUES = "values"
MAX_SHOWN, MAX_SIDES, MAX_KEY = 40, 5, 120
LETTERS = {"different": 6_000, "not_compared": 2_000, "only_in_table": 4_000, "only_in_with": 4_000}
JOINED = (
    "Compared is what the rows that belong together add up to. A negative amount beside a positive one is compared "
    "without its sign."
)


def take_fitting(rows: Sequence[Result], letters: int) -> list[Result]:
    """The first rows that fit, at least one."""
    taken: list[Result] = []
    for row in rows:
        letters -= len(json.dumps(row, ensure_ascii=False))
        if taken and letters < 0:
            break
        taken.append(row)
    return taken


def read_all(reading: Reading) -> list[NamedTable]:
    tables = [read_rows(table, extension=reading.document.extension) for table in load_tables(reading)]
    return [table for table in tables if table.rows or table.totals]


@dataclass
class JoinDescription:
    """Rows are shown from `start` on; `following`: from where each list that was cut goes on."""

    names: Mapping[str, str]
    start: int
    following: list[int] = field(default_factory=list)

    def show_matches(self, name: str, matches: Sequence[Match]) -> list[Result]:
        return self._show(name, [self.describe_match(match) for match in self.cut(matches)], len(matches))

    def show_sides(self, name: str, sides: Sequence[JoinedSide]) -> list[Result]:
        return self._show(name, [self._describe_side(side) for side in self.cut(sides)], len(sides))

    def cut(self, rows: Sequence[Row]) -> Sequence[Row]:
        return rows[self.start : self.start + MAX_SHOWN]

    def _show(self, name: str, rows: Sequence[Result], count: int) -> list[Result]:
        shown = take_fitting(rows, LETTERS[name])
        if self.start + len(shown) < count:
            self.following.append(self.start + len(shown))
        return shown

    def describe_match(self, match: Match) -> Result:
        one, other = match.amounts
        difference = match.difference
        result: Result = {"table": self._describe_sides(match.ones), "with": self._describe_sides(match.others)}
        if len(match.ones) > 1 or len(match.others) > 1:
            result["counts"] = [len(match.ones), len(match.others)]
            result["sums"] = [_write(one), _write(other)]
        return {**result, "difference": _write(difference)} if difference is not None else result

    def _describe_sides(self, sides: Sequence[JoinedSide]) -> list[Result]:
        return [self._describe_side(side) for side in sides[:MAX_SIDES]]

    def _describe_side(self, side: JoinedSide) -> Result:
        row: Result = {"key": side.written[:MAX_KEY]}
        if side.amount is not None:
            row["amount"] = f"{side.currency} {_write(side.amount)}".strip()
        if side.name:
            row["document"] = side.name
        if blocks := list(dict.fromkeys(self.names[block] for block in side.blocks)):
            row["block_ids"] = blocks[0] if len(blocks) == 1 else blocks
        return row


def describe_join(
    context: ToolContext,
    reading: Reading,
    tables: Sequence[NamedTable],
    filters: object,
    join: Join,
    from_row: int,
) -> Result:
    """Raises Invalid for a row before the first, and for what cannot be joined."""
    if from_row < 1:
        raise Invalid("Rows are counted from 1.")
    ones = list_table_sides(reading, tables, join.key, join.compare, filters)
    others = _list_others(context, reading, join)
    joining = join_rows(ones, others)
    described = JoinDescription(_name_shown(context, joining, join, from_row - 1), from_row - 1)
    answer: Result = {"rows": len(ones), "rows_with": len(others), "matched": len(joining.matches)}
    if join.compare:
        answer |= _describe_compared(described, joining)
    answer |= _describe_alone(described, joining)
    if described.following:
        answer["more"] = f"from_row={min(described.following) + 1} goes on in each list, with the same join."
    return {**answer, "notes": [JOINED]}


def _list_others(context: ToolContext, reading: Reading, join: Join) -> list[JoinedSide]:
    if join.other == VALUES:
        within = narrow_to_scope(context, select_chosen(context))
        return list_value_sides(context.actor, join.with_key, join.with_compare, within)
    own = [table for table in read_all(reading) if table.table.name.casefold() == join.other.casefold()]
    if own:
        return list_table_sides(reading, own, join.with_key, join.with_compare)
    other = lookup.reading_of(lookup.choose_to_read(context, join.other))
    return list_table_sides(other, read_all(other), join.with_key, join.with_compare)


def _name_shown(context: ToolContext, joining: Joining, join: Join, start: int) -> Mapping[str, str]:
    """Name the lines of what is shown alone, of however many rows there are."""
    cut = JoinDescription({}, start).cut
    compared = [*cut(joining.different), *cut(joining.not_compared)] if join.compare else []
    matches = [*compared, *joining.near]
    sides = [side for match in matches for side in (*match.ones[:MAX_SIDES], *match.others[:MAX_SIDES])]
    sides += [*cut(joining.only_one), *cut(joining.only_other)]
    return name_blocks(context.thread, dict.fromkeys(block for side in sides for block in side.blocks))


def _describe_compared(described: JoinDescription, joining: Joining) -> Result:
    different, unclear = joining.different, joining.not_compared
    return {
        "equal": len(joining.matches) - len(different) - len(unclear),
        "different_count": len(different),
        "different": described.show_matches("different", different),
        "not_compared_count": len(unclear),
        "not_compared": described.show_matches("not_compared", unclear),
    }


def _describe_alone(described: JoinDescription, joining: Joining) -> Result:
    answer: Result = {
        "only_in_table_count": len(joining.only_one),
        "only_in_table": described.show_sides("only_in_table", joining.only_one),
        "only_in_with_count": len(joining.only_other),
        "only_in_with": described.show_sides("only_in_with", joining.only_other),
    }
    if joining.near:
        answer["perhaps_the_same"] = [described.describe_match(match) for match in joining.near]
    return answer


def _write(amount: Decimal | None) -> str:
    return "" if amount is None else f"{shorten_figure(amount):f}"
