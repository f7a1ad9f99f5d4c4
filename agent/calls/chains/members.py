"""The steps of a call chain: calls of one answer that build on one another (ADR 21).

`builds_on` holds the steps that a step was checked on top of; what builds on those in turn builds on them as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from django.db import transaction

from agent.models import ToolCall, Turn
from agent.outside.catalog import find_tool_of
from agent.policy.policy_context import context_for, owner_of
from agent.toolkit.registry import Tool, ToolContext
from agent.toolkit.tool_kinds import Effect
from kit.errors import AppError, Invalid
from kit.ids import preassign_ids

Status = ToolCall.Status
TO_COME = (Status.PENDING, Status.APPROVED, Status.EXECUTING)
IMPOSSIBLE = "Step {step} ({tool}), which this builds on, cannot be done any more: {why}"


def list_steps(call: ToolCall) -> list[ToolCall]:
    """The chain of a call, in order: of each step its newest revision. Empty for a call that stands alone."""
    if call.chain is None:
        return []
    members = ToolCall.objects.filter(turn=call.turn_id, round=call.round, chain=call.chain)
    rows = list(members.order_by("chain_step", "version"))
    for row in rows:
        row.turn = call.turn
    return keep_newest(rows)


def keep_newest(calls: Iterable[ToolCall]) -> list[ToolCall]:
    """Of calls in the order of their versions the last one of each step."""
    return list({call.chain_step: call for call in calls}.values())


def find_dependents(step: ToolCall, chain: Sequence[ToolCall] | None = None) -> list[ToolCall]:
    """The later steps that build on this one, directly or by another."""
    dependents: list[ToolCall] = []
    for later in list_steps(step) if chain is None else chain:
        if set(later.builds_on) & {each.chain_step for each in (step, *dependents)}:
            dependents.append(later)
    return dependents


def find_foundations(step: ToolCall, chain: Sequence[ToolCall] | None = None) -> list[ToolCall]:
    """The earlier steps that this one builds on, directly or by another, in order."""
    needed = set(step.builds_on)
    foundations: list[ToolCall] = []
    for earlier in reversed(list_steps(step) if chain is None else chain):
        if earlier.chain_step in needed:
            needed |= set(earlier.builds_on)
            foundations.append(earlier)
    return foundations[::-1]


@contextmanager
def simulate_foundations(turn: Turn, step: ToolCall) -> Iterator[None]:
    """Inside, the steps that this one builds on and that have not run yet are done. Afterwards nothing is.

    The turn is locked: a step that ran meanwhile would have taken the ids that it is simulated with.
    """
    with roll_back(turn):
        Turn.objects.select_for_update().get(pk=turn.pk)
        owner = owner_of(turn.thread).as_agent(by_rule=False)
        for earlier in find_foundations(step):
            tool = find_tool_of(earlier)
            if earlier.status not in TO_COME or tool.effect is not Effect.LOCAL or tool.is_read:
                continue
            try:
                simulate_call(earlier, tool, context_for(turn, owner, call_id=earlier.pk))
            except AppError as error:
                why = IMPOSSIBLE.format(step=earlier.chain_step, tool=earlier.tool, why=error.sentence)
                raise Invalid(why) from error
        yield


@contextmanager
def roll_back(turn: Turn) -> Iterator[None]:
    """A try of which nothing stays, neither in the database nor of what the thread works on."""
    state = turn.thread.working_state
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        turn.thread.working_state = state


def simulate_call(call: ToolCall, tool: Tool, context: ToolContext) -> list[str]:
    """Does what the call would, as if it had succeeded, inside `roll_back`. Answers the ids that it gives."""
    with preassign_ids(call.preassigned_ids) as ids, transaction.atomic():
        result = tool.run(context, **(call.effective or {}))
    ToolCall.objects.filter(pk=call.pk).update(status=Status.SUCCEEDED, result=result)
    thread = context.turn.thread
    kept = {name: row_id for name, row_id in thread.working_state.items() if row_id not in context.forgotten}
    thread.working_state = kept | context.remembered
    return ids
