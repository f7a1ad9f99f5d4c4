"""A call that needed no card, as a line of the thread; many of them as one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from agent.cards.cards import RUNNING, format_json
from agent.cards.crops import draw_viewed
from agent.cards.steps import ACTIONS, describe_beginning, describe_outcome
from agent.conversation.model_input import pictures
from agent.models import ToolCall, Turn
from agent.views.thread.thread_items import Item, RanCalls, RanRow

Status = ToolCall.Status
DONE = {
    "searching": "searched",
    "exploring": "looked through lists",
    "reading": "read",
    "summarising": "summarized",
    "analysing": "compared",
    "opening": "opened",
    "planning": "looked up what there is",
}


def build_ran_row(call: ToolCall) -> RanRow:
    """With what the model saw, where it looked at a page."""
    arguments, result = call.effective or call.proposed or {}, call.result or {}
    problem = str(result.get("error", "")) if call.status != Status.SUCCEEDED else ""
    state = "running" if call.status in (*RUNNING, Status.PROPOSED) else "ok" if not problem else "bad"
    took = (call.finished_at - call.created_at).total_seconds() if call.finished_at else None
    is_view = call.tool == pictures.TOOL and call.status == Status.SUCCEEDED
    return RanRow(
        title=describe_beginning(call),
        summary=problem or ("" if state == "running" else describe_outcome(call)),
        state=state,
        seconds=took,
        arguments=format_json(arguments),
        result=format_json(result),
        action=ACTIONS.get(call.tool, "planning"),
        crop=draw_viewed(result) if is_view else None,
        document_id=str(result.get("document_id") or call.thread.document_id) if is_view else "",
    )


def join_rows(items: Iterable[Item]) -> Iterator[Item]:
    """Rows of rounds that follow each other without a word between them are one list."""
    last: RanCalls | None = None
    for item in items:
        if isinstance(item, RanCalls):
            last = replace(last, rows=last.rows + item.rows, version=f"{last.version}-{item.version}") if last else item
            continue
        if last:
            yield last
            last = None
        yield item
    if last:
        yield last


def add_costs(items: Sequence[Item], turns: Sequence[Turn]) -> list[Item]:
    """What a turn that has ended cost stands at its last rows."""
    costs = {turn.pk: turn.spent_micros for turn in turns if turn.status not in Turn.LIVE}
    last = {item.turn_id: item.key for item in items if isinstance(item, RanCalls)}
    return [
        replace(item, cost_micros=costs[item.turn_id], version=f"{item.version}-{costs[item.turn_id]}")
        if isinstance(item, RanCalls) and last[item.turn_id] == item.key and costs.get(item.turn_id)
        else item
        for item in items
    ]


def describe_rows(rows: Sequence[RanRow]) -> str:
    """`Searched › read 4 of 5`; empty while one of them runs, and for a single one, which says it itself."""
    if len(rows) < 2 or any(row.state == "running" for row in rows):
        return ""
    steps = [_describe_steps(action, list(several)) for action, several in groupby(rows, key=lambda row: row.action)]
    sentence = " › ".join(steps)
    return f"{sentence[:1].upper()}{sentence[1:]}"


def _describe_steps(action: str, rows: Sequence[RanRow]) -> str:
    done = sum(row.state == "ok" for row in rows)
    return DONE[action] if done == len(rows) == 1 else f"{DONE[action]} {done} of {len(rows)}"
