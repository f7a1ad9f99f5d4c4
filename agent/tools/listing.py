"""Lists as tools answer them: a few rows, how many there are, and how to get the next ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db.models import Model

from agent.models import Turn
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext
from agent.toolkit.signatures import Arguments
from kit.errors import Invalid
from kit.json_types import JsonObject
from kit.paging import PageOfRows, Window

M = TypeVar("M", bound=Model)
FEW = 20
MAX_LIMIT = 100
# As over the API. A database takes no number of any size.
MAX_SKIPPED = 2**31 - 1
CONCISE, FULL = "concise", "full"


def build_list(plural: str, part: PageOfRows[M], at: Window, describe: Callable[[M], Result]) -> Result:
    """`{plural: […], "total_count", "skip"}`, and how to go on when there are more."""
    page: JsonObject = {plural: [describe(row) for row in part.rows], "total_count": part.total, "skip": at.skip}
    seen = at.skip + len(part.rows)
    return {**page, "more": f"Ask again with skip {seen}."} if part.rows and seen < part.total else page


def read_window(skip: int | None, limit: int | None) -> Window:
    """Raises Invalid."""
    if not 0 <= (skip or 0) <= MAX_SKIPPED or (limit is not None and limit < 1):
        raise Invalid(f"skip must be 0 to {MAX_SKIPPED}, and limit 1 to {MAX_LIMIT}.")
    return Window(skip or 0, min(limit or FEW, MAX_LIMIT))


def summarize_list(noun: str) -> Callable[[Arguments, Result], str]:
    """The summary line of a list: "3 of 12 schemas"."""

    def summarize(arguments: Arguments, result: Result) -> str:
        listed, total = len(result.get(f"{noun}s", ())), result.get("total_count", 0)
        return format_count(total, noun) if listed == total else f"{listed} of {format_count(total, noun)}"

    return summarize


def reads_full(context: ToolContext, detail: str | None) -> bool:
    """Programs read by the names that they know, so they get all unless they ask for less. Raises Invalid."""
    return not is_concise(detail) and (detail == FULL or context.turn.origin == Turn.Origin.MCP)


def is_concise(detail: str | None) -> bool:
    """Raises Invalid for what is neither concise nor full."""
    if detail not in (None, CONCISE, FULL):
        raise Invalid(f"detail is {CONCISE} or {FULL}.")
    return detail == CONCISE
