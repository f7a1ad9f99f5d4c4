"""The figures that the product's own tools worked out of cells and values, each with the lines that they come from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.citations.statements.proofs import Proof
from agent.models import ToolCall, Turn
from kit.json_types import Json, JsonObject

QUERIES = ("table_query", "query_fields")
RUNS = ("run_extraction", "get_extraction_result", "update_extraction_field")
MAX_QUERIES = 50
BLOCKS = "block_ids"
# Sentences of the product on the values of an extraction: how many rows a list has, and what a failed check adds up.
_NOTES = ("summary", "checks")
# A figure that such a tool copies from a cell is not its own.
_FUNCTIONS = r"(?:count|sum|min|max|avg)(?:\(|$)"
_WORKED_OUT = re.compile(rf"{_FUNCTIONS}|(?:difference|sums|matched|equal|rows|rows_with)$|total_|\w+_count$")
# A difference stands without the currency of the amounts beside it.
_MONEY = re.compile(r"([A-Z]{3}) -?\d")


@dataclass(frozen=True)
class ComputedFigures:
    """They are of one row of a result, or of all of it. `lines` are their names in the thread, as `D1:2.14`."""

    figures: Proof
    lines: frozenset[str] = frozenset()


def list_computed(turn: Turn) -> list[ComputedFigures]:
    """List what the thread was given up to this turn, the newest first."""
    calls = turn.thread.calls.filter(
        tool__in=QUERIES + RUNS, status=ToolCall.Status.SUCCEEDED, message__dropped_at=None
    )
    newest = calls.filter(turn__number__lte=turn.number).order_by("-turn__number", "-round", "-position")
    results = newest.values_list("result", flat=True)[:MAX_QUERIES]
    return [each for result in results if isinstance(result, dict) for each in _list_rows(result)]


def _list_rows(result: JsonObject) -> Iterator[ComputedFigures]:
    rows = [row for part in result.values() if isinstance(part, list) for row in part if isinstance(row, dict)]
    for row, lines in [(result, frozenset[str]()), *((row, frozenset(_list_lines(row))) for row in rows)]:
        if figures := " ".join(_list_figures(row)):
            yield ComputedFigures(Proof(figures), lines)


def _list_figures(row: JsonObject) -> Iterator[str]:
    currencies = set(_MONEY.findall(str([row.get("table"), row.get("with")])))
    currency = currencies.pop() if len(currencies) == 1 else ""
    for name, value in row.items():
        values: Sequence[Json] = value if isinstance(value, list) else [value]
        if name in _NOTES or _WORKED_OUT.match(name):
            yield from (f"{currency} {each}".strip() for each in values if isinstance(each, str | int | float))


def _list_lines(value: Json, *, is_named: bool = False) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _list_lines(inner, is_named=is_named or name == BLOCKS)
    elif isinstance(value, list):
        for inner in value:
            yield from _list_lines(inner, is_named=is_named)
    elif is_named and isinstance(value, str):
        yield value
