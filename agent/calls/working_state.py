"""The working state of a thread: the ids of what its calls have made last, which the next round begins with."""

from __future__ import annotations

from django.db.models import QuerySet

from agent import feed, focus
from agent.models import Thread
from agent.toolkit.registry import Result, Tool, ToolContext
from agent.toolkit.signatures import Arguments
from kit.rows.fixed_select import FixedSelect


@FixedSelect
def _select_thread(thread: str) -> QuerySet[Thread]:
    return Thread.objects.select_for_update().filter(pk=thread)


def keep_in_mind(context: ToolContext, tool: Tool, arguments: Arguments, result: Result) -> None:
    """Once a call has succeeded, in its transaction: the working state, and the objects that it named."""
    save_working_state(context)
    focus.note_call(context.turn, tool, arguments, result)


def save_working_state(context: ToolContext) -> None:
    """Once a call has succeeded, in its transaction: what it remembers is added, and what is gone leaves."""
    if not context.remembered and not context.forgotten:
        return
    thread = _select_thread.get(context.thread.pk)
    state = {**thread.working_state, **context.remembered}
    thread.working_state = {name: row_id for name, row_id in state.items() if row_id not in context.forgotten}
    feed.change_thread(thread.pk, working_state=thread.working_state)
    feed.report_state(thread)
