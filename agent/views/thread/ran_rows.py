"""A call that needed no card, as a line of the thread; many of them as one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from agent.cards.cards import RUNNING, format_json
from agent.cards.crops import draw_viewed
from agent.cards.steps import ACTIONS, describe_beginning, describe_outcome
from agent.conversation.model_input import pictures
from agent.models import ToolCall
from agent.views.thread.thread_items import Item, RanCalls, RanRow

Status = ToolCall.Status
DONE = {
    "searching": "searched",
    "exploring": "looked through lists",
    "reading": "read",
    "summarising": "summarised",
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


def describe_rows(rows: Sequence[RanRow]) -> str:
    """`Searched › read 4 of 5 · 3.2 s`; empty while one of them runs, and for a single one, which says it itself."""
    if len(rows) < 2 or any(row.state == "running" for row in rows):
        return ""
    steps = [_describe_steps(action, list(several)) for action, several in groupby(rows, key=lambda row: row.action)]
    sentence = " › ".join(steps)
    return f"{sentence[:1].upper()}{sentence[1:]} · {sum(row.seconds or 0 for row in rows):.1f} s"


def _describe_steps(action: str, rows: Sequence[RanRow]) -> str:
    done = sum(row.state == "ok" for row in rows)
    return DONE[action] if done == len(rows) == 1 else f"{DONE[action]} {done} of {len(rows)}"
